import { ipFamilyOf, parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { ipText } from "../../apimachinery/values/ip-text.js";
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "../../apis/gen/core-v1.js";
import type { EndpointPort as DiscoveryPort, Endpoint, EndpointSlice } from "../../apis/gen/discovery-v1.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { OwnedSlices } from "./owned-slices.js";

/** The most addresses of one subset that are mirrored. */
const addressesMax = 1000;

/**
 * Maintains endpoint slices for the Endpoints objects that users write for services without a selector. Source: Kubernetes' endpoint
 * slice mirroring controller.
 */
export class MirroredEndpoints implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #slices: OwnedSlices;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#slices = new OwnedSlices(cluster, "endpointslicemirroring-controller", {
      apiVersion: "v1",
      kind: "Endpoints",
    });
    this.#loop = cluster.loop({ name: "endpoint_slice_mirroring", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    this.#loop.fedBy(
      views.of("endpoints").onChange(({ key }) => this.#loop.addSoon(key)),
      views.of("services").onChange(({ key }) => this.#loop.addSoon(key)),
      this.#slices.onLoss((key) => this.#loop.addSoon(key)),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const { views } = this.#cluster;
    const view = views.of("endpoints").get(key);
    // The slices of deleted endpoints go with them.
    if (view === undefined || view.isTerminating) return;
    const service = views.of("services").get(key)?.stored.decode();
    // Slices that were mirrored before a service got its selector stay, as in Kubernetes.
    if (Object.keys(service?.spec.selector ?? {}).length > 0) return;
    await this.#slices.become(view, service === undefined ? [] : this.#wanted(view));
  }

  #wanted({ stored, labels }: ObjectView<Endpoints>): EndpointSlice[] {
    const { domain } = this.#cluster;
    if (labels[`endpointslice.${domain}/skip-mirror`] === "true") return [];
    const { metadata, subsets = [] } = stored.decode();
    const annotations = { ...metadata.annotations };
    delete annotations[`kubectl.${domain}/last-applied-configuration`];
    delete annotations[`endpoints.${domain}/last-change-trigger-time`];
    if (`control-plane.alpha.${domain}/leader` in annotations) return [];
    const labelled = {
      labels: { ...metadata.labels },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    };
    return regrouped(subsets).flatMap(({ ports, endpoints }) =>
      (["IPv4", "IPv6"] as const).flatMap((addressType) => {
        const ofType = endpoints.filter((endpoint) => familyOf(endpoint) === addressType);
        if (ofType.length === 0) return [];
        return [{ metadata: structuredClone(labelled), addressType, ports, endpoints: ofType }];
      }),
    );
  }
}

interface Group {
  readonly ports: DiscoveryPort[];
  readonly endpoints: Endpoint[];
}

/** Ports with equal addresses form one group, whichever subsets name them. */
function regrouped(subsets: readonly EndpointSubset[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { port, endpoints } of endpointsByPort(subsets)) {
    const sorted = [...endpoints].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, endpoint]) => endpoint);
    const key = JSON.stringify(sorted);
    const group = groups.get(key) ?? { ports: [], endpoints: sorted.slice(0, addressesMax) };
    if (port !== undefined) group.ports.push(port);
    groups.set(key, group);
  }
  return [...groups.values()];
}

interface PortEndpoints {
  /** Undefined for the addresses of a subset without ports. */
  readonly port: DiscoveryPort | undefined;
  /** By address. */
  readonly endpoints: Map<string, Endpoint>;
}

/** An address that some subset calls not ready is not. */
function endpointsByPort(subsets: readonly EndpointSubset[]): Iterable<PortEndpoints> {
  const byPort = new Map<string, PortEndpoints>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length === 0 ? [undefined] : ports.map(portOf)) {
      const key = JSON.stringify(port) ?? "";
      const { endpoints } = byPort.get(key) ?? { endpoints: new Map<string, Endpoint>() };
      byPort.set(key, { port, endpoints });
      for (const address of addresses) {
        if (!endpoints.has(address.ip)) endpoints.set(address.ip, endpointOf(address, true));
      }
      for (const address of notReadyAddresses) endpoints.set(address.ip, endpointOf(address, false));
    }
  }
  return byPort.values();
}

function familyOf({ addresses }: Endpoint): "IPv4" | "IPv6" | undefined {
  return ipFamilyOf(addresses?.[0] ?? "");
}

function portOf({ name, port, protocol, appProtocol }: EndpointPort): DiscoveryPort {
  return { name: name ?? "", port, protocol, appProtocol };
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  const bytes = parseIp(ip);
  return {
    addresses: [bytes === undefined ? ip : ipText(bytes)],
    conditions: { ready },
    hostname,
    nodeName,
    targetRef,
  };
}

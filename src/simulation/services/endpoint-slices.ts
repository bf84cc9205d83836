import type { Service } from "../../apis/gen/core-v1.js";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../apis/gen/discovery-v1.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { type Backend, backendsOf, portsKey } from "./endpoint-parts.js";
import { OwnedSlices } from "./owned-slices.js";
import { ServiceBackends } from "./service-backends.js";

const endpointsMax = 100;

/** Maintains the endpoint slices of services with a selector. Source: Kubernetes' endpoint slice controller. */
export class EndpointSlices implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #slices: OwnedSlices;
  readonly #backends: ServiceBackends;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#slices = new OwnedSlices(cluster, "endpointslice-controller", {
      apiVersion: "v1",
      kind: "Service",
    });
    this.#backends = new ServiceBackends(cluster);
    this.#loop = cluster.loop({ name: "endpoint_slice", sync: (key) => this.#sync(key) });
  }

  start(): void {
    this.#loop.fedBy(
      this.#backends.follow((key) => this.#loop.addSoon(key)),
      this.#slices.onLoss((key) => this.#loop.addSoon(key)),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.of("services").get(key);
    if (view === undefined || view.isTerminating) return;
    const pods = this.#backends.podsOf(view);
    if (pods === undefined) return;
    const service = view.stored.decode();
    await this.#slices.become(view, this.#wanted(service, backendsOf(service, pods)));
  }

  #wanted(service: Service, backends: readonly Backend[]): EndpointSlice[] {
    const groups = new Map<string, { ports: EndpointPort[]; endpoints: Endpoint[] }>();
    const zone = `topology.${this.#cluster.domain}/zone`;
    for (const backend of [...backends].sort((a, b) => (a.pod.ip < b.pod.ip ? -1 : 1))) {
      const key = portsKey(backend.ports);
      const group = groups.get(key) ?? { ports: portsOf(backend), endpoints: [] };
      groups.set(key, group);
      const node = this.#cluster.nodes.get(backend.pod.nodeName);
      group.endpoints.push(endpointOf(service, backend, node?.labels[zone]));
    }
    if (groups.size === 0) groups.set("", { ports: [], endpoints: [] });
    const slices: EndpointSlice[] = [];
    for (const { ports, endpoints } of groups.values()) {
      for (let from = 0; from === 0 || from < endpoints.length; from += endpointsMax) {
        slices.push({
          metadata: { labels: this.#labels(service) },
          addressType: "IPv4",
          endpoints: endpoints.slice(from, from + endpointsMax),
          ports,
        });
      }
    }
    return slices;
  }

  #labels({ metadata, spec }: Service): Record<string, string> {
    return {
      ...metadata.labels,
      ...(spec.clusterIP === "None" && { [`service.${this.#cluster.domain}/headless`]: "" }),
    };
  }
}

function portsOf({ ports }: Backend): EndpointPort[] {
  return ports.map(({ name, port, protocol, appProtocol }) => ({
    name: name ?? "",
    port,
    protocol,
    appProtocol,
  }));
}

function endpointOf(
  { spec }: Service,
  { pod, isReady, hostname }: Backend,
  zone: string | undefined,
): Endpoint {
  const { namespace, name, uid } = pod;
  const isUp = (spec.publishNotReadyAddresses ?? false) || (isReady && !pod.isTerminating);
  return {
    addresses: [pod.ip],
    conditions: { ready: isUp, serving: isReady, terminating: pod.isTerminating },
    hostname,
    targetRef: { kind: "Pod", namespace, name, uid },
    nodeName: pod.nodeName,
    zone,
    hints: isUp ? hintsOf(spec.trafficDistribution, pod.nodeName, zone) : undefined,
  };
}

/** Who should send requests to an endpoint, for services that distribute them by distance. */
function hintsOf(distribution: string | undefined, node: string, zone: string | undefined) {
  if (distribution === undefined || !distribution.startsWith("Prefer")) return undefined;
  const forZones = zone === undefined ? undefined : [{ name: zone }];
  const forNodes = distribution === "PreferSameNode" ? [{ name: node }] : undefined;
  return forZones === undefined && forNodes === undefined ? undefined : { forZones, forNodes };
}

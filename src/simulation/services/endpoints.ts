import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { EndpointAddress, EndpointSubset, Service } from "../../apis/gen/core-v1.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { type Backend, backendsOf, portsKey } from "./endpoint-parts.js";
import { ServiceBackends } from "./service-backends.js";

/** The most addresses in one object: further ones are left out. */
const addressesMax = 1000;

/** Maintains the endpoints of services with a selector. Source: Kubernetes' endpoints controller. */
export class EndpointsController implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #backends: ServiceBackends;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("endpoint-controller");
    this.#backends = new ServiceBackends(cluster);
    this.#loop = cluster.loop({ name: "endpoint", sync: (key) => this.#sync(key) });
  }

  start(): void {
    this.#loop.fedBy(this.#backends.follow((key) => this.#loop.addSoon(key)));
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const { views } = this.#cluster;
    const view = views.of("services").get(key);
    const existing = views.of("endpoints").get(key);
    if (view === undefined) {
      // As in Kubernetes, they are deleted with their service.
      if (existing !== undefined) await this.#writer.delete("endpoints", existing);
      return;
    }
    const pods = this.#backends.podsOf(view);
    if (pods === undefined) return;
    const service = view.stored.decode();
    const subsets = subsetsOf(service, backendsOf(service, pods));
    const labels = { ...service.metadata.labels, ...this.#labels(service) };
    if (existing === undefined) {
      const metadata = { name: view.name, labels };
      await this.#writer
        .create("endpoints", view.namespace, { metadata, subsets })
        .catch((error: unknown) => {
          if (!isStatus(error, "AlreadyExists") && !isStatus(error, "Forbidden")) throw error;
        });
      return;
    }
    const before = existing.stored.decode();
    if (isDeepEqual(before.subsets, subsets) && isDeepEqual(before.metadata.labels ?? {}, labels)) return;
    await this.#writer.change("endpoints", existing, (endpoints) => {
      endpoints.subsets = subsets;
      endpoints.metadata.labels = labels;
    });
  }

  /** Since 1.33, endpoints say which controller made them. */
  #labels({ spec }: Service): Record<string, string> {
    const { domain, context } = this.#cluster;
    return {
      ...(spec.clusterIP === "None" && { [`service.${domain}/headless`]: "" }),
      ...(isAtLeast(context.level, "1.33") && { [`endpoints.${domain}/managed-by`]: "endpoint-controller" }),
    };
  }
}

/** Pods with the same ports form one subset. */
function subsetsOf(service: Service, backends: readonly Backend[]): EndpointSubset[] {
  const publishes = service.spec.publishNotReadyAddresses ?? false;
  const groups = new Map<string, Backend[]>();
  for (const backend of backends.slice(0, addressesMax)) {
    if (backend.pod.isTerminating && !publishes) continue;
    const key = portsKey(backend.ports);
    groups.set(key, [...(groups.get(key) ?? []), backend]);
  }
  return [...groups.values()].map((group) => {
    const sorted = [...group].sort((a, b) => (a.pod.ip < b.pod.ip ? -1 : 1));
    const isUp = ({ isReady }: Backend) => isReady || publishes;
    const ready = sorted.filter(isUp).map(addressOf);
    const notReady = sorted.filter((backend) => !isUp(backend)).map(addressOf);
    const ports = (group[0]?.ports ?? []).map(({ name, port, protocol, appProtocol }) => ({
      name,
      port,
      protocol,
      appProtocol,
    }));
    return {
      addresses: ready.length === 0 ? undefined : ready,
      notReadyAddresses: notReady.length === 0 ? undefined : notReady,
      ports: ports.length === 0 ? undefined : ports,
    };
  });
}

function addressOf({ pod, hostname }: Backend): EndpointAddress {
  const { ip, nodeName, namespace, name, uid } = pod;
  return { ip, hostname, nodeName, targetRef: { kind: "Pod", namespace, name, uid } };
}

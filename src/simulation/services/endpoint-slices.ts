import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { Service } from "../../apis/gen/core-v1.js";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../apis/gen/discovery-v1.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import type { ObjectView } from "../machinery/object-view.js";
import { ownerReference } from "../machinery/owners.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { type Backend, backendsOf, portsKey } from "./endpoint-parts.js";
import { ServiceBackends } from "./service-backends.js";

const endpointsMax = 100;
const serviceKind = { apiVersion: "v1", kind: "Service" };

/** Maintains the endpoint slices of services with a selector. Source: Kubernetes' endpoint slice controller. */
export class EndpointSlices implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #backends: ServiceBackends;
  readonly #loop: SyncLoop;
  readonly #managedBy: string;
  readonly #nameLabel: string;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("endpointslice-controller");
    this.#backends = new ServiceBackends(cluster);
    this.#loop = cluster.loop({ name: "endpoint_slice", sync: (key) => this.#sync(key) });
    this.#managedBy = `endpointslice.${cluster.domain}/managed-by`;
    this.#nameLabel = `${cluster.domain}/service-name`;
  }

  start(): void {
    this.#loop.fedBy(
      this.#backends.follow((key) => this.#loop.addSoon(key)),
      this.#cluster.views.of("endpointslices.discovery").onChange(({ value, previous }) => {
        if (value === undefined && previous?.controller?.kind === "Service") {
          this.#loop.addSoon(`${previous.namespace}/${previous.controller.name}`);
        }
      }),
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
    const wanted = this.#wanted(service, backendsOf(service, pods));
    const existing = [...this.#cluster.views.of("endpointslices.discovery").find("controller", view.uid)]
      .filter(({ labels }) => labels[this.#managedBy] === this.#manager)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const [index, slice] of wanted.entries()) {
      const before = existing[index];
      if (before === undefined) await this.#create(view, slice);
      else if (!isSame(before.stored.decode(), slice)) await this.#change(before, slice);
    }
    for (const surplus of existing.slice(wanted.length)) {
      await this.#writer.delete("endpointslices.discovery", surplus);
    }
  }

  get #manager(): string {
    return `endpointslice-controller.${this.#cluster.context.naming.groupDomain}`;
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
      [this.#nameLabel]: metadata.name ?? "",
      [this.#managedBy]: this.#manager,
      ...(spec.clusterIP === "None" && { [`service.${this.#cluster.domain}/headless`]: "" }),
    };
  }

  async #create(service: ObjectView<Service>, slice: EndpointSlice): Promise<void> {
    slice.metadata.generateName = `${service.name.slice(0, 240)}-`;
    slice.metadata.ownerReferences = [ownerReference(serviceKind, service)];
    await this.#writer
      .create("endpointslices.discovery", service.namespace, slice)
      .catch((error: unknown) => {
        // The namespace is being deleted.
        if (!isStatus(error, "Forbidden")) throw error;
      });
  }

  async #change(before: ObjectView<EndpointSlice>, wanted: EndpointSlice): Promise<void> {
    await this.#writer.change("endpointslices.discovery", before, (slice) => {
      slice.endpoints = wanted.endpoints;
      slice.ports = wanted.ports;
      slice.metadata.labels = wanted.metadata.labels;
    });
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
  };
}

function isSame(before: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    isDeepEqual(before.endpoints, wanted.endpoints) &&
    isDeepEqual(before.ports, wanted.ports) &&
    isDeepEqual(before.metadata.labels, wanted.metadata.labels)
  );
}

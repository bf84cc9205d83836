import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { EndpointSlice } from "../../apis/gen/discovery-v1.js";
import type { ObjectView } from "../machinery/object-view.js";
import { type OwnerKind, ownerReference } from "../machinery/owners.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "../pods/cluster.js";

/** The endpoint slices that a controller keeps for objects of one kind, whose names are those of services. */
export class OwnedSlices {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #kind: OwnerKind;
  readonly #manager: string;
  readonly #managedBy: string;

  constructor(cluster: Cluster, controller: string, kind: OwnerKind) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter(controller);
    this.#kind = kind;
    this.#manager = `${controller}.${cluster.context.naming.groupDomain}`;
    this.#managedBy = `endpointslice.${cluster.domain}/managed-by`;
  }

  /** Calls `lost` with the key of the owner of each slice that was deleted. */
  onLoss(lost: (ownerKey: string) => void): () => void {
    return this.#cluster.views.of("endpointslices.discovery").onChange(({ value, previous }) => {
      const owner = previous?.controller;
      if (value === undefined && owner?.kind === this.#kind.kind)
        lost(`${previous?.namespace}/${owner.name}`);
    });
  }

  /** Creates, updates and deletes slices until the owner has the wanted ones; an address type never changes. */
  async become(owner: ObjectView<unknown>, wanted: readonly EndpointSlice[]): Promise<void> {
    const left = [...this.#cluster.views.of("endpointslices.discovery").find("controller", owner.uid)]
      .filter(({ labels }) => labels[this.#managedBy] === this.#manager)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((view) => ({ view, slice: view.stored.decode() }));
    for (const slice of wanted) {
      slice.metadata.labels = {
        ...slice.metadata.labels,
        [`${this.#cluster.domain}/service-name`]: owner.name,
        [this.#managedBy]: this.#manager,
      };
      const index = left.findIndex((each) => each.slice.addressType === slice.addressType);
      const [before] = index < 0 ? [] : left.splice(index, 1);
      if (before === undefined) await this.#create(owner, slice);
      else if (!isSame(before.slice, slice)) await this.#change(before.view, slice);
    }
    for (const { view } of left) await this.#writer.delete("endpointslices.discovery", view);
  }

  async #create(owner: ObjectView<unknown>, slice: EndpointSlice): Promise<void> {
    slice.metadata.generateName = `${owner.name.slice(0, 240)}-`;
    slice.metadata.ownerReferences = [ownerReference(this.#kind, owner)];
    await this.#writer.create("endpointslices.discovery", owner.namespace, slice).catch((error: unknown) => {
      // The namespace is being deleted.
      if (!isStatus(error, "Forbidden")) throw error;
    });
  }

  async #change(before: ObjectView<EndpointSlice>, wanted: EndpointSlice): Promise<void> {
    await this.#writer.change("endpointslices.discovery", before, (slice) => {
      slice.endpoints = wanted.endpoints;
      slice.ports = wanted.ports;
      slice.metadata.labels = wanted.metadata.labels;
      slice.metadata.annotations = wanted.metadata.annotations;
    });
  }
}

function isSame(before: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    isDeepEqual(before.endpoints, wanted.endpoints) &&
    isDeepEqual(before.ports, wanted.ports) &&
    isDeepEqual(before.metadata.labels, wanted.metadata.labels) &&
    isDeepEqual(before.metadata.annotations, wanted.metadata.annotations)
  );
}

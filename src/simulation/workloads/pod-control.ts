import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus, StatusError } from "../../apimachinery/errors/status.js";
import type { OwnerReference } from "../../apimachinery/objects/meta.js";
import type { Pod, PodTemplateSpec } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { EventSubject } from "../machinery/event-writer.js";
import type { SelectingView } from "../machinery/object-view.js";
import { adoptBy, claims, type OwnerKind, ownerReference, releaseFrom } from "../machinery/owners.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";

/** The owner of pods, taken from a view or an object. */
export interface PodOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Batches of pods double in size, so that a quota or a webhook that refuses pods is asked only a few times. */
const batchMin = 8;
/** The most pods of one owner that are written at the same time. */
const atOnceMax = 64;

/** How the controllers of workloads create, adopt, release and delete pods. */
export class PodControl {
  readonly writer: Writer;
  readonly recorder: EventRecorder;
  readonly kind: OwnerKind;
  readonly #cluster: Cluster;

  /** `controller`: the name of the real one, such as `replicaset-controller`. */
  constructor(cluster: Cluster, controller: string, kind: OwnerKind) {
    this.#cluster = cluster;
    this.kind = kind;
    this.writer = cluster.controllerWriter(controller);
    this.recorder = cluster.recorder(controller);
  }

  subject({ namespace, name, uid }: PodOwner): EventSubject {
    return { ...this.kind, namespace, name, uid };
  }

  reference(owner: PodOwner): OwnerReference {
    return ownerReference(this.kind, owner);
  }

  /** The owner's pods, after it has adopted and released pods according to its selector. */
  async claim<T>(owner: SelectingView<T>): Promise<readonly PodView[]> {
    const first = this.#claims(owner);
    if (first.adopt.length === 0 && first.release.length === 0) return first.owned;
    const reference = this.reference(owner);
    for (const pod of first.adopt) await this.writer.change("pods", pod, adoptBy(reference));
    for (const pod of first.release) await this.writer.change("pods", pod, releaseFrom(owner.uid));
    return this.#claims(owner).owned;
  }

  #claims<T>(owner: SelectingView<T>) {
    const { pods } = this.#cluster.views;
    return claims(owner, [
      ...pods.find("controller", owner.uid),
      ...pods.find("controller", `orphan/${owner.namespace}`),
    ]);
  }

  /** A pod from the template. Without a name, it gets one that begins with its owner's. */
  podOf(owner: PodOwner, { metadata, spec }: PodTemplateSpec, name?: string): Pod {
    return this.writer.copy("pods", {
      metadata: {
        ...(name === undefined ? { generateName: `${owner.name.slice(0, 246)}-` } : { name }),
        namespace: owner.namespace,
        labels: metadata?.labels ?? {},
        annotations: metadata?.annotations,
        finalizers: metadata?.finalizers,
        ownerReferences: [this.reference(owner)],
      },
      spec: spec ?? {},
      status: {},
    });
  }

  /** Rejects with the refusal, which is also recorded as an event. */
  async create(owner: PodOwner, pod: Pod): Promise<void> {
    const subject = this.subject(owner);
    try {
      const stored = await this.writer.create("pods", owner.namespace, pod);
      this.recorder.record(subject, "Normal", "SuccessfulCreate", `Created pod: ${nameOf(stored.key)}`);
    } catch (error) {
      if (!isNamespaceEnding(error)) {
        this.recorder.record(subject, "Warning", "FailedCreate", `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Stops at the first batch in which a pod is refused, and rejects with that refusal. */
  async createMany(owner: PodOwner, count: number, make: (index: number) => Pod): Promise<void> {
    let next = 0;
    for (let batch = batchMin; next < count; batch = Math.min(batch * 2, atOnceMax)) {
      const until = Math.min(count, next + batch);
      const creates: Promise<void>[] = [];
      for (; next < until; next++) creates.push(this.create(owner, make(next)));
      const refused = (await Promise.allSettled(creates)).find(({ status }) => status === "rejected");
      if (refused?.status === "rejected") throw refused.reason;
    }
  }

  async delete(owner: PodOwner, pod: PodView): Promise<void> {
    await this.writer.delete("pods", pod);
    this.recorder.record(this.subject(owner), "Normal", "SuccessfulDelete", `Deleted pod: ${pod.name}`);
  }

  async deleteMany(owner: PodOwner, pods: readonly PodView[]): Promise<void> {
    for (let from = 0; from < pods.length; from += atOnceMax) {
      await Promise.all(pods.slice(from, from + atOnceMax).map((pod) => this.delete(owner, pod)));
    }
  }
}

function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

/** Whether the namespace is being deleted: nothing can be created there, and that is not worth an event. */
export function isNamespaceEnding(error: unknown): boolean {
  if (isStatus(error, "NotFound")) return true;
  return (
    error instanceof StatusError &&
    error.status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true
  );
}

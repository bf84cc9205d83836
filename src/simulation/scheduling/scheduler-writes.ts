import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PersistentVolume, PersistentVolumeClaim, PodCondition } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "../pods/cluster.js";
import { withCondition } from "../pods/conditions.js";
import { deleteDisrupted } from "../pods/disruption.js";
import type { PodView } from "../pods/pod-view.js";
import { referenceTo } from "../volumes/simulated-class.js";
import { nameOf } from "../volumes/suitable-volumes.js";

/** The scheduler's name in pods and events. */
export const schedulerName = "default-scheduler";
/** Limit of concurrent writes; beyond it the scheduler waits. */
const writesMax = 128;

/**
 * What the scheduler writes: bindings, why a pod waits, which volumes may be bound, and deletions of pods that make room. None of it
 * rejects.
 */
export class SchedulerWrites {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #clearsNominatedNode: boolean;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.writer(cluster.context.naming.users.scheduler);
    this.#recorder = cluster.recorder(schedulerName);
    this.#clearsNominatedNode = cluster.context.isEnabled("ClearingNominatedNodeNameAfterBinding");
  }

  /** Waits until another write may begin. */
  async room(): Promise<void> {
    if (this.#underWay.size >= writesMax) await Promise.race(this.#underWay);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** `lost`: called if the pod was deleted or bound by someone else. */
  bind(view: PodView, nodeName: string): Promise<"bound" | "lost" | "failed"> {
    return this.#track(this.#bind(view, nodeName));
  }

  async #bind(view: PodView, nodeName: string): Promise<"bound" | "lost" | "failed"> {
    try {
      const now = this.#cluster.now();
      const bound = await this.#writer.changePodFreely(view, (pod) => {
        if ((pod.spec.nodeName ?? "") !== "" || pod.metadata.deletionTimestamp !== undefined) return;
        pod.spec.nodeName = nodeName;
        if (this.#clearsNominatedNode) delete pod.status.nominatedNodeName;
        const condition = { type: "PodScheduled", status: "True" };
        pod.status.conditions = withCondition(pod.status.conditions, condition, now);
      });
      if (bound?.fields["spec.nodeName"] !== nodeName) return "lost";
      const message = `Successfully assigned ${view.namespace}/${view.name} to ${nodeName}`;
      this.#recorder.record(subjectOf(view), "Normal", "Scheduled", message);
      return "bound";
    } catch (error) {
      this.#cluster.context.log.verbose(
        { level: 2, file: "simulation/scheduling/scheduler-writes" },
        "a pod could not be bound",
        { pod: view.key, reason: String(error) },
      );
      return "failed";
    }
  }

  /** Names the chosen node to the controller that has a volume made for the claim. */
  selectNode({ namespace }: PodView, nodeName: string, claim: string): void {
    const annotation = `volume.${this.#cluster.domain}/selected-node`;
    const writing = this.#writer.change(
      "persistentvolumeclaims",
      { namespace, name: claim },
      ({ metadata }) => {
        metadata.annotations = { ...metadata.annotations, [annotation]: nodeName };
      },
    );
    void this.#track(this.#logged(writing, "the node of a claim was not written"));
  }

  /** Gives the volume to the claim, unless it is taken. `onFailure` is called when that could not be written. */
  reserve(volume: PersistentVolume, claim: ObjectView<PersistentVolumeClaim>, onFailure: () => void): void {
    const name = nameOf(volume);
    const bound = `pv.${this.#cluster.domain}/bound-by-controller`;
    const writing = this.#writer
      .change("persistentvolumes", { namespace: "", name }, ({ metadata, spec }) => {
        if ((spec.claimRef?.uid ?? "") !== "") return;
        spec.claimRef = referenceTo(claim);
        metadata.annotations = { ...metadata.annotations, [bound]: "yes" };
      })
      .catch((error: unknown) => {
        onFailure();
        throw error;
      });
    void this.#track(this.#logged(writing, "a volume was not given to its claim"));
  }

  /** Reports in an event and in the pod's condition why no node fits. `nominated`: the node where room is being made for it. */
  refuse(view: PodView, message: string, nominated: string | undefined): void {
    this.#recorder.record(subjectOf(view), "Warning", "FailedScheduling", message);
    const now = this.#cluster.now();
    const condition: PodCondition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
    };
    const writing = this.#writer.changePart("pods", view, ({ spec, status }) => {
      if ((spec.nodeName ?? "") !== "") return;
      status.conditions = withCondition(status.conditions, condition, now);
      if (nominated !== undefined) status.nominatedNodeName = nominated;
    });
    void this.#track(this.#logged(writing, "a pod's condition was not written"));
  }

  evict(victim: PodView, by: PodView, nodeName: string): void {
    const parts = { cluster: this.#cluster, writer: this.#writer };
    const writing = deleteDisrupted(parts, victim, {
      reason: "PreemptionByScheduler",
      message: `${by.schedulerName}: preempting to accommodate a higher priority pod`,
    }).then(() => {
      const who = isAtLeast(this.#cluster.context.level, "1.29") ? `pod ${by.uid}` : "a pod";
      const message = `Preempted by ${who} on node ${nodeName}`;
      this.#recorder.record(subjectOf(victim), "Normal", "Preempted", message);
    });
    void this.#track(this.#logged(writing, "a pod could not be preempted"));
  }

  #track<T>(writing: Promise<T>): Promise<T> {
    this.#underWay.add(writing);
    this.#cluster.context.clock.track(writing);
    void writing.finally(() => this.#underWay.delete(writing));
    return writing;
  }

  async #logged(writing: Promise<unknown>, failure: string): Promise<void> {
    try {
      await writing;
    } catch (error) {
      this.#cluster.context.log.error(failure, error);
    }
  }
}

function subjectOf({ namespace, name, uid }: PodView) {
  return { apiVersion: "v1", kind: "Pod", namespace, name, uid };
}

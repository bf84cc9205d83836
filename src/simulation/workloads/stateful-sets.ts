import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { StatefulSet, StatefulSetStatus } from "../../apis/gen/apps-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { availableAt, isAvailable, isFinished, type PodView } from "../pods/pod-view.js";
import { followPods } from "./pod-changes.js";
import { isNamespaceEnding, PodControl } from "./pod-control.js";
import { type Revision, RevisionHistory, type Revisions } from "./revision-history.js";
import { StatefulClaims } from "./stateful-claims.js";
import { identityLabels, ordinalOf, revisionOf, statefulPod } from "./stateful-pods.js";

type View = SelectingView<StatefulSet>;

interface Pass {
  readonly view: View;
  readonly set: StatefulSet;
  readonly current: Revision;
  readonly update: Revision;
}

/**
 * Maintains the numbered pods of stateful sets, one after another unless they may be created all at once. Source: Kubernetes' stateful set
 * controller.
 */
export class StatefulSets implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #claims: StatefulClaims;
  readonly #history: RevisionHistory;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#control = new PodControl(cluster, "statefulset-controller", {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
    });
    this.#claims = new StatefulClaims(cluster, this.#control);
    this.#history = new RevisionHistory(cluster, this.#control, "statefulsets.apps");
    this.#loop = cluster.loop({ name: "statefulset", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const sets = views.selecting("statefulsets.apps");
    this.#loop.fedBy(
      sets.onChange(({ key }) => this.#loop.add(key)),
      followPods(views.pods, {
        kind: "StatefulSet",
        owners: sets,
        changed: (key) => this.#loop.addSoon(key),
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("statefulsets.apps").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    const set = view.stored.decode();
    const pods = await this.#control.claim(view);
    if (view.isTerminating) return;
    const revisions = await this.#history.sync(view, set);
    if (revisions === undefined) return;
    const current = currentOf(set, revisions);
    const pass: Pass = { view, set, current, update: revisions.update };
    let refusal: unknown;
    try {
      await this.#reconcile(pass, pods);
    } catch (error) {
      refusal = error;
    }
    await this.#writeStatus(pass);
    const used = new Set([...this.#pods(view)].map(revisionOf));
    await this.#history.cleanUp(view, set, new Set([...used, current.name, revisions.update.name]));
    if (refusal !== undefined) throw refusal;
  }

  #pods(view: View): Iterable<PodView> {
    return this.#cluster.views.pods.find("controller", view.uid);
  }

  /** One step: creates or deletes what may be created or deleted now. */
  async #reconcile(pass: Pass, pods: readonly PodView[]): Promise<void> {
    const { view, set } = pass;
    const byOrdinal = new Map<number, PodView>();
    for (const pod of pods) {
      const ordinal = ordinalOf(view.name, pod.name);
      if (ordinal !== undefined) byOrdinal.set(ordinal, pod);
    }
    const isDone = (await this.#fill(pass, byOrdinal)) && (await this.#shrink(pass, byOrdinal));
    if (isDone && set.spec.updateStrategy.type !== "OnDelete") await this.#rollOn(pass, byOrdinal);
  }

  /** Creates missing pods. Returns false if the rest of the step has to wait for a pod. */
  async #fill(pass: Pass, byOrdinal: ReadonlyMap<number, PodView>): Promise<boolean> {
    const { view, set } = pass;
    const isParallel = set.spec.podManagementPolicy === "Parallel";
    const { first, end } = ordinalsOf(set);
    for (let ordinal = first; ordinal < end; ordinal++) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined) {
        await this.#createPod(pass, ordinal);
        if (!isParallel) return false;
      } else if (isFinished(pod)) {
        if (!pod.isTerminating) await this.#deletePod(view, pod);
        if (!isParallel) return false;
      } else if (!isParallel && !this.#isHealthy(pod, set)) {
        return false;
      } else if (!pod.isTerminating) {
        await this.#restoreIdentity(view, set, ordinal, pod);
      }
    }
    return true;
  }

  /** Deletes pods beyond the replicas, the largest ordinal first. Returns false if the rest of the step has to wait for a pod. */
  async #shrink({ view, set }: Pass, byOrdinal: ReadonlyMap<number, PodView>): Promise<boolean> {
    const isParallel = set.spec.podManagementPolicy === "Parallel";
    const { first, end } = ordinalsOf(set);
    const surplus = [...byOrdinal]
      .filter(([ordinal]) => ordinal < first || ordinal >= end)
      .sort(([a], [b]) => b - a);
    for (const [ordinal, pod] of surplus)
      await this.#claims.follow(view, set, { ordinal, pod, isSurplus: true });
    const unhealthy = surplus.findLast(([, pod]) => !this.#isHealthy(pod, set));
    for (const [ordinal, pod] of surplus) {
      const mayGo = isParallel || this.#isHealthy(pod, set) || ordinal === unhealthy?.[0];
      if (!pod.isTerminating && mayGo) await this.#deletePod(view, pod);
      if (!isParallel) return false;
    }
    return true;
  }

  /** Replaces the outdated pod with the largest ordinal once those above it are healthy. */
  async #rollOn({ view, set, update }: Pass, byOrdinal: ReadonlyMap<number, PodView>): Promise<void> {
    const { first, end } = ordinalsOf(set);
    const partition = first + (set.spec.updateStrategy.rollingUpdate?.partition ?? 0);
    for (let ordinal = end - 1; ordinal >= partition; ordinal--) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined) return;
      if (revisionOf(pod) !== update.name) {
        if (!pod.isTerminating) await this.#deletePod(view, pod);
        return;
      }
      if (!this.#isHealthy(pod, set)) return;
    }
  }

  #isHealthy(pod: PodView, { spec }: StatefulSet): boolean {
    if (pod.isTerminating || pod.phase !== "Running") return false;
    return isAvailable(pod, spec.minReadySeconds ?? 0, this.#cluster.now());
  }

  async #createPod({ view, set, current, update }: Pass, ordinal: number): Promise<void> {
    const { type, rollingUpdate } = set.spec.updateStrategy;
    // A pod below the partition keeps its revision.
    const partition = ordinalsOf(set).first + (rollingUpdate?.partition ?? 0);
    const isOld = type !== "OnDelete" && ordinal < partition;
    const revision = isOld ? current : update;
    const template = revision === update ? set.spec.template : this.#history.template(revision);
    const name = `${view.name}-${ordinal}`;
    const subject = this.#control.subject(view);
    try {
      await this.#claims.create(view, set, ordinal);
      const cluster = this.#cluster;
      const pod = statefulPod(this.#control, view, set, { ordinal, revision, template, cluster });
      await this.#control.writer.create("pods", view.namespace, pod);
      const message = `create Pod ${name} in StatefulSet ${view.name} successful`;
      this.#control.recorder.record(subject, "Normal", "SuccessfulCreate", message);
    } catch (error) {
      if (!isNamespaceEnding(error) && !isStatus(error, "AlreadyExists")) {
        const message = `create Pod ${name} in StatefulSet ${view.name} failed error: ${messageOf(error)}`;
        this.#control.recorder.record(subject, "Warning", "FailedCreate", message);
      }
      throw error;
    }
  }

  /**
   * Restores the labels that identify the pod if someone removed them, and gives its claims the owner that the set's retention policy
   * wants.
   */
  async #restoreIdentity(view: View, set: StatefulSet, ordinal: number, pod: PodView): Promise<void> {
    const labels = identityLabels(pod.name, ordinal, this.#cluster);
    if (Object.entries(labels).some(([key, value]) => pod.labels[key] !== value)) {
      await this.#control.writer.change("pods", pod, ({ metadata }) => {
        metadata.labels = { ...metadata.labels, ...labels };
      });
    }
    await this.#claims.follow(view, set, { ordinal, pod, isSurplus: false });
  }

  async #deletePod(view: View, pod: PodView): Promise<void> {
    await this.#control.writer.delete("pods", pod);
    const message = `delete Pod ${pod.name} in StatefulSet ${view.name} successful`;
    this.#control.recorder.record(this.#control.subject(view), "Normal", "SuccessfulDelete", message);
  }

  async #writeStatus({ view, set, current, update }: Pass): Promise<void> {
    const now = this.#cluster.now();
    const { minReadySeconds = 0, replicas = 0 } = set.spec;
    const pods = [...this.#pods(view)].filter((pod) => !isFinished(pod));
    for (const pod of pods) {
      const at = minReadySeconds > 0 ? availableAt(pod, minReadySeconds) : undefined;
      if (at !== undefined && at > now) this.#loop.addAt(view.key, at);
    }
    const alive = pods.filter(({ isTerminating }) => !isTerminating);
    const ready = pods.filter(({ isReady, phase }) => isReady && phase === "Running");
    const updated = alive.filter((pod) => revisionOf(pod) === update.name).length;
    const isRolledOut = updated === replicas && pods.length === replicas && ready.length === replicas;
    const status: StatefulSetStatus = {
      ...set.status,
      observedGeneration: Number(set.metadata.generation ?? 0),
      replicas: pods.length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      currentReplicas: isRolledOut ? updated : alive.filter((pod) => revisionOf(pod) === current.name).length,
      updatedReplicas: updated,
      currentRevision: isRolledOut ? update.name : current.name,
      updateRevision: update.name,
      collisionCount: set.status.collisionCount ?? 0,
    };
    if (isDeepEqual(status, { ...emptyStatus, ...set.status })) return;
    await this.#control.writer.changePart("statefulsets.apps", view, (object) => {
      const { collisionCount = 0, conditions } = object.status;
      object.status = { ...status, collisionCount, conditions };
    });
  }
}

const emptyStatus = {
  replicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  currentReplicas: 0,
  updatedReplicas: 0,
  collisionCount: 0,
};

/** The revision that a rollout starts from: the current revision in the status, as long as it still exists. */
/** The ordinals that pods should have; `end` is the one after the last. */
function ordinalsOf({ spec: { replicas = 0, ordinals } }: StatefulSet): { first: number; end: number } {
  const first = ordinals?.start ?? 0;
  return { first, end: first + replicas };
}

function currentOf({ status }: StatefulSet, { update, all }: Revisions): Revision {
  return all.find(({ name }) => name === status.currentRevision) ?? update;
}

import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { Deployment, DeploymentStatus, ReplicaSet } from "../../apis/gen/apps-v1.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import type { SelectingView } from "../machinery/object-view.js";
import { adoptBy, claims, releaseFrom } from "../machinery/owners.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { conditionOf } from "../pods/conditions.js";
import { isFinished } from "../pods/pod-view.js";
import { makeSet, newestSetOf, SetAnnotations } from "./deployment-sets.js";
import {
  deploymentStatus,
  isComplete,
  rolloutStatus,
  setDeploymentCondition,
  stuckAt,
} from "./deployment-status.js";
import { messageOf, PodControl } from "./pod-control.js";
import { boundsOf, newSetReplicas, scaleDownOld, scaleInProportion } from "./rollout.js";

type View = SelectingView<Deployment>;

interface Sets {
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** Rolls deployments out by their replica sets. Source: Kubernetes' deployment controller. */
export class Deployments implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #loop: SyncLoop;
  readonly #annotations: SetAnnotations;
  /** What is to be said of a set that was just created. */
  readonly #created = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#control = new PodControl(cluster, "deployment-controller", {
      apiVersion: "apps/v1",
      kind: "Deployment",
    });
    this.#annotations = new SetAnnotations(
      cluster.domain,
      `kubectl.${cluster.domain}/last-applied-configuration`,
    );
    this.#loop = cluster.loop({ name: "deployment", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const deployments = views.selecting("deployments.apps");
    this.#loop.fedBy(
      deployments.onChange(({ key }) => this.#loop.add(key)),
      views.selecting("replicasets.apps").onChange(({ value, previous }) => {
        const set = value ?? previous;
        if (set?.controller?.kind === "Deployment") {
          this.#loop.addSoon(`${set.namespace}/${set.controller.name}`);
        } else if (set !== undefined && set.controller === undefined) {
          for (const owner of deployments.find("namespace", set.namespace)) {
            if (owner.selector.matches(set.labels)) this.#loop.addSoon(owner.key);
          }
        }
      }),
      // One that recreates its pods waits for the old ones to be gone.
      views.pods.onChange(({ value, previous }) => {
        if (value !== undefined || previous?.controller?.kind !== "ReplicaSet") return;
        const set = views
          .selecting("replicasets.apps")
          .get(`${previous.namespace}/${previous.controller.name}`);
        if (set?.controller?.kind === "Deployment") {
          this.#loop.addSoon(`${set.namespace}/${set.controller.name}`);
        }
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("deployments.apps").get(key);
    if (view === undefined) {
      this.#created.delete(key);
      return this.#loop.forget(key);
    }
    const deployment = view.stored.decode();
    const sets = (await this.#claim(view)).map(({ stored }) => stored.decode());
    if (view.isTerminating) return await this.#writeStatus(view, deployment, this.#divide(deployment, sets));
    const paused = await this.#notePause(view, deployment);
    if (paused || this.#isScaled(deployment, sets)) {
      const divided = await this.#withRevision(view, deployment, this.#divide(deployment, sets));
      await this.#scaleInProportion(view, deployment, divided);
      if (paused) await this.#cleanUp(deployment, divided.old);
      return await this.#writeStatus(view, deployment, this.#divide(deployment, this.#current(view)));
    }
    if (deployment.spec.strategy.type === "Recreate") await this.#recreate(view, deployment, sets);
    else await this.#roll(view, deployment, sets);
  }

  async #roll(view: View, deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { newest, old } = await this.#ensureNewest(view, deployment, sets);
    if (newest === undefined) return;
    // The set's own changes are on their way: the next pass tells of it, and of its pods, at once.
    if (!sets.some(({ metadata }) => metadata.uid === newest.metadata.uid)) {
      this.#loop.addSoon(view.key);
      return;
    }
    const bounds = boundsOf(deployment);
    const all = [newest, ...old].map((set) => this.#annotations.rolloutSet(set));
    const wanted = newSetReplicas(bounds, true, { wanted: newest.spec.replicas ?? 0 }, all);
    if (await this.#scale(view, deployment, newest, wanted)) return await this.#report(view);
    const steps = scaleDownOld(
      bounds,
      this.#annotations.rolloutSet(newest),
      old.map((set) => this.#annotations.rolloutSet(set)),
    );
    for (const { set, to } of steps) {
      const found = old.find(({ metadata }) => metadata.name === set.name);
      if (found !== undefined) await this.#scale(view, deployment, found, to);
    }
    if (isComplete(deployment, deployment.status)) await this.#cleanUp(deployment, old);
    await this.#report(view);
  }

  async #recreate(view: View, deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { old } = this.#divide(deployment, sets);
    let isScaled = false;
    for (const set of old) isScaled = (await this.#scale(view, deployment, set, 0)) || isScaled;
    if (isScaled || this.#hasRunningPods(old)) return await this.#report(view);
    const { newest } = await this.#ensureNewest(view, deployment, sets);
    if (newest === undefined) return;
    await this.#scale(view, deployment, newest, deployment.spec.replicas ?? 0);
    if (isComplete(deployment, deployment.status)) await this.#cleanUp(deployment, old);
    await this.#report(view);
  }

  #hasRunningPods(sets: readonly ReplicaSet[]): boolean {
    return sets.some(({ metadata }) =>
      [...this.#cluster.views.pods.find("controller", metadata.uid ?? "")].some((pod) => !isFinished(pod)),
    );
  }

  /** A deployment that has only been scaled is not rolled out. */
  #isScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
    return sets
      .filter(({ spec }) => (spec.replicas ?? 0) > 0)
      .some((set) => {
        const desired = this.#annotations.desiredOf(set);
        return desired !== undefined && desired !== (deployment.spec.replicas ?? 0);
      });
  }

  #divide(deployment: Deployment, sets: readonly ReplicaSet[]): Sets {
    const newest = newestSetOf(deployment, sets);
    return { newest, old: sets.filter((set) => set !== newest) };
  }

  #current(view: View): ReplicaSet[] {
    const sets = this.#cluster.views.selecting("replicasets.apps");
    return [...sets.find("controller", view.uid)].map(({ stored }) => stored.decode());
  }

  async #claim(owner: View): Promise<readonly SelectingView<ReplicaSet>[]> {
    const sets = this.#cluster.views.selecting("replicasets.apps");
    const candidates = () => [
      ...sets.find("controller", owner.uid),
      ...sets.find("controller", `orphan/${owner.namespace}`),
    ];
    const { owned, adopt, release } = claims(owner, candidates());
    if (adopt.length === 0 && release.length === 0) return owned;
    const { writer } = this.#control;
    const reference = this.#control.reference(owner);
    for (const set of adopt) await writer.change("replicasets.apps", set, adoptBy(reference));
    for (const set of release) await writer.change("replicasets.apps", set, releaseFrom(owner.uid));
    return claims(owner, candidates()).owned;
  }

  async #ensureNewest(view: View, deployment: Deployment, sets: readonly ReplicaSet[]): Promise<Sets> {
    const divided = this.#divide(deployment, sets);
    if (divided.newest !== undefined) return await this.#withRevision(view, deployment, divided);
    const set = makeSet(deployment);
    const isRolling = deployment.spec.strategy.type !== "Recreate";
    const old = divided.old.map((each) => this.#annotations.rolloutSet(each));
    set.spec.replicas = newSetReplicas(boundsOf(deployment), isRolling, { wanted: 0 }, old);
    set.metadata.ownerReferences = [this.#control.reference(view)];
    const revision = Math.max(0, ...divided.old.map((each) => this.#annotations.revisionOf(each))) + 1;
    set.metadata.annotations = this.#annotations.described(set, deployment, revision);
    const name = set.metadata.name ?? "";
    const { replicas } = set.spec;
    try {
      const stored = await this.#control.writer.create("replicasets.apps", view.namespace, set);
      // Stored with the next status.
      this.#created.set(view.key, `Created new replica set "${name}"`);
      if (replicas > 0) this.#tellScaled(view, "up", name, replicas);
      await this.#noteRevision(view, deployment, revision);
      return { newest: stored.decode(), old: divided.old };
    } catch (error) {
      if (isStatus(error, "AlreadyExists")) {
        await this.#control.writer.changePart("deployments.apps", view, ({ status }) => {
          status.collisionCount = (status.collisionCount ?? 0) + 1;
        });
      } else {
        await this.#setProgress(view, false, "ReplicaSetCreateError", messageOf(error));
        this.#control.recorder.record(
          this.#control.subject(view),
          "Warning",
          "ReplicaSetCreateError",
          `Failed to create new replica set "${name}": ${messageOf(error)}`,
        );
      }
      throw error;
    }
  }

  /** Keeps the annotations of the newest set right, and the revision of the deployment. */
  async #withRevision(view: View, deployment: Deployment, sets: Sets): Promise<Sets> {
    const { newest, old } = sets;
    if (newest === undefined) return sets;
    const others = Math.max(0, ...old.map((set) => this.#annotations.revisionOf(set)));
    const revision = Math.max(others + 1, this.#annotations.revisionOf(newest));
    const { minReadySeconds } = deployment.spec;
    const described = this.#annotations.described(newest, deployment, revision);
    const isSame = isDeepEqual(described, newest.metadata.annotations ?? {});
    let current = newest;
    if (!isSame || (newest.spec.minReadySeconds ?? 0) !== (minReadySeconds ?? 0)) {
      const target = {
        namespace: view.namespace,
        name: newest.metadata.name ?? "",
        uid: newest.metadata.uid,
      };
      const stored = await this.#control.writer.change("replicasets.apps", target, (set) => {
        set.metadata.annotations = this.#annotations.described(set, deployment, revision);
        set.spec.minReadySeconds = minReadySeconds;
      });
      current = stored?.decode() ?? newest;
    }
    await this.#noteRevision(view, deployment, this.#annotations.revisionOf(current));
    const isTold = this.#created.has(view.key);
    if (!isTold && conditionOf(deployment.status.conditions, "Progressing") === undefined) {
      const name = current.metadata.name ?? "";
      await this.#setProgress(view, true, "FoundNewReplicaSet", `Found new replica set "${name}"`);
    }
    return { newest: current, old };
  }

  async #noteRevision(view: View, { metadata }: Deployment, revision: number): Promise<void> {
    const { revision: key } = this.#annotations;
    if (metadata.annotations?.[key] === String(revision)) return;
    await this.#control.writer.change("deployments.apps", view, (deployment) => {
      deployment.metadata.annotations = { ...deployment.metadata.annotations, [key]: String(revision) };
    });
  }

  async #setProgress(view: View, isTrue: boolean, reason: string, message: string): Promise<void> {
    const now = this.#cluster.now();
    await this.#control.writer.changePart("deployments.apps", view, ({ spec, status }) => {
      if (spec.progressDeadlineSeconds === undefined) return;
      const wanted = { type: "Progressing", status: isTrue ? "True" : "False", reason, message };
      status.conditions = setDeploymentCondition(status.conditions, wanted, now);
    });
  }

  /** Whether it is paused; says in the status when that begins and ends. */
  async #notePause(view: View, { spec, status }: Deployment): Promise<boolean> {
    const paused = spec.paused ?? false;
    const condition = conditionOf(status.conditions, "Progressing");
    const isNoted = condition?.reason === "DeploymentPaused";
    const isLate = condition?.reason === "ProgressDeadlineExceeded";
    if (spec.progressDeadlineSeconds === undefined || isLate || paused === isNoted) return paused;
    const now = this.#cluster.now();
    const [reason, message] = paused
      ? ["DeploymentPaused", "Deployment is paused"]
      : ["DeploymentResumed", "Deployment is resumed"];
    await this.#control.writer.changePart("deployments.apps", view, (deployment) => {
      const wanted = { type: "Progressing", status: "Unknown", reason, message };
      deployment.status.conditions = setDeploymentCondition(deployment.status.conditions, wanted, now);
    });
    return paused;
  }

  async #scaleInProportion(view: View, deployment: Deployment, { newest, old }: Sets): Promise<void> {
    const isRolling = deployment.spec.strategy.type !== "Recreate";
    const steps = scaleInProportion(
      boundsOf(deployment),
      isRolling,
      newest && this.#annotations.rolloutSet(newest),
      old.map((set) => this.#annotations.rolloutSet(set)),
    );
    const all = newest === undefined ? old : [newest, ...old];
    for (const set of all) {
      const step = steps.find(({ set: { name } }) => name === set.metadata.name);
      const isActive = (set.spec.replicas ?? 0) > 0;
      if (step !== undefined) await this.#scale(view, deployment, set, step.to);
      else if (isActive) await this.#noteSizes(view, deployment, set);
    }
  }

  async #noteSizes(view: View, deployment: Deployment, set: ReplicaSet): Promise<void> {
    if (this.#annotations.desiredOf(set) === (deployment.spec.replicas ?? 0)) return;
    const target = { namespace: view.namespace, name: set.metadata.name ?? "", uid: set.metadata.uid };
    await this.#control.writer.change("replicasets.apps", target, (object) =>
      this.#annotations.sizes(object, deployment),
    );
  }

  async #scale(view: View, deployment: Deployment, set: ReplicaSet, to: number): Promise<boolean> {
    const from = set.spec.replicas ?? 0;
    if (from === to) return false;
    const name = set.metadata.name ?? "";
    const target = { namespace: view.namespace, name, uid: set.metadata.uid };
    await this.#control.writer.change("replicasets.apps", target, (object) => {
      object.spec.replicas = to;
      this.#annotations.sizes(object, deployment);
    });
    this.#tellScaled(view, to > from ? "up" : "down", name, to);
    return true;
  }

  #tellScaled(view: View, way: "up" | "down", name: string, to: number): void {
    this.#control.recorder.record(
      this.#control.subject(view),
      "Normal",
      "ScalingReplicaSet",
      `Scaled ${way} replica set ${name} to ${to}`,
    );
  }

  /** Removes the oldest sets without pods, beyond as many as the deployment keeps to roll back to. */
  async #cleanUp({ spec }: Deployment, old: readonly ReplicaSet[]): Promise<void> {
    const limit = spec.revisionHistoryLimit;
    if (limit === undefined || limit === 2 ** 31 - 1) return;
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const surplus = alive
      .sort((a, b) => this.#annotations.revisionOf(a) - this.#annotations.revisionOf(b))
      .slice(0, Math.max(0, alive.length - limit));
    for (const { metadata, spec: wanted, status } of surplus) {
      const isUsed = status.replicas !== 0 || (wanted.replicas ?? 0) !== 0;
      const isSeen = Number(status.observedGeneration ?? 0) >= Number(metadata.generation ?? 0);
      if (isUsed || !isSeen) continue;
      const target = { namespace: metadata.namespace ?? "", name: metadata.name ?? "", uid: metadata.uid };
      await this.#control.writer.delete("replicasets.apps", target);
    }
  }

  /** The status of a rollout, of what is stored by now. */
  async #report(view: View): Promise<void> {
    const current = this.#cluster.views.selecting("deployments.apps").get(view.key);
    if (current === undefined) return;
    const deployment = current.stored.decode();
    const { newest, old } = this.#divide(deployment, this.#current(view));
    const all = newest === undefined ? old : [...old, newest];
    const now = this.#cluster.now();
    const message = this.#created.get(view.key);
    if (message !== undefined && deployment.spec.progressDeadlineSeconds !== undefined) {
      const wanted = { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message };
      deployment.status.conditions = setDeploymentCondition(deployment.status.conditions, wanted, now);
    }
    this.#created.delete(view.key);
    const status = deploymentStatus(deployment, newest, all, now);
    await this.#store(current, deployment, rolloutStatus(deployment, status, newest, all, now));
  }

  async #writeStatus(view: View, _deployment: Deployment, { newest, old }: Sets): Promise<void> {
    const current = this.#cluster.views.selecting("deployments.apps").get(view.key);
    if (current === undefined) return;
    const deployment = current.stored.decode();
    const all = newest === undefined ? old : [...old, newest];
    await this.#store(current, deployment, deploymentStatus(deployment, newest, all, this.#cluster.now()));
  }

  async #store(view: View, deployment: Deployment, status: DeploymentStatus): Promise<void> {
    const at = stuckAt(deployment, status);
    if (at !== undefined) this.#loop.addAt(view.key, at);
    const { status: before } = deployment;
    const counted = {
      ...before,
      observedGeneration: Number(before.observedGeneration ?? 0),
      replicas: before.replicas ?? 0,
      updatedReplicas: before.updatedReplicas ?? 0,
      readyReplicas: before.readyReplicas ?? 0,
      availableReplicas: before.availableReplicas ?? 0,
      unavailableReplicas: before.unavailableReplicas ?? 0,
    };
    if (isDeepEqual(counted, status)) return;
    await this.#control.writer.changePart("deployments.apps", view, (object) => {
      object.status = { ...status, collisionCount: object.status.collisionCount };
    });
  }
}

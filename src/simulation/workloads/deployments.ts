import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { Deployment, DeploymentStatus, ReplicaSet } from "../../apis/gen/apps-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import { adoptBy, claims, releaseFrom } from "../machinery/owners.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { conditionOf, mergedConditions } from "../pods/conditions.js";
import { isFinished } from "../pods/pod-view.js";
import { type DeploymentView, type DividedSets, divide, SetAnnotations } from "./deployment-sets.js";
import {
  deadlineOf,
  deploymentStatus,
  isComplete,
  rolloutStatus,
  setDeploymentCondition,
  stuckAt,
} from "./deployment-status.js";
import { NewestSets } from "./newest-sets.js";
import { PodControl } from "./pod-control.js";
import { boundsOf, newSetReplicas, scaleDownOld } from "./rollout.js";
import { SetScaling } from "./set-scaling.js";

/** Rolls deployments out by their replica sets. Source: Kubernetes' deployment controller. */
export class Deployments implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #loop: SyncLoop;
  readonly #annotations: SetAnnotations;
  readonly #scaling: SetScaling;
  readonly #newest: NewestSets;

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
    this.#scaling = new SetScaling(this.#control, this.#annotations);
    this.#newest = new NewestSets(cluster, this.#control, this.#annotations, this.#scaling);
    this.#loop = cluster.loop({ name: "deployment", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const deployments = views.selecting("deployments.apps");
    this.#loop.fedBy(
      deployments.onChange(({ key }) => this.#loop.add(key)),
      views.selecting("replicasets.apps").onChange(({ value, previous }) => {
        const set = value ?? previous;
        if (set === undefined || this.#addOwner(set) || set.controller !== undefined) return;
        for (const owner of deployments.find("namespace", set.namespace)) {
          if (owner.selector.matches(set.labels)) this.#loop.addSoon(owner.key);
        }
      }),
      // A deployment that recreates its pods waits until the old ones are gone.
      views.pods.onChange(({ value, previous }) => {
        if (value !== undefined || previous?.controller?.kind !== "ReplicaSet") return;
        const { namespace, controller } = previous;
        const set = views.selecting("replicasets.apps").get(`${namespace}/${controller.name}`);
        if (set !== undefined) this.#addOwner(set);
      }),
    );
  }

  /** False: no deployment controls the set. */
  #addOwner({ namespace, controller }: SelectingView<ReplicaSet>): boolean {
    if (controller?.kind !== "Deployment") return false;
    this.#loop.addSoon(`${namespace}/${controller.name}`);
    return true;
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("deployments.apps").get(key);
    if (view === undefined) {
      this.#newest.takeCreated(key);
      return this.#loop.forget(key);
    }
    const deployment = view.stored.decode();
    const sets = (await this.#claim(view)).map(({ stored }) => stored.decode());
    if (view.isTerminating) return await this.#writeStatus(view, divide(deployment, sets));
    const paused = await this.#notePause(view, deployment);
    if (paused || this.#isScaled(deployment, sets)) {
      const divided = await this.#newest.withRevision(view, deployment, divide(deployment, sets));
      await this.#scaling.scaleInProportion(view, deployment, divided);
      if (paused) await this.#scaling.cleanUp(deployment, divided.old);
      return await this.#writeStatus(view, divide(deployment, this.#current(view)));
    }
    if (deployment.spec.strategy.type === "Recreate") await this.#recreate(view, deployment, sets);
    else await this.#roll(view, deployment, sets);
  }

  async #roll(view: DeploymentView, deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { newest, old } = await this.#newest.ensure(view, deployment, sets);
    if (newest === undefined) return;
    // The set's own change arrives soon: the next pass then reports it and its pods together.
    if (!sets.some(({ metadata }) => metadata.uid === newest.metadata.uid)) {
      this.#loop.addSoon(view.key);
      return;
    }
    const bounds = boundsOf(deployment);
    const all = [newest, ...old].map((set) => this.#annotations.rolloutSet(set));
    const wanted = newSetReplicas(bounds, true, { wanted: newest.spec.replicas ?? 0 }, all);
    if (await this.#scaling.scale(view, deployment, newest, wanted)) return await this.#report(view);
    const steps = scaleDownOld(
      bounds,
      this.#annotations.rolloutSet(newest),
      old.map((set) => this.#annotations.rolloutSet(set)),
    );
    for (const { set, to } of steps) {
      const found = old.find(({ metadata }) => metadata.name === set.name);
      if (found !== undefined) await this.#scaling.scale(view, deployment, found, to);
    }
    if (isComplete(deployment, deployment.status)) await this.#scaling.cleanUp(deployment, old);
    await this.#report(view);
  }

  async #recreate(view: DeploymentView, deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { old } = divide(deployment, sets);
    let isScaled = false;
    for (const set of old) isScaled = (await this.#scaling.scale(view, deployment, set, 0)) || isScaled;
    if (isScaled || this.#hasRunningPods(old)) return await this.#report(view);
    const { newest } = await this.#newest.ensure(view, deployment, sets);
    if (newest === undefined) return;
    await this.#scaling.scale(view, deployment, newest, deployment.spec.replicas ?? 0);
    if (isComplete(deployment, deployment.status)) await this.#scaling.cleanUp(deployment, old);
    await this.#report(view);
  }

  #hasRunningPods(sets: readonly ReplicaSet[]): boolean {
    return sets.some(({ metadata }) =>
      [...this.#cluster.views.pods.find("controller", metadata.uid ?? "")].some((pod) => !isFinished(pod)),
    );
  }

  /** Whether the deployment was scaled: that alone does not begin a rollout. */
  #isScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
    return sets
      .filter(({ spec }) => (spec.replicas ?? 0) > 0)
      .some((set) => {
        const desired = this.#annotations.desiredOf(set);
        return desired !== undefined && desired !== (deployment.spec.replicas ?? 0);
      });
  }

  #current(view: DeploymentView): ReplicaSet[] {
    const sets = this.#cluster.views.selecting("replicasets.apps");
    return [...sets.find("controller", view.uid)].map(({ stored }) => stored.decode());
  }

  async #claim(owner: DeploymentView): Promise<readonly SelectingView<ReplicaSet>[]> {
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

  /** Whether it is paused; records in the status when that begins and ends. */
  async #notePause(view: DeploymentView, { spec, status }: Deployment): Promise<boolean> {
    const paused = spec.paused ?? false;
    const condition = conditionOf(status.conditions, "Progressing");
    const isNoted = condition?.reason === "DeploymentPaused";
    const isLate = condition?.reason === "ProgressDeadlineExceeded";
    if (deadlineOf({ spec }) === undefined || isLate || paused === isNoted) return paused;
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

  async #report(view: DeploymentView): Promise<void> {
    const current = this.#cluster.views.selecting("deployments.apps").get(view.key);
    if (current === undefined) return;
    const deployment = current.stored.decode();
    const { newest, old } = divide(deployment, this.#current(view));
    const all = newest === undefined ? old : [...old, newest];
    const now = this.#cluster.now();
    const message = this.#newest.takeCreated(view.key);
    let told = deployment;
    if (message !== undefined && deadlineOf(deployment) !== undefined) {
      const wanted = { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message };
      const conditions = setDeploymentCondition(deployment.status.conditions, wanted, now);
      told = { ...deployment, status: { ...deployment.status, conditions } };
    }
    const counted = deploymentStatus(told, newest, all, now);
    const status = rolloutStatus(told, counted, newest, all, now);
    const at = stuckAt(deployment, status);
    if (at !== undefined) this.#loop.addAt(view.key, at);
    await this.#store(current, deployment, status);
  }

  async #writeStatus(view: DeploymentView, { newest, old }: DividedSets): Promise<void> {
    const current = this.#cluster.views.selecting("deployments.apps").get(view.key);
    if (current === undefined) return;
    const deployment = current.stored.decode();
    const all = newest === undefined ? old : [...old, newest];
    await this.#store(current, deployment, deploymentStatus(deployment, newest, all, this.#cluster.now()));
  }

  async #store(view: DeploymentView, deployment: Deployment, status: DeploymentStatus): Promise<void> {
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
      const { collisionCount, conditions: newest } = object.status;
      const conditions = mergedConditions(newest, before.conditions, status.conditions);
      object.status = { ...status, collisionCount, conditions };
    });
  }
}

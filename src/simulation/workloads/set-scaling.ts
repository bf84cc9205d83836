import type { Deployment, ReplicaSet } from "../../apis/gen/apps-v1.js";
import type { DeploymentView, DividedSets, SetAnnotations } from "./deployment-sets.js";
import type { PodControl } from "./pod-control.js";
import { boundsOf, scaleInProportion } from "./rollout.js";

/** Sets the sizes of a deployment's replica sets, and removes those that are no longer needed. */
export class SetScaling {
  readonly #control: PodControl;
  readonly #annotations: SetAnnotations;

  constructor(control: PodControl, annotations: SetAnnotations) {
    this.#control = control;
    this.#annotations = annotations;
  }

  /** Returns whether the size changed. */
  async scale(view: DeploymentView, deployment: Deployment, set: ReplicaSet, to: number): Promise<boolean> {
    const from = set.spec.replicas ?? 0;
    if (from === to) return false;
    const name = set.metadata.name ?? "";
    const target = { namespace: view.namespace, name, uid: set.metadata.uid };
    await this.#control.writer.change("replicasets.apps", target, (object) => {
      object.spec.replicas = to;
      this.#annotations.sizes(object, deployment);
    });
    this.tellScaled(view, to > from ? "up" : "down", name, to);
    return true;
  }

  tellScaled(view: DeploymentView, way: "up" | "down", name: string, to: number): void {
    this.#control.recorder.record(
      this.#control.subject(view),
      "Normal",
      "ScalingReplicaSet",
      `Scaled ${way} replica set ${name} to ${to}`,
    );
  }

  async scaleInProportion(
    view: DeploymentView,
    deployment: Deployment,
    { newest, old }: DividedSets,
  ): Promise<void> {
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
      if (step !== undefined) await this.scale(view, deployment, set, step.to);
      else if (isActive) await this.#noteSizes(view, deployment, set);
    }
  }

  async #noteSizes(view: DeploymentView, deployment: Deployment, set: ReplicaSet): Promise<void> {
    if (this.#annotations.desiredOf(set) === (deployment.spec.replicas ?? 0)) return;
    const target = { namespace: view.namespace, name: set.metadata.name ?? "", uid: set.metadata.uid };
    await this.#control.writer.change("replicasets.apps", target, (object) =>
      this.#annotations.sizes(object, deployment),
    );
  }

  /** Removes the oldest sets without pods, beyond the number that the deployment keeps for rollbacks. */
  async cleanUp({ spec }: Deployment, old: readonly ReplicaSet[]): Promise<void> {
    const limit = spec.revisionHistoryLimit;
    if (limit === undefined || limit === 2 ** 31 - 1) return;
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const surplus = alive
      .sort((a, b) => Number(this.#annotations.revisionOf(a) - this.#annotations.revisionOf(b)))
      .slice(0, Math.max(0, alive.length - limit));
    for (const { metadata, spec: wanted, status } of surplus) {
      const isUsed = status.replicas !== 0 || (wanted.replicas ?? 0) !== 0;
      const isSeen = Number(status.observedGeneration ?? 0) >= Number(metadata.generation ?? 0);
      if (isUsed || !isSeen) continue;
      const target = { namespace: metadata.namespace ?? "", name: metadata.name ?? "", uid: metadata.uid };
      await this.#control.writer.delete("replicasets.apps", target);
    }
  }
}

import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { Deployment, ReplicaSet } from "../../apis/gen/apps-v1.js";
import type { Cluster } from "../pods/cluster.js";
import { conditionOf } from "../pods/conditions.js";
import {
  type DeploymentView,
  type DividedSets,
  divide,
  makeSet,
  type SetAnnotations,
} from "./deployment-sets.js";
import { deadlineOf, setDeploymentCondition } from "./deployment-status.js";
import type { PodControl } from "./pod-control.js";
import { boundsOf, newSetReplicas } from "./rollout.js";
import type { SetScaling } from "./set-scaling.js";

/** The replica set of a deployment's present template: created if there is none, with the revision after those of the others. */
export class NewestSets {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #annotations: SetAnnotations;
  readonly #scaling: SetScaling;
  /** The messages about sets that were just created, by the key of their deployment. */
  readonly #created = new Map<string, string>();

  constructor(cluster: Cluster, control: PodControl, annotations: SetAnnotations, scaling: SetScaling) {
    this.#cluster = cluster;
    this.#control = control;
    this.#annotations = annotations;
    this.#scaling = scaling;
  }

  /** The message about a set that was created since the last call. */
  takeCreated(key: string): string | undefined {
    const message = this.#created.get(key);
    this.#created.delete(key);
    return message;
  }

  async ensure(
    view: DeploymentView,
    deployment: Deployment,
    sets: readonly ReplicaSet[],
  ): Promise<DividedSets> {
    const divided = divide(deployment, sets);
    if (divided.newest !== undefined) return await this.withRevision(view, deployment, divided);
    const set = makeSet(deployment);
    const isRolling = deployment.spec.strategy.type !== "Recreate";
    const old = divided.old.map((each) => this.#annotations.rolloutSet(each));
    set.spec.replicas = newSetReplicas(boundsOf(deployment), isRolling, { wanted: 0 }, old);
    set.metadata.ownerReferences = [this.#control.reference(view)];
    const revision = this.#annotations.latestRevision(divided.old) + 1n;
    set.metadata.annotations = this.#annotations.described(set, deployment, revision);
    const name = set.metadata.name ?? "";
    const { replicas } = set.spec;
    try {
      const stored = await this.#control.writer.create("replicasets.apps", view.namespace, set);
      // Stored with the next write of the status.
      this.#created.set(view.key, `Created new replica set "${name}"`);
      if (replicas > 0) this.#scaling.tellScaled(view, "up", name, replicas);
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

  /** Keeps the newest set's annotations up to date, and the deployment's revision. */
  async withRevision(view: DeploymentView, deployment: Deployment, sets: DividedSets): Promise<DividedSets> {
    const { newest, old } = sets;
    if (newest === undefined) return sets;
    const own = this.#annotations.revisionOf(newest);
    const next = this.#annotations.latestRevision(old) + 1n;
    const revision = own > next ? own : next;
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

  async #noteRevision(view: DeploymentView, { metadata }: Deployment, revision: bigint): Promise<void> {
    const { revision: key } = this.#annotations;
    if (metadata.annotations?.[key] === String(revision)) return;
    await this.#control.writer.change("deployments.apps", view, (deployment) => {
      deployment.metadata.annotations = { ...deployment.metadata.annotations, [key]: String(revision) };
    });
  }

  async #setProgress(view: DeploymentView, isTrue: boolean, reason: string, message: string): Promise<void> {
    const now = this.#cluster.now();
    await this.#control.writer.changePart("deployments.apps", view, ({ spec, status }) => {
      if (deadlineOf({ spec }) === undefined) return;
      const wanted = { type: "Progressing", status: isTrue ? "True" : "False", reason, message };
      status.conditions = setDeploymentCondition(status.conditions, wanted, now);
    });
  }
}

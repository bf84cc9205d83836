import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import { LabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { ReplicaSet } from "../../apis/gen/apps-v1.js";
import type { PodTemplateSpec, ReplicationController } from "../../apis/gen/core-v1.js";
import { type SelectingView, viewOf } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import type { View } from "../pods/cluster-views.js";
import { conditionOf, mergedConditions, withCondition, withoutCondition } from "../pods/conditions.js";
import { availableAt, isActive, isAvailable, isFinished, type PodView } from "../pods/pod-view.js";
import { deletionOrder } from "./deletion-order.js";
import { followPods } from "./pod-changes.js";
import { PodControl } from "./pod-control.js";

type Replicated = ReplicaSet | ReplicationController;
type Resource = "replicasets.apps" | "replicationcontrollers";

/** The most pods that one pass creates or deletes. */
const burstMax = 500;

/** Maintains the number of pods that a ReplicaSet, or a ReplicationController, wants. Source: Kubernetes' replicaset controller. */
export class ReplicaSets implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #resource: Resource;
  readonly #control: PodControl;
  readonly #loop: SyncLoop;
  readonly #sets: View<SelectingView<Replicated>>;
  readonly #failures = new Map<string, { readonly reason: string; readonly message: string }>();

  constructor(cluster: Cluster, resource: Resource) {
    this.#cluster = cluster;
    this.#resource = resource;
    const isSet = resource === "replicasets.apps";
    this.#control = new PodControl(
      cluster,
      isSet ? "replicaset-controller" : "replication-controller",
      isSet
        ? { apiVersion: "apps/v1", kind: "ReplicaSet" }
        : { apiVersion: "v1", kind: "ReplicationController" },
    );
    this.#sets = isSet
      ? cluster.views.selecting("replicasets.apps")
      : cluster.views.view("replicationcontrollers", (stored) => {
          const controller = stored.decode();
          const labels = Object.entries(controller.spec.selector ?? {});
          const selector = LabelSelector.of(
            labels.map(([key, value]) => ({ key, operator: "=", values: [value] })),
          );
          return { ...viewOf(stored, controller), selector };
        });
    this.#loop = cluster.loop({
      name: isSet ? "replicaset" : "replicationmanager",
      sync: (key) => this.#sync(key),
    });
  }

  start(): void {
    this.#loop.fedBy(
      this.#sets.onChange(({ key }) => this.#loop.add(key)),
      followPods(this.#cluster.views.pods, {
        kind: this.#control.kind.kind,
        owners: this.#sets,
        changed: (key) => this.#loop.addSoon(key),
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#loop.forget(key);
      this.#failures.delete(key);
      return;
    }
    const { spec } = set.stored.decode();
    const owned = await this.#control.claim(set);
    if (!set.isTerminating) {
      const isDone = await this.#manage(set, owned.filter(isActive), spec);
      await this.#writeStatus(set, [...this.#cluster.views.pods.find("controller", set.uid)]);
      if (!isDone) throw new Error(`${key}: ${this.#failures.get(key)?.message ?? "not done yet"}`);
      return;
    }
    await this.#writeStatus(set, owned);
  }

  async #manage(
    set: SelectingView<Replicated>,
    pods: readonly PodView[],
    { replicas = 0, template }: { replicas?: number | undefined; template?: PodTemplateSpec | undefined },
  ): Promise<boolean> {
    const missing = replicas - pods.length;
    try {
      if (missing > 0) {
        await this.#control.createMany(set, Math.min(missing, burstMax), () =>
          this.#control.podOf(set, template ?? { metadata: {}, spec: {} }),
        );
      } else if (missing < 0) {
        const annotation = `controller.${this.#cluster.domain}/pod-deletion-cost`;
        const order = deletionOrder(pods, this.#related(set), annotation);
        const surplus = order.slice(0, Math.min(-missing, burstMax));
        await this.#control.deleteMany(set, surplus);
      }
      this.#failures.delete(set.key);
      if (Math.abs(missing) > burstMax) this.#loop.addSoon(set.key);
      return true;
    } catch (error) {
      if (isStatus(error, "NotFound")) return true;
      const reason = missing > 0 ? "FailedCreate" : "FailedDelete";
      this.#failures.set(set.key, { reason, message: messageOf(error) });
      return false;
    }
  }

  /** The active pods of the set, and of all sets of its deployment. */
  *#related(set: SelectingView<Replicated>): Generator<PodView> {
    const { uid } = set.controller ?? {};
    const sets = uid === undefined ? [set] : this.#sets.find("controller", uid);
    for (const each of sets) {
      for (const pod of this.#cluster.views.pods.find("controller", each.uid)) if (isActive(pod)) yield pod;
    }
  }

  get #countsTerminating(): boolean {
    const gate = "DeploymentReplicaSetTerminatingReplicas";
    return this.#resource === "replicasets.apps" && this.#cluster.context.isEnabled(gate);
  }

  async #writeStatus(set: SelectingView<Replicated>, owned: readonly PodView[]): Promise<void> {
    const pods = owned.filter(isActive);
    const now = this.#cluster.now();
    const { metadata, spec, status: before } = set.stored.decode();
    const { minReadySeconds = 0, template } = spec;
    const templateLabels = Object.entries(template?.metadata?.labels ?? {});
    const isLabelled = ({ labels }: PodView) =>
      templateLabels.every(([name, value]) => labels[name] === value);
    const available = pods.filter((pod) => isAvailable(pod, minReadySeconds, now));
    for (const pod of pods) {
      const at = minReadySeconds > 0 ? availableAt(pod, minReadySeconds) : undefined;
      if (at !== undefined && at > now) this.#loop.addAt(set.key, at);
    }
    const failure = this.#failures.get(set.key);
    const had = conditionOf(before.conditions, "ReplicaFailure");
    let { conditions } = before;
    if (failure !== undefined && had === undefined) {
      conditions = withCondition(conditions, { type: "ReplicaFailure", status: "True", ...failure }, now);
    } else if (failure === undefined && had !== undefined) {
      conditions = withoutCondition(conditions, "ReplicaFailure");
    }
    const counts = {
      replicas: pods.length,
      fullyLabeledReplicas: pods.filter(isLabelled).length,
      readyReplicas: pods.filter(({ isReady }) => isReady).length,
      availableReplicas: available.length,
    };
    const terminating = owned.filter((pod) => pod.isTerminating && !isFinished(pod)).length;
    const later = this.#countsTerminating && { terminatingReplicas: terminating };
    const wanted = { ...counts, ...later, observedGeneration: Number(metadata.generation ?? 0), conditions };
    const known = {
      replicas: before.replicas,
      fullyLabeledReplicas: before.fullyLabeledReplicas ?? 0,
      readyReplicas: before.readyReplicas ?? 0,
      availableReplicas: before.availableReplicas ?? 0,
      ...(this.#countsTerminating && { terminatingReplicas: terminatingOf(before) }),
      observedGeneration: Number(before.observedGeneration ?? 0),
      conditions: before.conditions,
    };
    if (isDeepEqual(wanted, known)) return;
    await this.#control.writer.changePart(this.#resource, set, ({ status }) => {
      Object.assign(status, {
        ...wanted,
        conditions: mergedConditions(status.conditions, before.conditions, conditions),
      });
    });
  }
}

function terminatingOf(status: Replicated["status"]): number | undefined {
  return "terminatingReplicas" in status ? status.terminatingReplicas : undefined;
}

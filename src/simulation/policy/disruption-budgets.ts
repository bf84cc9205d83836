import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { Condition } from "../../apis/gen/meta-v1.js";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "../../apis/gen/policy-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { EventSubject } from "../machinery/event-writer.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { withCondition } from "../pods/conditions.js";
import { isFinished, type PodView } from "../pods/pod-view.js";

type View = SelectingView<PodDisruptionBudget>;

/** An evicted pod that is still there after this time counts as staying. */
const evictionMs = 120_000;

const syncFailed = "SyncFailed";

/** Kinds of owners without a scale, with their resources. */
const unscalableKinds: Readonly<Record<string, string>> = {
  "apps/v1/DaemonSet": "daemonsets.apps",
  "batch/v1/Job": "jobs.batch",
  "v1/Node": "nodes",
};

/** Counts how many pods each disruption budget lets go. Source: Kubernetes' disruption controller. */
export class DisruptionBudgets implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("disruption-controller");
    this.#recorder = cluster.recorder("controllermanager");
    this.#loop = cluster.loop({ name: "disruption", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const budgets = views.selecting("poddisruptionbudgets.policy");
    const concern = (namespace: string, labels?: Readonly<Record<string, string>>): void => {
      for (const { key, selector } of budgets.find("namespace", namespace)) {
        if (labels === undefined || selector.matches(labels)) this.#loop.addSoon(key);
      }
    };
    this.#loop.fedBy(
      budgets.onChange(({ key }) => this.#loop.add(key)),
      views.pods.onChange(({ value, previous }) => {
        for (const pod of [value, previous]) if (pod !== undefined) concern(pod.namespace, pod.labels);
      }),
      views.selecting("deployments.apps").onChange(({ value }) => value && concern(value.namespace)),
      views.selecting("statefulsets.apps").onChange(({ value }) => value && concern(value.namespace)),
      views.of("replicationcontrollers").onChange(({ value }) => value && concern(value.namespace)),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("poddisruptionbudgets.policy").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    const budget = view.stored.decode();
    if (this.#podsOf(view, budget).length === 0) {
      this.#recorder.record(subjectOf(view), "Normal", "NoPods", "No matching pods found");
    }
    const wanted = this.#status(view, budget);
    const failure = wanted.conditions?.find(({ reason }) => reason === syncFailed)?.message;
    if (failure !== undefined) {
      const message = `Failed to calculate the number of expected pods: ${failure}`;
      this.#recorder.record(subjectOf(view), "Warning", "CalculateExpectedPodCountFailed", message);
    }
    if (isDeepEqual(wanted, budget.status)) return;
    await this.#writer.changePart("poddisruptionbudgets.policy", view, (object) => {
      object.status = this.#status(view, object);
    });
  }

  #status(view: View, { metadata, spec, status }: PodDisruptionBudget): PodDisruptionBudgetStatus {
    const now = this.#cluster.now();
    const pods = this.#podsOf(view, { spec });
    const unscalable = isRelative(spec)
      ? pods.map(unscalableOwner).find((owner) => owner !== undefined)
      : undefined;
    if (unscalable !== undefined) {
      const message = `${unscalable} does not implement the scale subresource`;
      const told = { isAllowed: false, reason: syncFailed, message };
      const conditions = withAllowed(status.conditions, told, Number(status.observedGeneration ?? 0), now);
      return { ...status, disruptionsAllowed: 0, conditions };
    }
    const { expected, desired } = this.#wanted(spec, pods);
    const disruptedPods: Record<string, string> = {};
    for (const [name, text] of Object.entries(status.disruptedPods ?? {})) {
      const at = (timeMs(text) ?? 0) + evictionMs;
      const pod = this.#cluster.views.pods.get(`${view.namespace}/${name}`);
      if (pod === undefined || pod.isTerminating || at <= now) continue;
      disruptedPods[name] = text;
      this.#loop.addAt(view.key, at);
    }
    const healthy = pods.filter(
      ({ isReady, isTerminating, name }) => isReady && !isTerminating && disruptedPods[name] === undefined,
    ).length;
    const disruptionsAllowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    return {
      observedGeneration: Number(metadata.generation ?? 0),
      disruptedPods: Object.keys(disruptedPods).length === 0 ? undefined : disruptedPods,
      disruptionsAllowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: withAllowed(
        status.conditions,
        {
          isAllowed: disruptionsAllowed > 0,
          reason: disruptionsAllowed > 0 ? "SufficientPods" : "InsufficientPods",
          message: "",
        },
        Number(metadata.generation ?? 0),
        now,
      ),
    };
  }

  #podsOf({ namespace }: View, { spec }: Pick<PodDisruptionBudget, "spec">): readonly PodView[] {
    const selector = storedLabelSelector(spec.selector);
    return [...this.#cluster.views.pods.find("namespace", namespace)].filter(
      (pod) => !isFinished(pod) && selector.matches(pod.labels),
    );
  }

  #wanted(
    { minAvailable, maxUnavailable }: PodDisruptionBudget["spec"],
    pods: readonly PodView[],
  ): { readonly expected: number; readonly desired: number } {
    if (maxUnavailable !== undefined) {
      const expected = this.#scaleOf(pods);
      const max = amountOf(maxUnavailable, expected);
      return { expected, desired: Math.max(0, expected - max) };
    }
    if (typeof minAvailable === "number") return { expected: pods.length, desired: minAvailable };
    if (minAvailable === undefined) return { expected: pods.length, desired: 1 };
    const expected = this.#scaleOf(pods);
    return { expected, desired: amountOf(minAvailable, expected) };
  }

  /** How many pods the controllers of these pods want in total. */
  #scaleOf(pods: readonly PodView[]): number {
    const { views } = this.#cluster;
    const scales = new Map<string, number>();
    for (const { controller, namespace, uid } of pods) {
      if (controller === undefined) continue;
      const key = `${namespace}/${controller.name}`;
      switch (controller.kind) {
        case "ReplicaSet": {
          const set = views.selecting("replicasets.apps").get(key);
          const owner = set?.controller;
          const deployment =
            owner?.kind === "Deployment"
              ? views.selecting("deployments.apps").get(`${namespace}/${owner.name}`)
              : undefined;
          const { replicas } = (deployment ?? set)?.stored.decode().spec ?? {};
          scales.set(deployment?.uid ?? controller.uid, replicas ?? 0);
          break;
        }
        case "ReplicationController": {
          const { replicas } = views.of("replicationcontrollers").get(key)?.stored.decode().spec ?? {};
          scales.set(controller.uid, replicas ?? 0);
          break;
        }
        case "StatefulSet":
          scales.set(
            controller.uid,
            views.selecting("statefulsets.apps").get(key)?.stored.decode().spec.replicas ?? 0,
          );
          break;
        default:
          scales.set(`pod/${uid}`, 1);
      }
    }
    return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
  }
}

function amountOf(value: number | string, total: number): number {
  return typeof value === "number" ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** Whether the budget depends on how many replicas the owners want. */
function isRelative({ minAvailable, maxUnavailable }: PodDisruptionBudget["spec"]): boolean {
  return maxUnavailable !== undefined || typeof minAvailable === "string";
}

/** The resource of a pod's owner, if it has no scale that says how many replicas it wants. */
function unscalableOwner({ controller }: PodView): string | undefined {
  return unscalableKinds[`${controller?.apiVersion}/${controller?.kind}`];
}

function subjectOf({ namespace, name, uid }: View): EventSubject {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace, name, uid };
}

interface Allowed {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly message: string;
}

function withAllowed(
  conditions: readonly Condition[] | undefined,
  { isAllowed, reason, message }: Allowed,
  observedGeneration: number,
  now: number,
): Condition[] {
  const status = isAllowed ? "True" : "False";
  const condition: Condition = { type: "DisruptionAllowed", status, observedGeneration, reason, message };
  return withCondition(conditions, condition, now);
}

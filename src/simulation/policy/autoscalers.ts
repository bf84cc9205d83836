import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  HPAScalingRules,
} from "../../apis/gen/autoscaling-v2.js";
import { annotationPrefix } from "../behaviour/container-behaviour.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs, timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { withCondition } from "../pods/conditions.js";
import { type Proposal, parseMetrics, proposalOf } from "./autoscaling-metrics.js";

type View = ObjectView<HorizontalPodAutoscaler>;

const periodMs = 15_000;
const defaultDownWindowMs = 300_000;

/** The workloads that can be scaled. */
const targets = {
  Deployment: "deployments.apps",
  ReplicaSet: "replicasets.apps",
  StatefulSet: "statefulsets.apps",
} as const;

interface Recommendation {
  readonly at: number;
  readonly replicas: number;
}

/** Scales workloads by the numbers in the annotation `simulation.orch.io/metrics` of their autoscalers. Source: Kubernetes' horizontal controller. */
export class Autoscalers implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  readonly #recommendations = new Map<string, Recommendation[]>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("horizontal-pod-autoscaler");
    this.#recorder = cluster.recorder("horizontal-pod-autoscaler");
    this.#loop = cluster.loop({ name: "horizontalpodautoscaler", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views } = this.#cluster;
    const scalers = views.of("horizontalpodautoscalers.autoscaling");
    this.#loop.fedBy(scalers.onChange(({ key }) => this.#loop.add(key)));
    for (const [kind, resource] of Object.entries(targets)) {
      const feed = views.selecting(resource).onChange(({ key, value }) => {
        if (value === undefined) return;
        for (const scaler of scalers.find("namespace", value.namespace)) {
          const { scaleTargetRef } = scaler.stored.decode().spec;
          const isTarget =
            scaleTargetRef.kind === kind && `${value.namespace}/${scaleTargetRef.name}` === key;
          if (isTarget) this.#loop.addSoon(scaler.key);
        }
      });
      this.#loop.fedBy(feed);
    }
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.of("horizontalpodautoscalers.autoscaling").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      this.#recommendations.delete(key);
      return;
    }
    const scaler = view.stored.decode();
    const { kind, name } = scaler.spec.scaleTargetRef;
    const resource = isTargetKind(kind) ? targets[kind] : undefined;
    const target = resource && this.#cluster.views.selecting(resource).get(`${view.namespace}/${name}`);
    const now = this.#cluster.now();
    if (resource === undefined || target === undefined) {
      const message = `the HPA controller was unable to get the target's current scale: ${kind} "${name}" not found`;
      await this.#writeStatus(view, scaler, scaler.status, [
        ["AbleToScale", false, "FailedGetScale", message],
      ]);
      return;
    }
    const current = target.stored.decode().spec.replicas ?? 0;
    // The numbers stay as they are set: without pauses, one that is too high would lead to the most pods at once.
    const rested = (timeMs(scaler.status.lastScaleTime) ?? 0) + periodMs;
    if (rested > now && current === scaler.status.desiredReplicas) {
      this.#loop.addAt(key, rested);
      return;
    }
    const conditions: Told[] = [];
    const { desired, proposals } = this.#decide(scaler, key, current, now, conditions);
    if (desired !== current) {
      await this.#writer.change(resource, target, (object) => {
        object.spec.replicas = desired;
      });
      const why = proposals[0] === undefined ? "" : `; reason: ${reasonOf(proposals, current, desired)}`;
      const subject = {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        namespace: view.namespace,
        name: view.name,
        uid: view.uid,
      };
      this.#recorder.record(subject, "Normal", "SuccessfulRescale", `New size: ${desired}${why}`);
      // What is held back by a window is looked at again.
      this.#loop.addAt(key, now + periodMs);
    }
    const status: HorizontalPodAutoscalerStatus = {
      ...scaler.status,
      observedGeneration: Number(scaler.metadata.generation ?? 0) || undefined,
      currentReplicas: current,
      desiredReplicas: desired,
      currentMetrics: proposals.map((proposal) => proposal.status),
      ...(desired !== current && { lastScaleTime: timeText(now) }),
    };
    await this.#writeStatus(view, scaler, status, conditions);
  }

  #decide(
    { spec, metadata }: HorizontalPodAutoscaler,
    key: string,
    current: number,
    now: number,
    told: Told[],
  ): { readonly desired: number; readonly proposals: readonly Proposal[] } {
    const min = spec.minReplicas ?? 1;
    if (current === 0) {
      told.push([
        "ScalingActive",
        false,
        "ScalingDisabled",
        "scaling is disabled since the replica count of the target is zero",
      ]);
      return { desired: 0, proposals: [] };
    }
    const set = parseMetrics(metadata.annotations?.[`${annotationPrefix}metrics`]);
    const proposals = (spec.metrics ?? [])
      .map((metric) => proposalOf(metric, set, current))
      .filter((proposal) => proposal !== undefined);
    const [first] = [...proposals].sort((a, b) => b.replicas - a.replicas);
    if (first === undefined) {
      told.push([
        "AbleToScale",
        true,
        "SucceededGetScale",
        "the HPA controller was able to get the target's current scale",
      ]);
      const message = "the HPA was unable to compute the replica count: no metrics are set";
      told.push(["ScalingActive", false, "FailedGetResourceMetric", message]);
      const desired = Math.min(spec.maxReplicas, Math.max(min, current));
      return { desired, proposals };
    }
    const message = `the HPA was able to successfully calculate a replica count from ${first.name}`;
    told.push(["ScalingActive", true, "ValidMetricFound", message]);
    const stable = this.#stabilized(key, spec.behavior, current, first.replicas, now);
    told.push(
      stable === first.replicas
        ? ["AbleToScale", true, "ReadyForNewScale", "recommended size matches current size"]
        : [
            "AbleToScale",
            true,
            "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation",
          ],
    );
    const limited = limitUp(spec.behavior?.scaleUp, current, stable);
    const desired = Math.min(spec.maxReplicas, Math.max(min, limited));
    told.push(
      desired < limited
        ? [
            "ScalingLimited",
            true,
            "TooManyReplicas",
            "the desired replica count is more than the maximum replica count",
          ]
        : desired > limited
          ? [
              "ScalingLimited",
              true,
              "TooFewReplicas",
              "the desired replica count is less than the minimum replica count",
            ]
          : [
              "ScalingLimited",
              false,
              "DesiredWithinRange",
              "the desired count is within the acceptable range",
            ],
    );
    if (desired !== current)
      told.push([
        "AbleToScale",
        true,
        "SucceededRescale",
        `the HPA controller was able to update the target scale to ${desired}`,
      ]);
    return { desired, proposals };
  }

  /** Fewer pods only when so few have been enough for the whole window. */
  #stabilized(
    key: string,
    behavior: HorizontalPodAutoscaler["spec"]["behavior"],
    current: number,
    replicas: number,
    now: number,
  ): number {
    const seconds = behavior?.scaleDown?.stabilizationWindowSeconds;
    const windowMs = seconds === undefined ? defaultDownWindowMs : seconds * 1000;
    const known = this.#recommendations.get(key) ?? [{ at: now, replicas: current }];
    const recent = [...known.filter(({ at }) => at + windowMs > now), { at: now, replicas }];
    // Of equal ones the last counts: there are no more than there are sizes.
    const bySize = new Map(recent.map((each) => [each.replicas, each]));
    this.#recommendations.set(key, [...bySize.values()]);
    const stable = Math.max(...[...bySize.values()].map((each) => each.replicas));
    if (replicas < current) {
      const oldest = Math.min(
        ...[...bySize.values()].filter((each) => each.replicas > replicas).map(({ at }) => at),
      );
      if (Number.isFinite(oldest)) this.#loop.addAt(key, oldest + windowMs + 1000);
    }
    return replicas >= current ? replicas : Math.min(current, stable);
  }

  async #writeStatus(
    view: View,
    scaler: HorizontalPodAutoscaler,
    wanted: HorizontalPodAutoscalerStatus,
    told: readonly Told[],
  ): Promise<void> {
    const now = this.#cluster.now();
    let conditions: HorizontalPodAutoscalerCondition[] = scaler.status.conditions ?? [];
    for (const [type, isTrue, reason, message] of told) {
      conditions = withCondition(
        conditions,
        { type, status: isTrue ? "True" : "False", reason, message },
        now,
      );
    }
    const status = { ...wanted, conditions };
    if (isDeepEqual(status, scaler.status)) return;
    await this.#writer.changePart("horizontalpodautoscalers.autoscaling", view, (object) => {
      object.status = status;
    });
  }
}

type Told = readonly [type: string, isTrue: boolean, reason: string, message: string];

function isTargetKind(kind: string): kind is keyof typeof targets {
  return Object.hasOwn(targets, kind);
}

function reasonOf(proposals: readonly Proposal[], current: number, desired: number): string {
  if (desired < current) return "All metrics below target";
  const [highest] = [...proposals].sort((a, b) => b.replicas - a.replicas);
  return `${highest?.name ?? ""} above target`;
}

/** At most twice as many, or four more, in one step, unless the autoscaler says otherwise. */
function limitUp(rules: HPAScalingRules | undefined, current: number, wanted: number): number {
  if (wanted <= current) return wanted;
  if (rules?.selectPolicy === "Disabled") return current;
  const policies = rules?.policies ?? [];
  const limits =
    policies.length === 0
      ? [current * 2, current + 4]
      : policies.map(({ type, value }) =>
          type === "Pods" ? current + value : Math.ceil(current * (1 + value / 100)),
        );
  const limit = rules?.selectPolicy === "Min" ? Math.min(...limits) : Math.max(...limits);
  return Math.min(wanted, limit);
}

import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
} from "../../apis/gen/autoscaling-v2.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs, timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { mergedConditions, withCondition } from "../pods/conditions.js";
import { Recommendations } from "./recommendations.js";
import { decide, type Told } from "./scaling-decision.js";

type View = ObjectView<HorizontalPodAutoscaler>;

const periodMs = 15_000;

/** The workloads that can be scaled. */
const targets = {
  Deployment: "deployments.apps",
  ReplicaSet: "replicasets.apps",
  StatefulSet: "statefulsets.apps",
} as const;

/**
 * Scales workloads by the numbers in the annotation `simulation.orch.io/metrics` of their autoscalers. Source: Kubernetes' horizontal
 * controller.
 */
export class Autoscalers implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  readonly #recommendations = new Recommendations();

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
      const feed = views.selecting(resource).onChange(({ value }) => {
        if (value === undefined) return;
        const { namespace, name } = value;
        for (const scaler of scalers.find("namespace", namespace)) {
          if (scales(scaler, { kind, name })) this.#loop.addSoon(scaler.key);
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
      this.#recommendations.forget(key);
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
    // Simulated metrics stay as they were set, so without pauses one that is too high would scale to the maximum at once.
    const rested = (timeMs(scaler.status.lastScaleTime) ?? 0) + periodMs;
    if (rested > now && current === scaler.status.desiredReplicas) {
      this.#loop.addAt(key, rested);
      return;
    }
    const { desired, reason, proposals, told } = decide(scaler, current, (wanted) => {
      const { behavior } = scaler.spec;
      const states = { current, wanted, now };
      const { replicas, reviewAt } = this.#recommendations.stabilized(key, behavior, states);
      if (reviewAt !== undefined) this.#loop.addAt(key, reviewAt);
      return replicas;
    });
    if (desired !== current) {
      await this.#writer.change(resource, target, (object) => {
        object.spec.replicas = desired;
      });
      this.#recordRescale(view, desired, reason);
      // A recommendation that the stabilization window holds back is checked again later.
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
    await this.#writeStatus(view, scaler, status, told);
  }

  #recordRescale({ namespace, name, uid }: View, desired: number, reason: string): void {
    const subject = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", namespace, name, uid };
    const message = `New size: ${desired}; reason: ${reason}`;
    this.#recorder.record(subject, "Normal", "SuccessfulRescale", message);
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
      const { conditions: newest } = object.status;
      object.status = {
        ...status,
        conditions: mergedConditions(newest, scaler.status.conditions, conditions),
      };
    });
  }
}

function scales({ stored }: View, target: { readonly kind: string; readonly name: string }): boolean {
  const { kind, name } = stored.decode().spec.scaleTargetRef;
  return kind === target.kind && name === target.name;
}

function isTargetKind(kind: string): kind is keyof typeof targets {
  return Object.hasOwn(targets, kind);
}

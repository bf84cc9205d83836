import type { HorizontalPodAutoscaler, HPAScalingRules } from "../../apis/gen/autoscaling-v2.js";
import { annotationPrefix } from "../behaviour/container-behaviour.js";
import { type Proposal, parseMetrics, proposalOf } from "./autoscaling-metrics.js";

/** A condition to report. */
export type Told = readonly [type: string, isTrue: boolean, reason: string, message: string];

export interface Decision {
  readonly desired: number;
  /** Why the number of pods should change. */
  readonly reason: string;
  readonly proposals: readonly Proposal[];
  readonly told: readonly Told[];
}

/** The number of pods that there should be. `stabilized`: the recommendation in view of earlier ones. */
export function decide(
  { spec, metadata }: HorizontalPodAutoscaler,
  current: number,
  stabilized: (wanted: number) => number,
): Decision {
  const { minReplicas: min = 1, maxReplicas: max, behavior } = spec;
  if (current === 0) {
    const message = "scaling is disabled since the replica count of the target is zero";
    const told: Told[] = [["ScalingActive", false, "ScalingDisabled", message]];
    return { desired: 0, reason: "", proposals: [], told };
  }
  if (current > max) return resized(max, "Current number of replicas above Spec.MaxReplicas");
  if (current < min) return resized(min, "Current number of replicas below Spec.MinReplicas");
  const set = parseMetrics(metadata.annotations?.[`${annotationPrefix}metrics`]);
  const proposals = (spec.metrics ?? [])
    .map((metric) => proposalOf(metric, set, current))
    .filter((proposal) => proposal !== undefined);
  const [first] = [...proposals].sort((a, b) => b.replicas - a.replicas);
  if (first === undefined) {
    const able = "the HPA controller was able to get the target's current scale";
    const unable = "the HPA was unable to compute the replica count: no metrics are set";
    const told: Told[] = [
      ["AbleToScale", true, "SucceededGetScale", able],
      ["ScalingActive", false, "FailedGetResourceMetric", unable],
    ];
    return { desired: current, reason: "", proposals, told };
  }
  const valid = `the HPA was able to successfully calculate a replica count from ${first.name}`;
  const stable = stabilized(first.replicas);
  const limit = upLimit(behavior?.scaleUp, current);
  const desired = Math.min(max, limit, Math.max(min, stable));
  const told: Told[] = [["ScalingActive", true, "ValidMetricFound", valid]];
  if (desired !== current) told.push(rescaled(desired));
  else if (stable === first.replicas) {
    told.push(["AbleToScale", true, "ReadyForNewScale", "recommended size matches current size"]);
  } else {
    const message =
      "recent recommendations were higher than current one, applying the highest recent recommendation";
    told.push(["AbleToScale", true, "ScaleDownStabilized", message]);
  }
  told.push(limited(stable, { min, max, limit }));
  const reason = desired < current ? "All metrics below target" : `${first.name} above target`;
  return { desired, reason, proposals, told };
}

/** A workload outside of its bounds is resized whatever its metrics are. */
function resized(desired: number, reason: string): Decision {
  return { desired, reason, proposals: [], told: [rescaled(desired)] };
}

function rescaled(desired: number): Told {
  const message = `the HPA controller was able to update the target scale to ${desired}`;
  return ["AbleToScale", true, "SucceededRescale", message];
}

function limited(
  wanted: number,
  { min, max, limit }: { readonly min: number; readonly max: number; readonly limit: number },
): Told {
  const say = (isTrue: boolean, reason: string, message: string): Told => [
    "ScalingLimited",
    isTrue,
    reason,
    message,
  ];
  if (wanted < min) {
    return say(true, "TooFewReplicas", "the desired replica count is less than the minimum replica count");
  }
  if (wanted > Math.min(max, limit)) {
    return limit < max
      ? say(
          true,
          "ScaleUpLimit",
          "the desired replica count is increasing faster than the maximum scale rate",
        )
      : say(true, "TooManyReplicas", "the desired replica count is more than the maximum replica count");
  }
  return say(false, "DesiredWithinRange", "the desired count is within the acceptable range");
}

/** The most pods after one step up: twice as many, or four, unless the autoscaler says otherwise. */
function upLimit(rules: HPAScalingRules | undefined, current: number): number {
  if (rules === undefined) return Math.max(current * 2, 4);
  if (rules.selectPolicy === "Disabled") return current;
  const limits = (rules.policies ?? []).map(({ type, value }) =>
    type === "Pods" ? current + value : Math.ceil(current * (1 + value / 100)),
  );
  if (limits.length === 0) return Number.POSITIVE_INFINITY;
  return rules.selectPolicy === "Min" ? Math.min(...limits) : Math.max(...limits);
}

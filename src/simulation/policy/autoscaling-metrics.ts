import { Quantity } from "../../apimachinery/values/quantity.js";
import type { MetricSpec, MetricStatus } from "../../apis/gen/autoscaling-v2.js";

/** A metric that a test sets: `80%` of the requests, or an amount. */
export interface SetMetric {
  readonly utilization: number | undefined;
  /** In thousandths. */
  readonly milli: number;
  readonly text: string;
}

/** `cpu=80%,queue=30` */
export function parseMetrics(text: string | undefined): ReadonlyMap<string, SetMetric> {
  const metrics = new Map<string, SetMetric>();
  for (const item of (text ?? "").split(",")) {
    const [name = "", value = ""] = item.split("=").map((part) => part.trim());
    const percent = /^(\d+)%$/.exec(value)?.[1];
    if (percent !== undefined) metrics.set(name, { utilization: Number(percent), milli: 0, text: value });
    else {
      const milli = milliOf(value);
      if (milli !== undefined) metrics.set(name, { utilization: undefined, milli, text: value });
    }
  }
  return metrics;
}

function milliOf(text: string): number | undefined {
  try {
    return Number(Quantity.parse(text).milliValue());
  } catch {
    return undefined;
  }
}

export interface Proposal {
  readonly replicas: number;
  readonly name: string;
  readonly status: MetricStatus;
}

/** A smaller difference from the target is ignored. */
const tolerance = 0.1;

/** How many pods a metric recommends; undefined if its value is not set, or of another kind than the target. */
export function proposalOf(
  spec: MetricSpec,
  metrics: ReadonlyMap<string, SetMetric>,
  current: number,
): Proposal | undefined {
  const source = spec.resource ?? spec.containerResource;
  const other = spec.pods ?? spec.object ?? spec.external;
  const name = source?.name ?? other?.metric.name ?? "";
  const target = source?.target ?? other?.target;
  const set = metrics.get(name);
  if (target === undefined || set === undefined) return undefined;
  const isTotal = spec.external !== undefined || spec.object !== undefined;
  if (target.averageUtilization !== undefined) {
    if (set.utilization === undefined) return undefined;
    const value = { averageUtilization: set.utilization, averageValue: "0" };
    return proposal(spec, name, value, scaled(current, set.utilization / target.averageUtilization));
  }
  const wanted = Number(Quantity.parse(target.averageValue ?? target.value ?? "0").milliValue());
  if (set.utilization !== undefined || wanted <= 0) return undefined;
  if (isTotal && target.averageValue !== undefined) {
    // The sum is divided among the pods.
    const replicas = Math.ceil(set.milli / wanted);
    const within = Math.abs(set.milli / (wanted * Math.max(1, current)) - 1) <= tolerance;
    return proposal(spec, name, { averageValue: set.text }, within ? current : replicas);
  }
  const value = isTotal ? { value: set.text } : { averageValue: set.text };
  return proposal(spec, name, value, scaled(current, set.milli / wanted));
}

function scaled(current: number, ratio: number): number {
  return Math.abs(ratio - 1) <= tolerance ? current : Math.ceil(current * ratio);
}

function proposal(
  spec: MetricSpec,
  name: string,
  current: MetricStatus extends { resource?: { current: infer C } | undefined } ? C : never,
  replicas: number,
): Proposal {
  const { type } = spec;
  const status: MetricStatus = {
    type,
    ...(spec.resource && { resource: { name, current } }),
    ...(spec.containerResource && {
      containerResource: { name, container: spec.containerResource.container, current },
    }),
    ...(spec.pods && { pods: { metric: spec.pods.metric, current } }),
    ...(spec.object && {
      object: { metric: spec.object.metric, describedObject: spec.object.describedObject, current },
    }),
    ...(spec.external && { external: { metric: spec.external.metric, current } }),
  };
  return { replicas, name, status };
}

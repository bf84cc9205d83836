import { parseJson } from "../../../apimachinery/json-parse.js";
import type { ObjectMeta } from "../../../apimachinery/meta.js";
import type { Codec } from "../../../apimachinery/schema/codec.js";
import type { ApiContext } from "../../definition/api-context.js";
import type {
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscaler as V1,
} from "../../gen/autoscaling-v1.js";
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from "../../gen/autoscaling-v2.js";
import type {
  MetricSpec as OldMetricSpec,
  MetricStatus as OldMetricStatus,
  HorizontalPodAutoscaler as V2beta1,
} from "../../gen/autoscaling-v2beta1.js";
import type { HorizontalPodAutoscaler as V2beta2 } from "../../gen/autoscaling-v2beta2.js";
import { behaviorFromText, behaviorToText } from "./behavior-annotation.js";
import { cpuMetric, defaultCpuUtilization } from "./defaults.js";
import { metricFromOld, metricStatusFromOld, metricStatusToOld, metricToOld } from "./old-metrics.js";

interface Conversion<V> {
  toHub(object: V): HorizontalPodAutoscaler;
  fromHub(hub: HorizontalPodAutoscaler): V;
}

export interface HorizontalPodAutoscalerConversions {
  readonly v1: Conversion<V1>;
  readonly v2beta1: Conversion<V2beta1>;
  readonly v2beta2: Conversion<V2beta2>;
  /** In place: v2 itself needs no annotations, and must not keep those of other versions. */
  dropAnnotations(metadata: ObjectMeta): void;
}

/**
 * v1 knows a target for cpu use only, v2beta1 no behavior; what they have no field for is kept as JSON in annotations, which
 * never stand in objects of v2.
 */
export function horizontalPodAutoscalerConversions(context: ApiContext): HorizontalPodAutoscalerConversions {
  const prefix = `autoscaling.alpha.${context.naming.domain}`;
  const metricsKey = `${prefix}/metrics`;
  const currentMetricsKey = `${prefix}/current-metrics`;
  const behaviorKey = `${prefix}/behavior`;
  const conditionsKey = `${prefix}/conditions`;
  const keys = [metricsKey, currentMetricsKey, behaviorKey, conditionsKey];

  const metricList = listText<OldMetricSpec>(context, "autoscaling/v1.MetricSpec");
  const metricStatusList = listText<OldMetricStatus>(context, "autoscaling/v1.MetricStatus");
  const conditionList = listText<HorizontalPodAutoscalerCondition>(
    context,
    "autoscaling/v1.HorizontalPodAutoscalerCondition",
  );

  return {
    v1: { toHub: v1ToHub, fromHub: v1FromHub },
    v2beta1: v2beta1(),
    v2beta2: v2beta2(),
    dropAnnotations,
  };

  function dropAnnotations(metadata: ObjectMeta): void {
    const { annotations } = metadata;
    if (annotations === undefined || !keys.some((key) => annotations[key] !== undefined)) return;
    const others = Object.entries(annotations).filter(([key]) => !keys.includes(key));
    metadata.annotations = others.length === 0 ? undefined : Object.fromEntries(others);
  }

  function withAnnotations(metadata: ObjectMeta, added: { readonly [key: string]: string }): ObjectMeta {
    const result = { ...metadata };
    dropAnnotations(result);
    if (Object.keys(added).length > 0) result.annotations = { ...result.annotations, ...added };
    return result;
  }

  function v1ToHub({ metadata, spec, status }: V1): HorizontalPodAutoscaler {
    const { targetCPUUtilizationPercentage: target, ...restOfSpec } = spec;
    const { currentCPUUtilizationPercentage: current, ...restOfStatus } = status;
    const annotations = metadata.annotations ?? {};

    const cpu = target === undefined ? [] : [cpuMetric(target)];
    const others = metricList.parse(annotations[metricsKey])?.map(metricFromOld) ?? [];
    const metrics = [...others, ...cpu];

    const cpuStatus: MetricStatus[] | undefined =
      current === undefined
        ? undefined
        : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } }];

    return {
      metadata: withAnnotations(metadata, {}),
      spec: {
        ...restOfSpec,
        metrics: metrics.length === 0 ? [cpuMetric(defaultCpuUtilization)] : metrics,
        behavior: parsedBehavior(annotations),
      },
      status: {
        ...restOfStatus,
        currentReplicas: omitZero(status.currentReplicas),
        currentMetrics:
          metricStatusList.parse(annotations[currentMetricsKey])?.map(metricStatusFromOld) ?? cpuStatus,
        conditions: conditionList.parse(annotations[conditionsKey]),
      },
    };
  }

  function v1FromHub({ metadata, spec, status }: HorizontalPodAutoscaler): V1 {
    const { metrics = [], behavior, ...restOfSpec } = spec;
    const { currentMetrics = [], conditions = [], ...restOfStatus } = status;
    const others = metrics.filter((metric) => !isCpuUtilization(metric));
    const added: { [key: string]: string } = {};
    if (others.length > 0) added[metricsKey] = metricList.print(others.map(metricToOld));
    if (currentMetrics.length > 0) {
      added[currentMetricsKey] = metricStatusList.print(currentMetrics.map(metricStatusToOld));
    }
    if (behavior !== undefined) added[behaviorKey] = behaviorToText(behavior);
    if (conditions.length > 0) added[conditionsKey] = conditionList.print(conditions);
    return {
      metadata: withAnnotations(metadata, added),
      spec: {
        ...restOfSpec,
        targetCPUUtilizationPercentage: metrics.find(isCpu)?.resource?.target.averageUtilization,
      },
      status: {
        ...restOfStatus,
        currentReplicas: status.currentReplicas ?? 0,
        currentCPUUtilizationPercentage: currentMetrics.findLast(
          (metric) => isCpu(metric) && metric.resource?.current.averageUtilization !== undefined,
        )?.resource?.current.averageUtilization,
      },
    };
  }

  function v2beta1(): Conversion<V2beta1> {
    return {
      toHub: ({ metadata, spec, status }) => ({
        metadata: withAnnotations(metadata, {}),
        spec: {
          ...spec,
          metrics: spec.metrics?.map(metricFromOld),
          behavior: parsedBehavior(metadata.annotations ?? {}),
        },
        status: {
          ...status,
          currentReplicas: omitZero(status.currentReplicas),
          currentMetrics: status.currentMetrics?.map(metricStatusFromOld),
        },
      }),
      fromHub: ({ metadata, spec: { behavior, ...spec }, status }) => ({
        metadata: withAnnotations(
          metadata,
          behavior === undefined ? {} : { [behaviorKey]: behaviorToText(behavior) },
        ),
        spec: { ...spec, metrics: spec.metrics?.map(metricToOld) },
        status: {
          ...status,
          currentReplicas: status.currentReplicas ?? 0,
          currentMetrics: status.currentMetrics?.map(metricStatusToOld),
        },
      }),
    };
  }

  function v2beta2(): Conversion<V2beta2> {
    return {
      toHub: ({ metadata, spec, status }) => ({
        metadata: withAnnotations(metadata, {}),
        spec,
        status: { ...status, currentReplicas: omitZero(status.currentReplicas) },
      }),
      fromHub: ({ metadata, spec, status }) => ({
        metadata: withAnnotations(metadata, {}),
        spec,
        status: { ...status, currentReplicas: status.currentReplicas ?? 0 },
      }),
    };
  }

  function parsedBehavior(annotations: { readonly [key: string]: string }) {
    const text = annotations[behaviorKey];
    return text === undefined ? undefined : behaviorFromText(text);
  }
}

/** The one field that v2 leaves out when it is zero. */
function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}

function isCpu(metric: MetricSpec | MetricStatus): boolean {
  return metric.type === "Resource" && metric.resource?.name === "cpu";
}

function isCpuUtilization(metric: MetricSpec): boolean {
  return isCpu(metric) && metric.resource?.target.averageUtilization !== undefined;
}

interface ListText<T> {
  print(list: readonly T[]): string;
  /** Undefined for none and for text that is no such list: clients can write the annotations. */
  parse(text: string | undefined): T[] | undefined;
}

function listText<T extends object>({ schemas }: ApiContext, type: string): ListText<T> {
  // Looked up when first used.
  const codec = (): Codec<T> => schemas.codec<T>(type);
  return {
    print: (list) => `[${list.map((item) => codec().toJson(item)).join(",")}]`,
    parse(text) {
      if (text === undefined) return undefined;
      try {
        const list = parseJson(text);
        return Array.isArray(list) ? list.map((item) => codec().fromJson(item)) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

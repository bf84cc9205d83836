import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { HorizontalPodAutoscaler as V1 } from "../../gen/autoscaling-v1.js";
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from "../../gen/autoscaling-v2.js";
import type { MetricSpec as OldMetricSpec } from "../../gen/autoscaling-v2beta1.js";
import type { AlphaAnnotations } from "./alpha-annotations.js";
import type { Conversion } from "./conversion.js";
import { cpuMetric, defaultCpuUtilization } from "./defaults.js";
import { metricFromOld, metricStatusFromOld, metricStatusToOld, metricToOld } from "./old-metrics.js";
import { omitZero } from "./replica-count.js";

/** v1 has a CPU target only; everything else is in annotations. */
export function v1Conversion(kept: AlphaAnnotations, level: ApiLevel): Conversion<V1> {
  const metricOf = isAtLeast(level, "1.36") ? metricOfOneTarget : metricFromOld;
  return {
    toHub({ metadata, spec, status }) {
      const { targetCPUUtilizationPercentage: target, ...restOfSpec } = spec;
      const { currentCPUUtilizationPercentage: current, ...restOfStatus } = status;
      const cpu = target === undefined ? [] : [cpuMetric(target)];
      const metrics = [...(kept.metrics(metadata)?.map(metricOf) ?? []), ...cpu];
      return {
        metadata: kept.keep(metadata, {}),
        spec: {
          ...restOfSpec,
          metrics: metrics.length === 0 ? [cpuMetric(defaultCpuUtilization)] : metrics,
          behavior: kept.behavior(metadata),
        },
        status: {
          ...restOfStatus,
          currentReplicas: omitZero(status.currentReplicas),
          currentMetrics: kept.currentMetrics(metadata)?.map(metricStatusFromOld) ?? cpuStatus(current),
          conditions: kept.conditions(metadata),
        },
      };
    },
    fromHub({ metadata, spec, status }: HorizontalPodAutoscaler): V1 {
      const { metrics = [], behavior, ...restOfSpec } = spec;
      const { currentMetrics = [], conditions = [], ...restOfStatus } = status;
      const others = metrics.filter((metric) => !isCpuUtilization(metric));
      return {
        metadata: kept.keep(metadata, {
          metrics: others.map(metricToOld),
          currentMetrics: currentMetrics.map(metricStatusToOld),
          behavior,
          conditions,
        }),
        spec: {
          ...restOfSpec,
          targetCPUUtilizationPercentage: metrics.find(isCpuUtilization)?.resource?.target.averageUtilization,
        },
        status: {
          ...restOfStatus,
          currentReplicas: status.currentReplicas ?? 0,
          currentCPUUtilizationPercentage: currentMetrics.findLast(
            (metric) => isCpu(metric) && metric.resource?.current.averageUtilization !== undefined,
          )?.resource?.current.averageUtilization,
        },
      };
    },
  };
}

/**
 * The annotation of an object metric has `value: 0` beside `averageValue`. Before 1.36 this came back as a second target, which
 * validation refuses.
 */
function metricOfOneTarget(old: OldMetricSpec): MetricSpec {
  const metric = metricFromOld(old);
  const { object } = metric;
  if (object?.target.averageValue === undefined) return metric;
  return { ...metric, object: { ...object, target: { ...object.target, value: undefined } } };
}

function cpuStatus(current: number | undefined): MetricStatus[] | undefined {
  if (current === undefined) return undefined;
  return [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } }];
}

function isCpu(metric: MetricSpec | MetricStatus): boolean {
  return metric.type === "Resource" && metric.resource?.name === "cpu";
}

function isCpuUtilization(metric: MetricSpec): boolean {
  return isCpu(metric) && metric.resource?.target.averageUtilization !== undefined;
}

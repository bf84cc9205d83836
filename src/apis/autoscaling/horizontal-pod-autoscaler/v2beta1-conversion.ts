import type { HorizontalPodAutoscaler as V2beta1 } from "../../gen/autoscaling-v2beta1.js";
import type { AlphaAnnotations } from "./alpha-annotations.js";
import type { Conversion } from "./conversion.js";
import { metricFromOld, metricStatusFromOld, metricStatusToOld, metricToOld } from "./old-metrics.js";
import { omitZero } from "./replica-count.js";

/** v2beta1 has metrics of another form, and no behavior. */
export function v2beta1Conversion(kept: AlphaAnnotations): Conversion<V2beta1> {
  return {
    toHub: ({ metadata, spec, status }) => ({
      metadata: kept.keep(metadata, {}),
      spec: { ...spec, metrics: spec.metrics?.map(metricFromOld), behavior: kept.behavior(metadata) },
      status: {
        ...status,
        currentReplicas: omitZero(status.currentReplicas),
        currentMetrics: status.currentMetrics?.map(metricStatusFromOld),
      },
    }),
    fromHub: ({ metadata, spec: { behavior, ...spec }, status }) => ({
      metadata: kept.keep(metadata, { behavior }),
      spec: { ...spec, metrics: spec.metrics?.map(metricToOld) },
      status: {
        ...status,
        currentReplicas: status.currentReplicas ?? 0,
        currentMetrics: status.currentMetrics?.map(metricStatusToOld),
      },
    }),
  };
}

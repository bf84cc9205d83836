import type { HorizontalPodAutoscaler as V2beta2 } from "../../gen/autoscaling-v2beta2.js";
import type { AlphaAnnotations } from "./alpha-annotations.js";
import type { Conversion } from "./conversion.js";
import { omitZero } from "./replica-count.js";

/** v2beta2 differs in how it writes an observed count of zero. */
export function v2beta2Conversion(kept: AlphaAnnotations): Conversion<V2beta2> {
  return {
    toHub: ({ metadata, spec, status }) => ({
      metadata: kept.keep(metadata, {}),
      spec,
      status: { ...status, currentReplicas: omitZero(status.currentReplicas) },
    }),
    fromHub: ({ metadata, spec, status }) => ({
      metadata: kept.keep(metadata, {}),
      spec,
      status: { ...status, currentReplicas: status.currentReplicas ?? 0 },
    }),
  };
}

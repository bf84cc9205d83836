import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Strategy } from "../../definition/strategy.js";
import type { HorizontalPodAutoscaler as V1 } from "../../gen/autoscaling-v1.js";
import type { HorizontalPodAutoscaler } from "../../gen/autoscaling-v2.js";
import type { HorizontalPodAutoscaler as V2beta1 } from "../../gen/autoscaling-v2beta1.js";
import type { HorizontalPodAutoscaler as V2beta2 } from "../../gen/autoscaling-v2beta2.js";
import { alphaAnnotations } from "./alpha-annotations.js";
import { horizontalPodAutoscalerColumns } from "./columns.js";
import type { Conversion } from "./conversion.js";
import { setBehaviorDefaults, setV1Defaults, setV2beta1Defaults, setV2Defaults } from "./defaults.js";
import { apiVersionProblem } from "./metric-validation.js";
import { v1Conversion } from "./v1-conversion.js";
import { v2beta1Conversion } from "./v2beta1-conversion.js";
import { v2beta2Conversion } from "./v2beta2-conversion.js";
import {
  type AutoscalerRules,
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from "./validation.js";

export function horizontalPodAutoscalers(context: ApiContext): ResourceDefinition<HorizontalPodAutoscaler> {
  const kept = alphaAnnotations(context);
  const v1 = v1Conversion(kept, context.level);
  const replacement = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };

  const main = autoscalerStrategy(context, v1);
  return defineResource<HorizontalPodAutoscaler>({
    group: "autoscaling",
    resource: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    namespaced: true,
    shortNames: ["hpa"],
    categories: ["all"],
    versions: [
      hub<HorizontalPodAutoscaler>(context, {
        version: "v2",
        type: "autoscaling/v2.HorizontalPodAutoscaler",
        setDefaults(object) {
          setV2Defaults(object);
          kept.drop(object.metadata);
        },
      }),
      spoke<HorizontalPodAutoscaler, V1>(context, {
        version: "v1",
        type: "autoscaling/v1.HorizontalPodAutoscaler",
        setDefaults: setV1Defaults,
        ...v1,
      }),
      spoke<HorizontalPodAutoscaler, V2beta1>(context, {
        version: "v2beta1",
        until: "1.25",
        type: "autoscaling/v2beta1.HorizontalPodAutoscaler",
        setDefaults: setV2beta1Defaults,
        lifecycle: { introduced: "1.8", deprecated: "1.22", removed: "1.25", replacement },
        ...v2beta1Conversion(kept),
      }),
      spoke<HorizontalPodAutoscaler, V2beta2>(context, {
        version: "v2beta2",
        until: "1.26",
        type: "autoscaling/v2beta2.HorizontalPodAutoscaler",
        setDefaults: setV2Defaults,
        lifecycle: { introduced: "1.12", deprecated: "1.23", removed: "1.26", replacement },
        ...v2beta2Conversion(kept),
      }),
    ],
    storage: {
      version: "v2",
      before: { "1.27": { version: "v1" } },
      prefix: "/horizontalpodautoscalers",
    },
    strategy: main,
    subresources: [
      statusPart(main, {
        validateUpdate: (_write, object) => validateHorizontalPodAutoscalerStatus(object),
      }),
    ],
    columns: horizontalPodAutoscalerColumns(context.level),
  });
}

function autoscalerStrategy(context: ApiContext, v1: Conversion<V1>): Strategy<HorizontalPodAutoscaler> {
  const rules = {
    naming: context.naming,
    allowContainerMetrics: context.isEnabled("HPAContainerMetrics"),
    allowZeroReplicas: context.isEnabled("HPAScaleToZero"),
  };

  return strategy<HorizontalPodAutoscaler>({
    resetFields: [["status"]],
    prepareForCreate(_write, object) {
      object.status = { desiredReplicas: 0 };
      if (!rules.allowContainerMetrics) dropContainerMetrics(object);
    },
    prepareForUpdate(_write, object, old) {
      if (!rules.allowContainerMetrics && !usesContainerMetrics(old)) dropContainerMetrics(object);
      object.status = old.status;
    },
    canonicalize(_write, object) {
      // From 1.27 on, Kubernetes stores v2, whose defaults complete what older versions left out.
      if (isAtLeast(context.level, "1.27")) return setBehaviorDefaults(object.spec);
      // Before, it stores v1, which puts the CPU metric after the others and writes some absent quantities as `0`.
      const { spec, status } = v1.toHub(v1.fromHub(object));
      Object.assign(object, { spec, status });
    },
    validate: (_write, object) =>
      validateHorizontalPodAutoscaler(object, {
        ...rules,
        ...versionRules(context.level, object, undefined),
      }),
    validateUpdate: (_write, object, old) =>
      validateHorizontalPodAutoscaler(object, {
        ...rules,
        ...versionRules(context.level, object, old),
        allowZeroReplicas: rules.allowZeroReplicas || old.spec.minReplicas === 0,
      }),
  });
}

/** Which apiVersions of the scale target and of described objects are valid. An update may keep invalid ones. */
function versionRules(
  level: ApiLevel,
  { spec }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
): Pick<AutoscalerRules, "targetVersions" | "describedVersions"> {
  if (!isAtLeast(level, "1.34")) return { targetVersions: "any", describedVersions: "any" };
  const target = spec.scaleTargetRef;
  const before = old?.spec.scaleTargetRef;
  const isSame = target.apiVersion === before?.apiVersion && target.kind === before?.kind;
  const hasBadMetric = old?.spec.metrics?.some(
    ({ type, object }) =>
      type === "Object" &&
      object !== undefined &&
      apiVersionProblem(object.describedObject, "wellFormed") !== undefined,
  );
  return {
    // Of the core group, only replication controllers have a scale.
    targetVersions: isSame ? "any" : target.kind === "ReplicationController" ? "wellFormed" : "withGroup",
    describedVersions: hasBadMetric ? "any" : "wellFormed",
  };
}

/** Leaves the metric without a source, so that validation requires one. */
function dropContainerMetrics({ spec }: HorizontalPodAutoscaler): void {
  for (const metric of spec.metrics ?? []) delete metric.containerResource;
}

function usesContainerMetrics({ spec }: HorizontalPodAutoscaler): boolean {
  return (spec.metrics ?? []).some((metric) => metric.containerResource !== undefined);
}

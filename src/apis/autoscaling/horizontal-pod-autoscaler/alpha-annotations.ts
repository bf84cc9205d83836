import { parseJson } from "../../../apimachinery/json/json-parse.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { Codec } from "../../../apimachinery/schema/codec.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { HorizontalPodAutoscalerCondition } from "../../gen/autoscaling-v1.js";
import type { HorizontalPodAutoscalerBehavior } from "../../gen/autoscaling-v2.js";
import type { MetricSpec, MetricStatus } from "../../gen/autoscaling-v2beta1.js";
import { behaviorFromText, behaviorToText } from "./behavior-annotation.js";

/** Values that older versions keep in annotations, because they lack the fields. Absent values are undefined or an empty list. */
export interface AnnotatedParts {
  readonly metrics?: readonly MetricSpec[] | undefined;
  readonly currentMetrics?: readonly MetricStatus[] | undefined;
  readonly conditions?: HorizontalPodAutoscalerCondition[] | undefined;
  readonly behavior?: HorizontalPodAutoscalerBehavior | undefined;
}

/** The annotations in which objects of older versions keep such values as JSON. Objects of v2 never have them. */
export interface AlphaAnnotations {
  /** Clients can write the annotations, so malformed ones count as absent. */
  metrics(metadata: ObjectMeta): MetricSpec[] | undefined;
  currentMetrics(metadata: ObjectMeta): MetricStatus[] | undefined;
  conditions(metadata: ObjectMeta): HorizontalPodAutoscalerCondition[] | undefined;
  behavior(metadata: ObjectMeta): HorizontalPodAutoscalerBehavior | undefined;
  /** A copy with the annotations of `parts` and without the other ones. */
  keep(metadata: ObjectMeta, parts: AnnotatedParts): ObjectMeta;
  /** Removes all of these annotations, in place. */
  drop(metadata: ObjectMeta): void;
}

export function alphaAnnotations(context: ApiContext): AlphaAnnotations {
  const prefix = `autoscaling.alpha.${context.naming.domain}`;
  const metricsKey = `${prefix}/metrics`;
  const currentMetricsKey = `${prefix}/current-metrics`;
  const behaviorKey = `${prefix}/behavior`;
  const conditionsKey = `${prefix}/conditions`;
  const keys = [metricsKey, currentMetricsKey, behaviorKey, conditionsKey];
  const metricList = listText<MetricSpec>(context, "autoscaling/v1.MetricSpec");
  const metricStatusList = listText<MetricStatus>(context, "autoscaling/v1.MetricStatus");
  const conditionList = listText<HorizontalPodAutoscalerCondition>(
    context,
    "autoscaling/v1.HorizontalPodAutoscalerCondition",
  );

  function drop(metadata: ObjectMeta): void {
    const { annotations } = metadata;
    if (annotations === undefined || !keys.some((key) => annotations[key] !== undefined)) return;
    const others = Object.entries(annotations).filter(([key]) => !keys.includes(key));
    metadata.annotations = others.length === 0 ? undefined : Object.fromEntries(others);
  }

  return {
    metrics: ({ annotations }) => metricList.parse(annotations?.[metricsKey]),
    currentMetrics: ({ annotations }) => metricStatusList.parse(annotations?.[currentMetricsKey]),
    conditions: ({ annotations }) => conditionList.parse(annotations?.[conditionsKey]),
    behavior({ annotations }) {
      const text = annotations?.[behaviorKey];
      return text === undefined ? undefined : behaviorFromText(text);
    },
    keep(metadata, { metrics = [], currentMetrics = [], conditions = [], behavior }) {
      const kept = { ...metadata };
      drop(kept);
      const added: { [key: string]: string } = {};
      if (metrics.length > 0) added[metricsKey] = metricList.print(metrics);
      if (currentMetrics.length > 0) added[currentMetricsKey] = metricStatusList.print(currentMetrics);
      if (behavior !== undefined) added[behaviorKey] = behaviorToText(behavior, context.level);
      if (conditions.length > 0) added[conditionsKey] = conditionList.print(conditions);
      if (Object.keys(added).length > 0) kept.annotations = { ...kept.annotations, ...added };
      return kept;
    },
    drop,
  };
}

interface ListText<T> {
  print(list: readonly T[]): string;
  /** Undefined when absent or malformed: clients can write the annotations. */
  parse(text: string | undefined): T[] | undefined;
}

function listText<T extends object>({ schemas }: ApiContext, type: string): ListText<T> {
  // Created on first use.
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

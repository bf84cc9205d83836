import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import type { DaemonSet } from "../../gen/apps-v1.js";

/** The generation of a daemon set's template: a field in older versions, an annotation in v1. */
export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

const int64Max = 2n ** 63n - 1n;

/** What Kubernetes says of an annotation that a client sent, which it converts to the field as Go's `strconv.ParseInt`. */
export function templateGenerationProblem({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[templateGenerationAnnotation];
  if (text === undefined) return undefined;
  const problem = (why: string): string => `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`;
  if (!/^[+-]?\d+$/.test(text)) return problem("invalid syntax");
  const value = BigInt(text.replace("+", ""));
  return value > int64Max || value < -int64Max - 1n ? problem("value out of range") : undefined;
}

/** Sets the annotation, in place. Only a create may supply it. */
export function setTemplateGeneration(object: DaemonSet, old: DaemonSet | undefined): void {
  const generation =
    old === undefined
      ? Math.max(templateGenerationOf(object), 1)
      : templateGenerationOf(old) + (isDeepEqual(object.spec.template, old.spec.template) ? 0 : 1);
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [templateGenerationAnnotation]: String(generation),
  };
}

export function templateGenerationOf({ metadata }: DaemonSet): number {
  const text = metadata.annotations?.[templateGenerationAnnotation] ?? "";
  return /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

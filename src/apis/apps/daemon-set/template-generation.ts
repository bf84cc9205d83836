import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { int64, parseDecimal } from "../../../apimachinery/values/decimal-integer.js";
import type { DaemonSet } from "../../gen/apps-v1.js";

/** The generation of a daemon set's template: a field in older versions, an annotation in v1. */
export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** The error of the annotation that a client sent, which Kubernetes parses with Go's `strconv.ParseInt`. */
export function templateGenerationProblem({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[templateGenerationAnnotation];
  if (text === undefined) return undefined;
  const parsed = parseDecimal(text, int64);
  return typeof parsed === "string"
    ? `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${parsed}`
    : undefined;
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

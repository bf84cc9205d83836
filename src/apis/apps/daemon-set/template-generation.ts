import { isDeepEqual } from "../../definition/base-strategy.js";
import type { DaemonSet } from "../../gen/apps-v1.js";

/** Counts the templates of a daemon set. A field of older versions, which v1 keeps as an annotation. */
const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** In place, for a new daemon set (which may bring a count) and for an update (which may not). */
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

function templateGenerationOf({ metadata }: DaemonSet): number {
  const text = metadata.annotations?.[templateGenerationAnnotation] ?? "";
  return /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

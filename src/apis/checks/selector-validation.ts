import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import {
  labelSelectorFromObject,
  type LabelSelector as Matcher,
} from "../../apimachinery/selectors/label-selector.js";
import { checksSelectorValues, validateLabelSelector } from "../../apimachinery/validation/label-selector.js";
import type { FieldRules } from "../definition/field-rules.js";
import type { PodTemplateSpec } from "../gen/core-v1.js";
import type { LabelSelector } from "../gen/meta-v1.js";
import { printLabelSelector, printStringMap } from "./printed-values.js";

/** The spec of a workload. */
interface Selecting {
  readonly selector?: LabelSelector | undefined;
}

/** Requires a non-empty selector. `workload` as in "… is invalid for deployment". */
export function validateRequiredSelector(
  selector: LabelSelector | undefined,
  workload: string,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  if (selector === undefined) return [required(path, "")];
  return [
    ...validateLabelSelector(selector, path, checksSelectorValues(level)),
    ...validateSelects(selector, workload, path),
  ];
}

export function validateSelects(selector: LabelSelector, workload: string, path: FieldPath): FieldError[] {
  const { matchLabels, matchExpressions } = selector;
  if (Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length > 0) return [];
  return [invalid(path, printLabelSelector(selector), `empty selector is invalid for ${workload}`)];
}

/** `path` is the spec's. */
export function validateSameSelector(
  rules: Pick<FieldRules<Selecting>, "unchangedValue">,
  spec: Selecting,
  old: Selecting,
  path: FieldPath,
): FieldError[] {
  return rules.unchangedValue(
    "selector",
    spec.selector,
    old.selector,
    path.child("selector"),
    printLabelSelector,
  );
}

/** Undefined for an invalid selector. */
export function matcherOf(selector: LabelSelector | undefined): Matcher | undefined {
  try {
    return labelSelectorFromObject(selector);
  } catch {
    return undefined;
  }
}

/** `path` is the template's. */
export function validateSelected(template: PodTemplateSpec, matcher: Matcher, path: FieldPath): FieldError[] {
  const { labels } = template.metadata;
  if (matcher.isEmpty() || matcher.matches(labels ?? {})) return [];
  const why = "`selector` does not match template `labels`";
  return [invalid(path.child("metadata", "labels"), printStringMap(labels), why)];
}

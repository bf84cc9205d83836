import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { duplicate, type FieldError, FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateLabels } from "../../../apimachinery/validation/labels.js";
import { printToleration } from "../../core/pod-spec/printed-values.js";
import { validateResourceRequirements } from "../../core/pod-spec/resource-validation.js";
import { validateTolerations } from "../../core/pod-spec/toleration-validation.js";
import { type PodValidationOptions, podValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Toleration } from "../../gen/core-v1.js";
import type { RuntimeClass } from "../../gen/node-v1.js";
import { nodeV1Types } from "../v1/types.js";

const rules = fieldRules<RuntimeClass>(nodeV1Types, "RuntimeClass");

export function validateRuntimeClass(object: RuntimeClass, context: ApiContext): FieldError[] {
  const { overhead, scheduling } = object;
  const errors =
    object.handler === "" && hasErrorTextsOf(36)
      ? [required(FieldPath.of("handler"), "")]
      : rules.check(object, FieldPath.root, "handler");
  if (overhead !== undefined) {
    // The overhead is validated like the limits of a container.
    const limits = { limits: overhead.podFixed };
    const options = podValidationOptions(context, undefined);
    append(errors, validateResourceRequirements(limits, FieldPath.of("overhead"), options));
  }
  if (scheduling !== undefined) {
    const path = FieldPath.of("scheduling");
    append(errors, validateLabels(scheduling.nodeSelector, path.child("nodeSelector")));
    // Whatever the gate says, those of a class do not compare.
    const options = { ...podValidationOptions(context, undefined), allowComparingTolerations: false };
    append(errors, tolerationErrors(scheduling.tolerations ?? [], path.child("tolerations"), options));
  }
  return errors;
}

/** The list is added to that of pods, so it must not contain duplicates. */
function tolerationErrors(
  tolerations: readonly Toleration[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const seen = new Set<string>();
  const repeated = tolerations.flatMap((toleration, index) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    const errors = seen.has(identity) ? [duplicate(path.index(index), printToleration(toleration))] : [];
    seen.add(identity);
    return errors;
  });
  // Kubernetes names the list twice before 1.35.
  const items = isAtLeast(options.level, "1.35") ? path : path.child("tolerations");
  return [...validateTolerations(tolerations, items, options), ...repeated];
}

export function validateRuntimeClassUpdate(
  object: RuntimeClass,
  old: RuntimeClass,
  context: ApiContext,
): FieldError[] {
  return [
    ...validateRuntimeClass(object, context),
    ...rules.unchanged(object, old, FieldPath.root, "handler"),
  ];
}

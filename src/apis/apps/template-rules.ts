import type { FieldError } from "../../apimachinery/errors/field-error.js";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { dropDisabledPodTemplateFields } from "../core/pod-spec/disabled-fields.js";
import { hostnameWarnings } from "../core/pod-spec/name-warnings.js";
import { type PodValidationOptions, podValidationOptions } from "../core/pod-spec/validation-options.js";
import { podTemplateWarnings } from "../core/pod-spec/warnings.js";
import type { ApiContext } from "../definition/api-context.js";
import type { StrategyRules } from "../definition/base-strategy.js";
import type { PodTemplateSpec } from "../gen/core-v1.js";

export interface WithPodTemplate extends ApiObject {
  spec: { template: PodTemplateSpec };
}

interface TemplateChecks<T> {
  /** Whether pods are named after the workload: if its name is not a host name, there is a warning. */
  readonly namesPods?: boolean;
  validate(object: T, options: PodValidationOptions): FieldError[];
  validateUpdate(object: T, old: T, options: PodValidationOptions): FieldError[];
}

/** Shared strategy of all workloads with a template at `spec.template`. */
export function templateRules<T extends WithPodTemplate>(
  context: ApiContext,
  checks: TemplateChecks<T>,
): StrategyRules<T> {
  const path = FieldPath.of("spec", "template");
  return {
    prepareForCreate: (_write, object) => dropDisabledPodTemplateFields(context, object.spec.template),
    prepareForUpdate: (_write, object, old) =>
      dropDisabledPodTemplateFields(context, object.spec.template, old.spec.template),
    validate: (_write, object) =>
      checks.validate(object, podValidationOptions(context, object.spec.template)),
    validateUpdate: (_write, object, old) =>
      checks.validateUpdate(
        object,
        old,
        podValidationOptions(context, object.spec.template, old.spec.template),
      ),
    warningsOnCreate: (_write, object) => [
      ...(checks.namesPods ? hostnameWarnings(context, object) : []),
      ...podTemplateWarnings(context, path, object.spec.template),
    ],
    warningsOnUpdate: (_write, object, old) =>
      object.metadata.generation === old.metadata.generation
        ? []
        : podTemplateWarnings(context, path, object.spec.template),
  };
}

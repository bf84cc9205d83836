import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { printResourceName } from "../../checks/resource-name-validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  PodSpec,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { AnyContainer } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const resizeRules = fieldRules<ContainerResizePolicy>(coreV1Types, "ContainerResizePolicy");
const exitCodeRules = fieldRules<ContainerRestartRuleOnExitCodes>(
  coreV1Types,
  "ContainerRestartRuleOnExitCodes",
);
const restartPolicyRulesMax = 20;
const exitCodesMax = 255;

const containerPolicies = ["Always", "Never", "OnFailure"];
const needsPolicy = "must specify restartPolicy when restart rules are used";

/** When containers are restarted: after their end, and when their resources change. */

export function validateRestartPolicy(
  container: AnyContainer,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  const policyPath = path.child("restartPolicy");
  const rulesPath = path.child("restartPolicyRules");
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length === 0) return [];
    errors.push(required(policyPath, needsPolicy));
  } else if (!containerPolicies.includes(restartPolicy)) {
    errors.push(notSupported(policyPath, restartPolicy, containerPolicies));
  }
  return [
    ...errors,
    ...atMost(restartPolicyRulesMax, restartPolicyRules, rulesPath, options),
    ...errorsOfEach(restartPolicyRules, (rule, index) =>
      validateRestartRule(rule, rulesPath.index(index), options),
    ),
  ];
}

/**
 * Without restart rules, an init container may only have `Always`, which makes it a sidecar. A sidecar may only have rules with the gate
 * for restarting all containers.
 */
export function validateInitRestartPolicy(
  container: AnyContainer,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined) {
    const isChecked = isAtLeast(options.level, "1.35") && restartPolicyRules.length > 0;
    return isChecked ? [required(path.child("restartPolicy"), needsPolicy)] : [];
  }
  if (!options.allowRestartRules) {
    if (restartPolicy === "Always") return [];
    return [notSupported(path.child("restartPolicy"), restartPolicy, ["Always"])];
  }
  if (restartPolicy !== "Always" || options.allowRestartAllContainers) {
    return validateRestartPolicy(container, path, options);
  }
  if (restartPolicyRules.length === 0) return [];
  const why = "restartPolicyRules are not allowed for init containers with restart policy Always";
  return [forbidden(path.child("restartPolicyRules"), why)];
}

function validateRestartRule(
  rule: ContainerRestartRule,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const { action = "", exitCodes } = rule;
  const actions = options.allowRestartAllContainers ? ["Restart", "RestartAllContainers"] : ["Restart"];
  if (!actions.includes(action)) errors.push(notSupported(path.child("action"), action, actions));
  if (exitCodes === undefined) return [...errors, required(path.child("exitCodes"), "must be specified")];
  const codesPath = path.child("exitCodes");
  append(errors, exitCodeRules.check(exitCodes, codesPath, "operator"));
  append(errors, atMost(exitCodesMax, exitCodes.values, codesPath.child("values"), options));
  return errors;
}

/** Before 1.36, Kubernetes reports too many items as too long, in bytes. */
function atMost(
  max: number,
  items: readonly unknown[] = [],
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  if (items.length <= max) return [];
  return [isAtLeast(level, "1.36") ? tooMany(path, items.length, max) : tooLong(path, max)];
}

/** Kubernetes reports most of these with the path of the list. */
export function validateResizePolicy(
  policies: readonly ContainerResizePolicy[] | undefined,
  spec: PodSpec,
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  const seen = new Set<string>();
  const resizable = resizeRules.supported("resourceName");
  return errorsOfEach(policies, ({ resourceName, restartPolicy }, index) => {
    const errors: FieldError[] = [];
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), printResourceName(resourceName)));
    seen.add(resourceName);
    if (resourceName === "") append(errors, resizeRules.checkValue("resourceName", resourceName, path));
    else if (!resizable.includes(resourceName)) {
      errors.push(notSupported(path, printResourceName(resourceName), resizable));
    }
    append(errors, resizeRules.checkValue("restartPolicy", restartPolicy, path));
    if (spec.restartPolicy === "Never" && restartPolicy !== "NotRequired" && isAtLeast(level, "1.28")) {
      const why = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, why));
    }
    return errors;
  });
}

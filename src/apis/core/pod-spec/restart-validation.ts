import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ContainerResizePolicy, ContainerRestartRule, PodSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { AnyContainer } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const resizeRules = fieldRules<ContainerResizePolicy>(coreV1Types, "ContainerResizePolicy");

/** When containers are restarted: after their end, and when their resources change. */

const rulesMax = 20;
const exitCodesMax = 255;

export function validateRestartPolicy(
  { restartPolicy, restartPolicyRules = [] }: AnyContainer,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const policyPath = path.child("restartPolicy");
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length === 0) return [];
    return [required(policyPath, "must specify restartPolicy when restart rules are used")];
  }
  const policies = ["Always", "Never", "OnFailure"];
  const rulesPath = path.child("restartPolicyRules");
  return [
    ...(policies.includes(restartPolicy) ? [] : [notSupported(policyPath, restartPolicy, policies)]),
    ...(restartPolicyRules.length > rulesMax
      ? [tooMany(rulesPath, restartPolicyRules.length, rulesMax)]
      : []),
    ...errorsOfEach(restartPolicyRules, (rule, index) =>
      validateRestartRule(rule, rulesPath.index(index), options),
    ),
  ];
}

function validateRestartRule(
  { action = "", exitCodes }: ContainerRestartRule,
  path: FieldPath,
  { allowRestartAllContainers }: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const actions = allowRestartAllContainers ? ["Restart", "RestartAllContainers"] : ["Restart"];
  if (!actions.includes(action)) errors.push(notSupported(path.child("action"), action, actions));
  const codesPath = path.child("exitCodes");
  if (exitCodes === undefined) return [...errors, required(codesPath, "must be specified")];
  const { operator = "", values = [] } = exitCodes;
  const operators = ["In", "NotIn"];
  if (!operators.includes(operator))
    errors.push(notSupported(codesPath.child("operator"), operator, operators));
  if (values.length > exitCodesMax)
    errors.push(tooMany(codesPath.child("values"), values.length, exitCodesMax));
  return errors;
}

/** Kubernetes reports most of these with the path of the list. */
export function validateResizePolicy(
  policies: readonly ContainerResizePolicy[] | undefined,
  spec: PodSpec,
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(policies, ({ resourceName, restartPolicy }, index) => {
    const errors: FieldError[] = [];
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), resourceName));
    seen.add(resourceName);
    append(errors, resizeRules.checkValue("resourceName", resourceName, path));
    append(errors, resizeRules.checkValue("restartPolicy", restartPolicy, path));
    if (spec.restartPolicy === "Never" && restartPolicy !== "NotRequired" && isAtLeast(level, "1.28")) {
      const why = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, why));
    }
    return errors;
  });
}

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
import type { ContainerResizePolicy, ContainerRestartRule, PodSpec } from "../../gen/core-v1.js";
import type { AnyContainer } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

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

const resizedResources = ["cpu", "memory"];
const resizePolicies = ["NotRequired", "RestartContainer"];

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
    if (resourceName === "") errors.push(required(path, ""));
    else if (!resizedResources.includes(resourceName)) {
      errors.push(notSupported(path, resourceName, resizedResources));
    }
    if (restartPolicy === "") errors.push(required(path, ""));
    else if (!resizePolicies.includes(restartPolicy)) {
      errors.push(notSupported(path, restartPolicy, resizePolicies));
    }
    if (spec.restartPolicy === "Never" && restartPolicy !== "NotRequired" && isAtLeast(level, "1.28")) {
      const why = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, why));
    }
    return errors;
  });
}

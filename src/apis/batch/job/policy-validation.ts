import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  invalidUnprinted,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
} from "../../gen/batch-v1.js";
import { batchV1Types } from "../v1/types.js";
import { parseIndexes } from "./index-intervals.js";

/** When a job has failed, and when it has succeeded. */

const failurePolicyRules = fieldRules<PodFailurePolicy>(batchV1Types, "PodFailurePolicy");
const failureRuleRules = fieldRules<PodFailurePolicyRule>(batchV1Types, "PodFailurePolicyRule");
const patternRules = fieldRules<PodFailurePolicyOnPodConditionsPattern>(
  batchV1Types,
  "PodFailurePolicyOnPodConditionsPattern",
);
const exitCodeRules = fieldRules<PodFailurePolicyOnExitCodesRequirement>(
  batchV1Types,
  "PodFailurePolicyOnExitCodesRequirement",
);
const successPolicyRules = fieldRules<SuccessPolicy>(batchV1Types, "SuccessPolicy");
const successRuleRules = fieldRules<SuccessPolicyRule>(batchV1Types, "SuccessPolicyRule");

export function validateFailurePolicy(spec: JobSpec, path: FieldPath, level: ApiLevel): FieldError[] {
  const { podFailurePolicy: policy, template } = spec;
  if (policy === undefined) return [];
  const rulesPath = path.child("rules");
  const rules = policy.rules ?? [];
  const { containers = [], initContainers = [] } = template.spec;
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  return [
    ...failurePolicyRules.check(policy, path, "rules"),
    ...errorsOfEach(rules, (rule, index) =>
      validateFailureRule(rule, rulesPath.index(index), { spec, names, level }),
    ),
  ];
}

interface RuleChecks {
  readonly spec: JobSpec;
  /** The names of the template's containers. */
  readonly names: ReadonlySet<string>;
  readonly level: ApiLevel;
}

function validateFailureRule(rule: PodFailurePolicyRule, path: FieldPath, checks: RuleChecks): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = validateAction(action, path.child("action"), checks);
  if (onExitCodes !== undefined) {
    errors.push(...validateExitCodes(onExitCodes, path.child("onExitCodes"), checks.names));
  }
  append(errors, failureRuleRules.check(rule, path, "onPodConditions"));
  append(errors, validateConditionPatterns(onPodConditions, path.child("onPodConditions")));
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.push(invalidUnprinted(path, "specifying both OnExitCodes and OnPodConditions is not supported"));
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.push(invalidUnprinted(path, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
  return errors;
}

function validateAction(action: string, path: FieldPath, { spec, level }: RuleChecks): FieldError[] {
  const errors = failureRuleRules.at(level).checkValue("action", action, path);
  if (errors.length > 0 || action !== "FailIndex" || spec.backoffLimitPerIndex !== undefined) return errors;
  return [invalid(path, action, "requires the backoffLimitPerIndex to be set")];
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  path: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const { operator, containerName, values = [] } = requirement;
  const errors = exitCodeRules.check(requirement, path, "operator");
  if (containerName !== undefined && !names.has(containerName)) {
    const why = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(path.child("containerName"), containerName, why));
  }
  const valuesPath = path.child("values");
  if (values.length === 0)
    errors.push(invalid(valuesPath, printList("int32", undefined), "at least one value is required"));
  append(errors, exitCodeRules.check(requirement, path, "values"));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const at = valuesPath.index(index);
    if (operator === "In" && value === 0)
      errors.push(invalid(at, value, "must not be 0 for the In operator"));
    if (seen.has(value)) errors.push(duplicate(at, value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? value) > value)) {
    errors.push(invalid(valuesPath, printList("int32", values), "must be ordered"));
  }
  return errors;
}

function validateConditionPatterns(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
): FieldError[] {
  return errorsOfEach(patterns, (pattern, index) =>
    patternRules.check(pattern, path.index(index), "type", "status"),
  );
}

function printSuccessPolicy({ rules = [] }: SuccessPolicy): PrintedValue {
  const printed = rules.map(({ succeededIndexes, succeededCount }) =>
    printStruct("batch.SuccessPolicyRule", {
      SucceededIndexes: printPointer("string", succeededIndexes),
      SucceededCount: printPointer("int32", succeededCount),
    }),
  );
  return printStruct("batch.SuccessPolicy", { Rules: printList("batch.SuccessPolicyRule", printed) });
}

export function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const { successPolicy: policy, completionMode, completions = 0 } = spec;
  if (policy === undefined) return [];
  if (completionMode !== "Indexed") {
    return [invalid(path, printSuccessPolicy(policy), "requires indexed completion mode")];
  }
  const rules = policy.rules ?? [];
  const rulesPath = path.child("rules");
  return [
    ...successPolicyRules.check(policy, path, "rules"),
    ...errorsOfEach(rules, (rule, index) => validateSuccessRule(rule, rulesPath.index(index), completions)),
  ];
}

function validateSuccessRule(rule: SuccessPolicyRule, path: FieldPath, completions: number): FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    errors.push(required(path, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  const parsed = indexes === undefined ? undefined : parseIndexes(indexes, completions);
  append(errors, successRuleRules.check(rule, path, "succeededIndexes"));
  if (parsed !== undefined && "problem" in parsed) {
    errors.push(
      invalid(path.child("succeededIndexes"), indexes, `error parsing succeededIndexes: ${parsed.problem}`),
    );
  }
  if (count === undefined) return errors;
  const countPath = path.child("succeededCount");
  const named = parsed !== undefined && "total" in parsed ? parsed.total : 0;
  append(errors, successRuleRules.check(rule, path, "succeededCount"));
  if (count > completions) {
    const most = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalid(countPath, count, most));
  }
  if (indexes !== undefined && count > named) {
    const most = `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalid(countPath, count, most));
  }
  return errors;
}

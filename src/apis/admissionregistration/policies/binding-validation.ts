import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  hasWordsOf,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import type { ValidatingAdmissionPolicyBinding } from "../../gen/admissionregistration-v1.js";
import { validateMatchResources } from "./match-resources-validation.js";
import { validateParamRef } from "./param-validation.js";

type BindingSpec = ValidatingAdmissionPolicyBinding["spec"];

const actionNames = ["Audit", "Deny", "Warn"];

/** What bindings of both kinds of policies have. Before 1.32, Kubernetes misspells the path of the resources. */
export function validateBindingBasis(
  {
    policyName = "",
    paramRef,
    matchResources,
  }: Pick<BindingSpec, "policyName" | "paramRef" | "matchResources">,
  path: FieldPath,
): FieldError[] {
  const namePath = path.child("policyName");
  return [
    ...(policyName === ""
      ? [required(namePath, "")]
      : isDns1123Subdomain(policyName).map((problem) => invalid(namePath, policyName, problem))),
    ...validateParamRef(paramRef, path.child("paramRef")),
    ...validateMatchResources(
      matchResources,
      path.child(hasWordsOf(32) ? "matchResources" : "matchResouces"),
    ),
  ];
}

/** Before 1.27 bindings have no actions: all deny. */
export function validateValidatingBinding(
  { spec }: ValidatingAdmissionPolicyBinding,
  level: ApiLevel,
): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = validateBindingBasis(spec, path);
  if (isAtLeast(level, "1.27"))
    append(errors, validateActions(spec.validationActions ?? [], path.child("validationActions")));
  return errors;
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    const at = path.index(index);
    if (!actionNames.includes(action)) errors.push(notSupported(at, action, actionNames));
    if (seen.has(action)) errors.push(duplicate(at, action));
    seen.add(action);
  }
  if (seen.has("Deny") && seen.has("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalid(path, actions, why));
  }
  if (seen.size === 0) errors.push(required(path, "at least one validation action is required"));
  return errors;
}

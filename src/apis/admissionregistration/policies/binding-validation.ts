import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ValidatingAdmissionPolicyBinding } from "../../gen/admissionregistration-v1.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateMatchResources } from "./match-resources-validation.js";
import { validateParamRef } from "./param-validation.js";

type BindingSpec = ValidatingAdmissionPolicyBinding["spec"];

const specRules = fieldRules<BindingSpec>(
  admissionregistrationV1Types,
  "ValidatingAdmissionPolicyBindingSpec",
);

/** The rules that bindings of both kinds of policies share. Before 1.32, Kubernetes misspells the path of the resources. */
export function validateBindingBasis(
  { policyName, paramRef, matchResources }: Pick<BindingSpec, "policyName" | "paramRef" | "matchResources">,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  return [
    ...specRules.checkValue("policyName", policyName, path.child("policyName")),
    ...validateParamRef(paramRef, path.child("paramRef"), level),
    ...validateMatchResources(
      matchResources,
      path.child(hasErrorTextsOf(32) ? "matchResources" : "matchResouces"),
    ),
  ];
}

/** Before 1.27 bindings have no actions: all deny. */
export function validateValidatingBinding(
  { spec }: ValidatingAdmissionPolicyBinding,
  level: ApiLevel,
): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = validateBindingBasis(spec, path, level);
  if (!isAtLeast(level, "1.27")) return errors;
  append(errors, specRules.check(spec, path, "validationActions"));
  const { validationActions: actions = [] } = spec;
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    const shown = printList("admissionregistration.ValidationAction", actions);
    errors.push(invalid(path.child("validationActions"), shown, why));
  }
  return errors;
}

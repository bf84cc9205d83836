import { type FieldError, FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusStrategy, strategy } from "../../definition/base-strategy.js";
import { validateConditions } from "../../definition/condition-validation.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../gen/admissionregistration-v1.js";
import { validateValidatingBinding } from "./binding-validation.js";
import { bindingColumns, policyColumns } from "./columns.js";
import { setMatchDefaults, setPolicyDefaults } from "./defaults.js";
import { validateValidatingPolicy } from "./validating-policy-validation.js";

export function validatingAdmissionPolicies(
  context: ApiContext,
): ResourceDefinition<ValidatingAdmissionPolicy> {
  const main = specStrategy<ValidatingAdmissionPolicy>({
    allowUnconditionalUpdate: false,
    emptyStatus: () => ({}),
    validate: (_write, policy) => validateValidatingPolicy(policy, context),
    validateUpdate: (_write, policy, old) => validateValidatingPolicy(policy, context, old),
  });
  return defineResource<ValidatingAdmissionPolicy>({
    group: context.naming.group("admissionregistration"),
    resource: "validatingadmissionpolicies",
    singular: "validatingadmissionpolicy",
    kind: "ValidatingAdmissionPolicy",
    namespaced: false,
    since: "1.30",
    categories: ["api-extensions"],
    versions: [
      hub<ValidatingAdmissionPolicy>(context, {
        version: "v1",
        since: "1.30",
        type: "admissionregistration/v1.ValidatingAdmissionPolicy",
        setDefaults: ({ spec }) => setPolicyDefaults(spec),
      }),
    ],
    storage: { version: "v1", prefix: "/validatingadmissionpolicies" },
    strategy: main,
    subresources: [
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: statusStrategy(main, {
          validateUpdate: (_write, policy) => validateStatus(policy.status),
        }),
      },
    ],
    columns: policyColumns(
      "Validations",
      "How many validations the policy has.",
      ({ spec }) => (spec.validations ?? []).length,
    ),
  });
}

export function validatingAdmissionPolicyBindings(
  context: ApiContext,
): ResourceDefinition<ValidatingAdmissionPolicyBinding> {
  return defineResource<ValidatingAdmissionPolicyBinding>({
    group: context.naming.group("admissionregistration"),
    resource: "validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    namespaced: false,
    since: "1.30",
    categories: ["api-extensions"],
    versions: [
      hub<ValidatingAdmissionPolicyBinding>(context, {
        version: "v1",
        since: "1.30",
        type: "admissionregistration/v1.ValidatingAdmissionPolicyBinding",
        setDefaults: ({ spec }) => setMatchDefaults(spec.matchResources),
      }),
    ],
    storage: { version: "v1", prefix: "/validatingadmissionpolicybindings" },
    strategy: strategy<ValidatingAdmissionPolicyBinding>({
      allowUnconditionalUpdate: false,
      ...generationRules<ValidatingAdmissionPolicyBinding>((binding) => binding.spec, {
        validate: (_write, binding) => validateValidatingBinding(binding),
        validateUpdate: (_write, binding) => validateValidatingBinding(binding),
      }),
    }),
    columns: bindingColumns,
  });
}

function validateStatus({
  typeChecking,
  conditions = [],
}: ValidatingAdmissionPolicy["status"] = {}): FieldError[] {
  const path = FieldPath.of("status");
  const warningsPath = path.child("typeChecking").child("expressionWarnings");
  const errors: FieldError[] = [];
  for (const [index, { fieldRef, warning }] of (typeChecking?.expressionWarnings ?? []).entries()) {
    const at = warningsPath.index(index);
    if (warning === "") errors.push(required(at.child("warning"), ""));
    if (fieldRef.trim() === "") errors.push(required(at.child("fieldRef"), ""));
  }
  return [...errors, ...validateConditions(conditions, path.child("conditions"))];
}

import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateConditions } from "../../checks/condition-validation.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { generationRules } from "../../definition/generation.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../gen/admissionregistration-v1.js";
import type { ValidatingAdmissionPolicy as OlderPolicy } from "../../gen/admissionregistration-v1alpha1.js";
import { withReservedNames } from "../reserved-names.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateValidatingBinding } from "./binding-validation.js";
import { bindingColumns, policyColumns } from "./columns.js";
import { setAlphaParamDefaults, setMatchDefaults, setPolicyDefaults } from "./defaults.js";
import { validateValidatingPolicy } from "./validating-policy-validation.js";

const warningRules = fieldRules<ExpressionWarning>(admissionregistrationV1Types, "ExpressionWarning");
const lifecycle = { introduced: "1.30" };
const removedIn134 = { introduced: "1.28", deprecated: "1.31", removed: "1.34" };

/** They have the fields of v1 that the level has. */
const olderVersions = [
  { version: "v1beta1", since: "1.28", until: "1.34", lifecycle: removedIn134 },
  { version: "v1alpha1", since: "1.26", until: "1.32", lifecycle: undefined },
] as const;

const storage = {
  version: "v1",
  before: { "1.31": { version: "v1beta1" }, "1.29": { version: "v1alpha1" } },
} as const;

export function validatingAdmissionPolicies(
  context: ApiContext,
): ResourceDefinition<ValidatingAdmissionPolicy> {
  const setDefaults = ({ spec }: OlderPolicy): void => setPolicyDefaults(spec);
  const main = specStrategy<ValidatingAdmissionPolicy>({
    allowUnconditionalUpdate: false,
    emptyStatus: () => ({}),
    ...withReservedNames<ValidatingAdmissionPolicy>(context, {
      validate: (_write, policy) => validateValidatingPolicy(policy, context),
      validateUpdate: (_write, policy, old) => validateValidatingPolicy(policy, context, old),
    }),
  });
  return defineResource<ValidatingAdmissionPolicy>({
    group: context.naming.group("admissionregistration"),
    resource: "validatingadmissionpolicies",
    singular: "validatingadmissionpolicy",
    kind: "ValidatingAdmissionPolicy",
    namespaced: false,
    since: "1.26",
    categories: ["api-extensions"],
    versions: [
      hub<ValidatingAdmissionPolicy>(context, {
        version: "v1",
        since: "1.30",
        lifecycle,
        type: "admissionregistration/v1.ValidatingAdmissionPolicy",
        setDefaults,
      }),
      ...olderVersions.map((older) =>
        spoke<ValidatingAdmissionPolicy, OlderPolicy>(context, {
          ...older,
          enabledByDefault: false,
          type: `admissionregistration/${older.version}.ValidatingAdmissionPolicy`,
          setDefaults,
          toHub: (policy) => ({ ...policy, status: policy.status ?? {} }),
          fromHub: isAtLeast(context.level, "1.27") ? (policy) => policy : withoutStatus,
        }),
      ),
    ],
    storage: { ...storage, prefix: "/validatingadmissionpolicies" },
    strategy: main,
    subresources: [
      {
        ...statusPart(main, {
          resetFields: [["metadata"], ["spec"]],
          prepareForUpdate: (_write, policy, old) => resetMetadataForStatus(policy, old),
          validateUpdate: (_write, policy) => validateStatus(policy.status),
        }),
        since: "1.27",
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
    since: "1.26",
    categories: ["api-extensions"],
    versions: [
      hub<ValidatingAdmissionPolicyBinding>(context, {
        version: "v1",
        since: "1.30",
        lifecycle,
        type: "admissionregistration/v1.ValidatingAdmissionPolicyBinding",
        setDefaults: ({ spec }) => setMatchDefaults(spec.matchResources),
      }),
      ...olderVersions.map((older) =>
        spoke<ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding>(context, {
          ...older,
          enabledByDefault: false,
          type: `admissionregistration/${older.version}.ValidatingAdmissionPolicyBinding`,
          setDefaults({ spec }) {
            setMatchDefaults(spec.matchResources);
            if (older.version === "v1alpha1") setAlphaParamDefaults(spec.paramRef);
          },
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: { ...storage, prefix: "/validatingadmissionpolicybindings" },
    strategy: strategy<ValidatingAdmissionPolicyBinding>({
      allowUnconditionalUpdate: false,
      ...withReservedNames<ValidatingAdmissionPolicyBinding>(
        context,
        generationRules<ValidatingAdmissionPolicyBinding>((binding) => binding.spec, {
          validate: (_write, binding) => validateValidatingBinding(binding, context.level),
          validateUpdate: (_write, binding) => validateValidatingBinding(binding, context.level),
        }),
      ),
    }),
    columns: bindingColumns,
  });
}

function withoutStatus({ status: _, ...policy }: ValidatingAdmissionPolicy): OlderPolicy {
  return policy;
}

function validateStatus({
  typeChecking,
  conditions = [],
}: ValidatingAdmissionPolicy["status"] = {}): FieldError[] {
  const path = FieldPath.of("status");
  const warningsPath = path.child("typeChecking").child("expressionWarnings");
  const errors: FieldError[] = [];
  for (const [index, warning] of (typeChecking?.expressionWarnings ?? []).entries()) {
    const { fieldRef } = warning;
    const at = warningsPath.index(index);
    append(errors, warningRules.check(warning, at, "warning"));
    if (fieldRef.trim() === "") errors.push(required(at.child("fieldRef"), ""));
  }
  return [...errors, ...validateConditions(conditions, path.child("conditions"))];
}

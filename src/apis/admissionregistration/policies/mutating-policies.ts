import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from "../../gen/admissionregistration-v1.js";
import { withReservedNames } from "../reserved-names.js";
import { bindingColumns, policyColumns } from "./columns.js";
import { setAlphaParamDefaults, setMatchDefaults, setPolicyDefaults } from "./defaults.js";
import { validateMutatingBinding, validateMutatingPolicy } from "./mutating-policy-validation.js";

/** The older versions have the same fields. */
const olderVersions = [
  {
    version: "v1beta1",
    since: "1.34",
    lifecycle: { introduced: "1.34", deprecated: "1.37", removed: "1.40" },
  },
  {
    version: "v1alpha1",
    since: "1.32",
    lifecycle: { introduced: "1.32", deprecated: "1.35", removed: "1.38" },
  },
] as const;

const lifecycle = { introduced: "1.36" };
const storage = { version: "v1beta1", before: { "1.35": { version: "v1alpha1" } } } as const;

export function mutatingAdmissionPolicies(context: ApiContext): ResourceDefinition<MutatingAdmissionPolicy> {
  const setDefaults = ({ spec }: MutatingAdmissionPolicy): void => setPolicyDefaults(spec);
  return defineResource<MutatingAdmissionPolicy>({
    group: context.naming.group("admissionregistration"),
    resource: "mutatingadmissionpolicies",
    singular: "mutatingadmissionpolicy",
    kind: "MutatingAdmissionPolicy",
    namespaced: false,
    since: "1.32",
    categories: ["api-extensions"],
    versions: [
      hub<MutatingAdmissionPolicy>(context, {
        version: "v1",
        since: "1.36",
        lifecycle,
        type: "admissionregistration/v1.MutatingAdmissionPolicy",
        setDefaults,
      }),
      ...olderVersions.map((older) =>
        spoke<MutatingAdmissionPolicy, MutatingAdmissionPolicy>(context, {
          ...older,
          enabledByDefault: false,
          type: `admissionregistration/${older.version}.MutatingAdmissionPolicy`,
          setDefaults,
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: { ...storage, prefix: "/mutatingadmissionpolicies" },
    strategy: strategy<MutatingAdmissionPolicy>({
      allowUnconditionalUpdate: false,
      ...withReservedNames<MutatingAdmissionPolicy>(
        context,
        generationRules<MutatingAdmissionPolicy>((policy) => policy.spec, {
          validate: (_write, policy) => validateMutatingPolicy(policy, context),
          validateUpdate: (_write, policy, old) => validateMutatingPolicy(policy, context, old),
        }),
      ),
    }),
    columns: policyColumns(
      "Mutations",
      "How many mutations the policy has.",
      ({ spec }) => (spec.mutations ?? []).length,
    ),
  });
}

export function mutatingAdmissionPolicyBindings(
  context: ApiContext,
): ResourceDefinition<MutatingAdmissionPolicyBinding> {
  const setDefaults = ({ spec }: MutatingAdmissionPolicyBinding): void =>
    setMatchDefaults(spec.matchResources);
  return defineResource<MutatingAdmissionPolicyBinding>({
    group: context.naming.group("admissionregistration"),
    resource: "mutatingadmissionpolicybindings",
    kind: "MutatingAdmissionPolicyBinding",
    namespaced: false,
    since: "1.32",
    categories: ["api-extensions"],
    versions: [
      hub<MutatingAdmissionPolicyBinding>(context, {
        version: "v1",
        since: "1.36",
        lifecycle,
        type: "admissionregistration/v1.MutatingAdmissionPolicyBinding",
        setDefaults,
      }),
      ...olderVersions.map((older) =>
        spoke<MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBinding>(context, {
          ...older,
          enabledByDefault: false,
          type: `admissionregistration/${older.version}.MutatingAdmissionPolicyBinding`,
          setDefaults(binding) {
            setDefaults(binding);
            if (older.version === "v1alpha1") setAlphaParamDefaults(binding.spec.paramRef);
          },
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: { ...storage, prefix: "/mutatingadmissionpolicybindings" },
    strategy: strategy<MutatingAdmissionPolicyBinding>({
      allowUnconditionalUpdate: false,
      ...withReservedNames<MutatingAdmissionPolicyBinding>(
        context,
        generationRules<MutatingAdmissionPolicyBinding>((binding) => binding.spec, {
          validate: (_write, binding) => validateMutatingBinding(binding, context.level),
          validateUpdate: (_write, binding) => validateMutatingBinding(binding, context.level),
        }),
      ),
    }),
    columns: bindingColumns,
  });
}

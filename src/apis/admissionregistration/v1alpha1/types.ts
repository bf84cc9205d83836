import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { admissionregistrationV1Types } from "../v1/types.js";

/** The policies of v1. */
export const admissionregistrationV1alpha1Types: TypePackage = siblingVersion(
  "admissionregistration/v1alpha1",
  admissionregistrationV1Types,
  () => ({
    without: [
      "Rule",
      "ValidatingWebhookConfiguration",
      "ValidatingWebhookConfigurationList",
      "MutatingWebhookConfiguration",
      "MutatingWebhookConfigurationList",
      "ValidatingWebhook",
      "MutatingWebhook",
      "RuleWithOperations",
      "WebhookClientConfig",
      "ServiceReference",
    ],
    changed: {
      ParamRef: {
        fields: {
          name: { optional: true, before: { "1.28": { optional: undefined } } },
          selector: { since: "1.28" },
          parameterNotFoundAction: { enum: ["Allow", "Deny"], since: "1.28" },
        },
      },
      ValidatingAdmissionPolicy: { fields: { status: { since: "1.27" } } },
      ValidatingAdmissionPolicyBindingList: {
        fields: { items: { before: { "1.28": { omitempty: true } } } },
      },
      ValidatingAdmissionPolicyBindingSpec: { fields: { validationActions: { since: "1.27" } } },
      ValidatingAdmissionPolicyList: { fields: { items: { before: { "1.28": { omitempty: true } } } } },
      ValidatingAdmissionPolicySpec: {
        fields: {
          validations: { before: { "1.27": { omitempty: undefined, optional: undefined } } },
          auditAnnotations: { since: "1.27" },
          matchConditions: { since: "1.27" },
          variables: { since: "1.28", before: { "1.29": { omitempty: undefined } } },
        },
      },
      Validation: { fields: { messageExpression: { since: "1.27" } } },
      Variable: { structType: undefined },
    },
  }),
);

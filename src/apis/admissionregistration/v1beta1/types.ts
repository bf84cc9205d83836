import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { admissionregistrationV1Types } from "../v1/types.js";

/** The policies of v1, and none of its webhooks. */
export const admissionregistrationV1beta1Types: TypePackage = siblingVersion(
  "admissionregistration/v1beta1",
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
      MatchResources: { fields: { matchPolicy: { enum: undefined } } },
      MutatingAdmissionPolicySpec: { fields: { failurePolicy: { enum: undefined } } },
      ValidatingAdmissionPolicySpec: {
        fields: {
          failurePolicy: { enum: undefined },
          variables: { before: { "1.29": { omitempty: undefined } } },
        },
      },
    },
  }),
);

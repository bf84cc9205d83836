import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../gen/admissionregistration-v1.js";
import { mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings } from "./policies/mutating-policies.js";
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from "./policies/validating-policies.js";
import { webhookConfigurations } from "./webhook-configuration.js";

export function admissionregistrationResources(context: ApiContext): ResourceDefinition[] {
  return [
    webhookConfigurations<MutatingWebhookConfiguration>(context, "MutatingWebhookConfiguration"),
    webhookConfigurations<ValidatingWebhookConfiguration>(context, "ValidatingWebhookConfiguration"),
    mutatingAdmissionPolicies(context),
    mutatingAdmissionPolicyBindings(context),
    validatingAdmissionPolicies(context),
    validatingAdmissionPolicyBindings(context),
  ];
}

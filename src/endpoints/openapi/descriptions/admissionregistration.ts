import type { TypeDescriptions } from "./type-descriptions.js";

export const admissionregistrationTypes: TypeDescriptions = {
  ValidatingWebhookConfiguration: {
    about: "Webhooks that may refuse objects before they are stored.",
  },
  MutatingWebhookConfiguration: {
    about: "Webhooks that may change objects before they are stored.",
  },
  ValidatingWebhook: {
    about: "A service that may refuse objects.",
  },
  MutatingWebhook: {
    about: "A service that may change objects before they are stored.",
  },
  RuleWithOperations: {
    about: "Operations on resources that a webhook is asked about.",
  },
  WebhookClientConfig: {
    about: "How a webhook is reached.",
  },
  ServiceReference: {
    about: "Names a service.",
  },
};

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { webhookClientDescriptions } from "../../definition/webhook-client-descriptions.js";

const rule = {
  apiGroups: "Groups of the resources; '' is core, '*' alone is all.",
  apiVersions: "Versions of the resources; '*' alone is all.",
  resources:
    "Resources, as in pods, or subresources, as in pods/status; '*' is all resources, 'pods/*' and '*/*' include subresources.",
  scope: "Which resources count: Cluster, Namespaced or '*' for both. Default: '*'.",
};

const webhook = {
  admissionReviewVersions:
    "Versions of AdmissionReview that the webhook takes; the server sends the first one it knows, v1 or v1beta1.",
  clientConfig: "How the webhook is reached.",
  failurePolicy:
    "What happens if the webhook cannot be asked: Fail refuses the request, Ignore goes on. Default: Fail.",
  matchPolicy:
    "Exact asks about the listed versions only; Equivalent about others too, converted to a listed one. Default: Equivalent.",
  name: "Domain name of at least three parts, such as check.example.com; unique in the configuration.",
  namespaceSelector:
    "Labels of the namespaces whose objects count; objects without namespace always do. Default: all.",
  objectSelector: "Labels that the object, or its old form, must have to count. Default: all objects.",
  rules: "Requests that the webhook is asked about; one of the rules must match. Empty: none.",
  sideEffects:
    "None, or NoneOnDryRun if the webhook acts elsewhere but not in dry runs; Some and Unknown only where stored already.",
  timeoutSeconds: "Seconds, 1 to 30, after which a call fails as failurePolicy says. Default: 10.",
};

export const admissionregistrationV1Descriptions: TypeDescriptions = {
  ...webhookClientDescriptions,
  Rule: {
    about: "Resources that a webhook is asked about.",
    fields: rule,
  },
  ValidatingWebhookConfiguration: {
    about: "Webhooks that may refuse objects before they are stored.",
    fields: { webhooks: "The webhooks; all that match are asked at the same time." },
  },
  MutatingWebhookConfiguration: {
    about: "Webhooks that may change objects before they are stored.",
    fields: { webhooks: "The webhooks; those that match are asked one after the other." },
  },
  ValidatingWebhook: {
    about: "A service that may refuse objects.",
    fields: webhook,
  },
  MutatingWebhook: {
    about: "A service that may change objects before they are stored.",
    fields: {
      ...webhook,
      reinvocationPolicy:
        "IfNeeded asks once more if later webhooks have changed the object; Never does not. Default: Never.",
    },
  },
  RuleWithOperations: {
    about: "Operations on resources that a webhook is asked about.",
    fields: {
      ...rule,
      operations: "CREATE, UPDATE, DELETE or CONNECT; '*' alone is all.",
    },
  },
};

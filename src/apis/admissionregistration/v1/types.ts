import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const admissionregistrationV1Types: TypePackage = { name: "admissionregistration/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Rule: {
      fields: {
        apiGroups: { number: 1, type: "string", list: true, omitempty: true },
        apiVersions: { number: 2, type: "string", list: true, omitempty: true },
        resources: { number: 3, type: "string", list: true, omitempty: true },
        scope: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Cluster", "Namespaced", "*"],
          elementName: "v1.ScopeType",
        },
      },
    },
    ValidatingWebhookConfiguration: {
      kind: "ValidatingWebhookConfiguration",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        webhooks: {
          number: 2,
          type: "admissionregistration/v1.ValidatingWebhook",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
      },
    },
    ValidatingWebhookConfigurationList: listKind("admissionregistration/v1.ValidatingWebhookConfiguration"),
    MutatingWebhookConfiguration: {
      kind: "MutatingWebhookConfiguration",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        webhooks: {
          number: 2,
          type: "admissionregistration/v1.MutatingWebhook",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
      },
    },
    MutatingWebhookConfigurationList: listKind("admissionregistration/v1.MutatingWebhookConfiguration"),
    ValidatingWebhook: {
      fields: {
        name: { number: 1, type: "string" },
        clientConfig: { number: 2, type: "admissionregistration/v1.WebhookClientConfig" },
        rules: {
          number: 3,
          type: "admissionregistration/v1.RuleWithOperations",
          list: true,
          omitempty: true,
        },
        failurePolicy: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Ignore", "Fail"],
          elementName: "v1.FailurePolicyType",
        },
        matchPolicy: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Exact", "Equivalent"],
          elementName: "v1.MatchPolicyType",
        },
        namespaceSelector: {
          number: 5,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        objectSelector: {
          number: 10,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        sideEffects: {
          number: 6,
          type: "string",
          pointer: true,
          enum: ["Unknown", "None", "Some", "NoneOnDryRun"],
          elementName: "v1.SideEffectClass",
        },
        timeoutSeconds: { number: 7, type: "int32", pointer: true, omitempty: true, optional: true },
        admissionReviewVersions: { number: 8, type: "string", list: true },
      },
    },
    MutatingWebhook: {
      fields: {
        name: { number: 1, type: "string" },
        clientConfig: { number: 2, type: "admissionregistration/v1.WebhookClientConfig" },
        rules: {
          number: 3,
          type: "admissionregistration/v1.RuleWithOperations",
          list: true,
          omitempty: true,
        },
        failurePolicy: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Ignore", "Fail"],
          elementName: "v1.FailurePolicyType",
        },
        matchPolicy: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Exact", "Equivalent"],
          elementName: "v1.MatchPolicyType",
        },
        namespaceSelector: {
          number: 5,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        objectSelector: {
          number: 11,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        sideEffects: {
          number: 6,
          type: "string",
          pointer: true,
          enum: ["Unknown", "None", "Some", "NoneOnDryRun"],
          elementName: "v1.SideEffectClass",
        },
        timeoutSeconds: { number: 7, type: "int32", pointer: true, omitempty: true, optional: true },
        admissionReviewVersions: { number: 8, type: "string", list: true },
        reinvocationPolicy: {
          number: 10,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Never", "IfNeeded"],
          elementName: "v1.ReinvocationPolicyType",
        },
      },
    },
    RuleWithOperations: {
      fields: {
        operations: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          enum: ["*", "CREATE", "UPDATE", "DELETE", "CONNECT"],
          elementName: "v1.OperationType",
          rules: { required: true },
        },
        rule: { number: 2, type: "admissionregistration/v1.Rule", inline: true },
      },
    },
    WebhookClientConfig: {
      fields: {
        url: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        service: {
          number: 1,
          type: "admissionregistration/v1.ServiceReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        caBundle: { number: 2, type: "bytes", omitempty: true, optional: true },
      },
    },
    ServiceReference: {
      fields: {
        namespace: { number: 1, type: "string" },
        name: { number: 2, type: "string" },
        path: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        port: { number: 4, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
  };
}

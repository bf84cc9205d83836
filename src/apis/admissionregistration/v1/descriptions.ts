import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { webhookClientDescriptions } from "../../definition/webhook-client-descriptions.js";

const rule = {
  apiGroups: "Groups of the resources; '' is core, '*' alone is all.",
  apiVersions: "Versions of the resources; '*' alone is all.",
  resources:
    "Resources, as in pods, or subresources, as in pods/status; '*' is all resources, 'pods/*' and '*/*' include subresources.",
  scope: "Which resources count: Cluster, Namespaced or '*' for both. Default: '*'.",
};

const operations = "CREATE, UPDATE, DELETE or CONNECT; '*' alone is all.";

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
  matchConditions: "Further conditions, at most 64, all of which have to hold for the webhook to be called.",
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
      operations,
    },
  },
  ApplyConfiguration: {
    about: "A change in the form of an apply configuration.",
    fields: {
      expression: "CEL expression that makes the configuration, as Object{...}.",
    },
  },
  AuditAnnotation: {
    about: "An annotation of the audit event.",
    fields: {
      key: "Name of the annotation, unique in the policy, which puts its own name before it.",
      valueExpression: "CEL expression of the value; null leaves the annotation out.",
    },
  },
  ExpressionWarning: {
    about: "A problem with the types of an expression.",
    fields: {
      fieldRef: "Path of the expression in the policy.",
      warning: "What may be wrong.",
    },
  },
  JSONPatch: {
    about: "A change in the form of a JSON patch.",
    fields: {
      expression: "CEL expression that makes the list of operations, as JSONPatch{...}.",
    },
  },
  MatchCondition: {
    about: "A condition on a request.",
    fields: {
      name: "Name of the condition, unique in the list.",
      expression: "CEL expression that is true for requests that match.",
    },
  },
  MatchResources: {
    about: "A set of requests.",
    fields: {
      namespaceSelector: "Labels of the object's namespace. Empty: any.",
      objectSelector: "Labels that the object, or the old object, has to have. Empty: any.",
      resourceRules: "Operations and resources; one of the rules has to match.",
      excludeResourceRules: "Operations and resources that do not match, whatever resourceRules says.",
      matchPolicy:
        "Exact looks at the request's version only, Equivalent at all versions of the object. Default: Equivalent.",
    },
  },
  MutatingAdmissionPolicy: {
    about: "Changes that the server makes to objects of requests, where bindings put it in force.",
    fields: {
      spec: "What is changed, and when.",
    },
  },
  MutatingAdmissionPolicyBinding: {
    about: "Puts a mutating policy in force.",
    fields: {
      spec: "Which policy, with which parameters, for which requests.",
    },
  },
  MutatingAdmissionPolicyBindingSpec: {
    fields: {
      policyName: "Name of the policy.",
      paramRef: "Which objects are the parameters, if the policy has a paramKind.",
      matchResources: "Which requests the binding applies to, of those of the policy. Unset: all.",
    },
  },
  MutatingAdmissionPolicySpec: {
    fields: {
      paramKind: "Kind of the objects that bindings may give as parameters.",
      matchConditions: "Further conditions, at most 64, all of which have to hold for the policy to apply.",
      variables: "Values that other expressions use as variables.NAME, in order.",
      matchConstraints: "Which requests the policy applies to. Required.",
      failurePolicy: "What happens if the policy cannot be evaluated: Fail or Ignore. Default: Fail.",
      mutations: "Changes in order; each one sees what those before it did.",
      reinvocationPolicy:
        "Whether the policy runs again if later steps change the object: Never or IfNeeded.",
    },
  },
  Mutation: {
    about: "A change of an object.",
    fields: {
      patchType: "Form of the change: ApplyConfiguration or JSONPatch.",
      applyConfiguration: "The change, if the form is ApplyConfiguration.",
      jsonPatch: "The change, if the form is JSONPatch.",
    },
  },
  NamedRuleWithOperations: {
    about: "Operations on resources, or on single objects.",
    fields: {
      ...rule,
      operations,
      resourceNames: "Names of the objects. Empty: any.",
    },
  },
  ParamKind: {
    about: "The kind of parameters.",
    fields: {
      apiVersion: "Group and version of the kind.",
      kind: "Name of the kind.",
    },
  },
  ParamRef: {
    about: "Names objects that are parameters of a policy, which applies once for each.",
    fields: {
      name: "Name of one object. Excludes selector.",
      namespace: "Namespace of the objects. Unset: that of the request's object, for namespaced parameters.",
      selector: "Labels of the objects. Excludes name.",
      parameterNotFoundAction: "What happens without any such object: Allow or Deny.",
    },
  },
  TypeChecking: {
    about: "What was found in the expressions of a policy.",
    fields: {
      expressionWarnings: "Problems, each with its expression.",
    },
  },
  ValidatingAdmissionPolicy: {
    about: "Checks that the server makes of requests, where bindings put it in force.",
    fields: {
      spec: "What is checked, and when.",
      status: "What was found in the policy.",
    },
  },
  ValidatingAdmissionPolicyBinding: {
    about: "Puts a validating policy in force.",
    fields: {
      spec: "Which policy, with which parameters, for which requests.",
    },
  },
  ValidatingAdmissionPolicyBindingSpec: {
    fields: {
      policyName: "Name of the policy.",
      paramRef: "Which objects are the parameters, if the policy has a paramKind.",
      matchResources: "Which requests the binding applies to, of those of the policy. Unset: all.",
      validationActions:
        "What a failed check does: Deny, Warn, Audit, or several of them, but not both Deny and Warn.",
    },
  },
  ValidatingAdmissionPolicySpec: {
    fields: {
      paramKind: "Kind of the objects that bindings may give as parameters.",
      matchConditions: "Further conditions, at most 64, all of which have to hold for the policy to apply.",
      variables: "Values that other expressions use as variables.NAME, in order.",
      matchConstraints: "Which requests the policy applies to. Required.",
      failurePolicy: "What happens if the policy cannot be evaluated: Fail or Ignore. Default: Fail.",
      validations: "Checks, all of which have to hold.",
      auditAnnotations: "Annotations of audit events for requests that the policy applies to.",
    },
  },
  ValidatingAdmissionPolicyStatus: {
    fields: {
      observedGeneration: "The metadata.generation of the policy that was looked at.",
      typeChecking: "What was found in the expressions.",
      conditions: "What is known of the policy.",
    },
  },
  Validation: {
    about: "A check of a request.",
    fields: {
      expression: "CEL expression that is true for requests that are fine.",
      message: "What clients read of a failure. Required if the expression has several lines.",
      reason:
        "Reason of the failure, which decides the status code: Invalid, Unauthorized, Forbidden or RequestEntityTooLarge.",
      messageExpression: "CEL expression of what clients read; message is for when it fails.",
    },
  },
  Variable: {
    about: "A named value.",
    fields: {
      name: "Name under which expressions use it.",
      expression: "CEL expression of the value, evaluated once and only if it is used.",
    },
  },
};

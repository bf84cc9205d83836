import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const authorizationV1Types = typePackage("authorization/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    SubjectAccessReview: {
      kind: "SubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1.SubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1.SubjectAccessReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    SelfSubjectAccessReview: {
      kind: "SelfSubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1.SelfSubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1.SubjectAccessReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    LocalSubjectAccessReview: {
      kind: "LocalSubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1.SubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1.SubjectAccessReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceAttributes: {
      fields: {
        namespace: { number: 1, type: "string", omitempty: true, optional: true },
        verb: { number: 2, type: "string", omitempty: true, optional: true },
        group: { number: 3, type: "string", omitempty: true, optional: true },
        version: { number: 4, type: "string", omitempty: true, optional: true },
        resource: { number: 5, type: "string", omitempty: true, optional: true },
        subresource: { number: 6, type: "string", omitempty: true, optional: true },
        name: { number: 7, type: "string", omitempty: true, optional: true },
        fieldSelector: {
          number: 8,
          type: "authorization/v1.FieldSelectorAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "AuthorizeWithSelectors",
          since: "1.31",
        },
        labelSelector: {
          number: 9,
          type: "authorization/v1.LabelSelectorAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "AuthorizeWithSelectors",
          since: "1.31",
        },
      },
    },
    NonResourceAttributes: {
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
        verb: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    SubjectAccessReviewSpec: {
      fields: {
        resourceAttributes: {
          number: 1,
          type: "authorization/v1.ResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nonResourceAttributes: {
          number: 2,
          type: "authorization/v1.NonResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        user: { number: 3, type: "string", omitempty: true, optional: true },
        groups: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        extra: {
          number: 5,
          type: "StringList",
          map: true,
          omitempty: true,
          optional: true,
          elementName: "v1.ExtraValue",
        },
        uid: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    SelfSubjectAccessReviewSpec: {
      fields: {
        resourceAttributes: {
          number: 1,
          type: "authorization/v1.ResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nonResourceAttributes: {
          number: 2,
          type: "authorization/v1.NonResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    SubjectAccessReviewStatus: {
      fields: {
        allowed: { number: 1, type: "bool" },
        denied: { number: 4, type: "bool", omitempty: true, optional: true },
        reason: { number: 2, type: "string", omitempty: true, optional: true },
        evaluationError: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    SelfSubjectRulesReview: {
      kind: "SelfSubjectRulesReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1.SelfSubjectRulesReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1.SubjectRulesReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    SelfSubjectRulesReviewSpec: {
      fields: {
        namespace: { number: 1, type: "string", omitempty: true },
      },
    },
    SubjectRulesReviewStatus: {
      fields: {
        resourceRules: {
          number: 1,
          type: "authorization/v1.ResourceRule",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        nonResourceRules: {
          number: 2,
          type: "authorization/v1.NonResourceRule",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        incomplete: { number: 3, type: "bool" },
        evaluationError: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    ResourceRule: {
      fields: {
        verbs: {
          number: 1,
          type: "string",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        apiGroups: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        resources: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        resourceNames: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NonResourceRule: {
      fields: {
        verbs: {
          number: 1,
          type: "string",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        nonResourceURLs: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },

    FieldSelectorAttributes: {
      fields: {
        rawSelector: { number: 1, type: "string", omitempty: true, optional: true },
        requirements: {
          number: 2,
          type: "meta/v1.FieldSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    LabelSelectorAttributes: {
      fields: {
        rawSelector: { number: 1, type: "string", omitempty: true, optional: true },
        requirements: {
          number: 2,
          type: "meta/v1.LabelSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
  };
}

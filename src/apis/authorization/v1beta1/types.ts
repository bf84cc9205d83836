import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const authorizationV1beta1Types: TypePackage = { name: "authorization/v1beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    SubjectAccessReview: {
      kind: "SubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1beta1.SubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1beta1.SubjectAccessReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    SelfSubjectAccessReview: {
      kind: "SelfSubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1beta1.SelfSubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1beta1.SubjectAccessReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    LocalSubjectAccessReview: {
      kind: "LocalSubjectAccessReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authorization/v1beta1.SubjectAccessReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1beta1.SubjectAccessReviewStatus",
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
          type: "authorization/v1beta1.ResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nonResourceAttributes: {
          number: 2,
          type: "authorization/v1beta1.NonResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        user: { number: 3, type: "string", omitempty: true, optional: true },
        group: { number: 4, type: "string", list: true, omitempty: true, optional: true },
        extra: {
          number: 5,
          type: "StringList",
          map: true,
          omitempty: true,
          optional: true,
          elementName: "v1beta1.ExtraValue",
        },
        uid: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    SelfSubjectAccessReviewSpec: {
      fields: {
        resourceAttributes: {
          number: 1,
          type: "authorization/v1beta1.ResourceAttributes",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nonResourceAttributes: {
          number: 2,
          type: "authorization/v1beta1.NonResourceAttributes",
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
        spec: { number: 2, type: "authorization/v1beta1.SelfSubjectRulesReviewSpec" },
        status: {
          number: 3,
          type: "authorization/v1beta1.SubjectRulesReviewStatus",
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
        resourceRules: { number: 1, type: "authorization/v1beta1.ResourceRule", list: true },
        nonResourceRules: { number: 2, type: "authorization/v1beta1.NonResourceRule", list: true },
        incomplete: { number: 3, type: "bool" },
        evaluationError: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    ResourceRule: {
      fields: {
        verbs: { number: 1, type: "string", list: true },
        apiGroups: { number: 2, type: "string", list: true, omitempty: true, optional: true },
        resources: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        resourceNames: { number: 4, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    NonResourceRule: {
      fields: {
        verbs: { number: 1, type: "string", list: true },
        nonResourceURLs: { number: 2, type: "string", list: true, omitempty: true, optional: true },
      },
    },
  };
}

import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const authenticationV1Types = typePackage("authentication/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    TokenReview: {
      kind: "TokenReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authentication/v1.TokenReviewSpec" },
        status: { number: 3, type: "authentication/v1.TokenReviewStatus", omitempty: true, optional: true },
      },
    },
    TokenReviewSpec: {
      fields: {
        token: {
          number: 1,
          type: "string",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined, optional: true } },
        },
        audiences: {
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
    TokenReviewStatus: {
      fields: {
        authenticated: { number: 1, type: "bool", omitempty: true, optional: true },
        user: { number: 2, type: "authentication/v1.UserInfo", omitempty: true, optional: true },
        audiences: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        error: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    UserInfo: {
      fields: {
        username: { number: 1, type: "string", omitempty: true, optional: true },
        uid: { number: 2, type: "string", omitempty: true, optional: true },
        groups: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        extra: {
          number: 4,
          type: "StringList",
          map: true,
          omitempty: true,
          optional: true,
          elementName: "v1.ExtraValue",
        },
      },
    },
    TokenRequest: {
      kind: "TokenRequest",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "authentication/v1.TokenRequestSpec",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        status: { number: 3, type: "authentication/v1.TokenRequestStatus", omitempty: true, optional: true },
      },
    },
    TokenRequestSpec: {
      fields: {
        audiences: {
          number: 1,
          type: "string",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.36": { optional: undefined }, "1.30": { listType: undefined } },
        },
        expirationSeconds: { number: 4, type: "int64", pointer: true, optional: true },
        boundObjectRef: {
          number: 3,
          type: "authentication/v1.BoundObjectReference",
          pointer: true,
          optional: true,
        },
      },
    },
    TokenRequestStatus: {
      fields: {
        token: { number: 1, type: "string", optional: true, before: { "1.36": { optional: undefined } } },
        expirationTimestamp: {
          number: 2,
          type: "Time",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
      },
    },
    BoundObjectReference: {
      fields: {
        kind: { number: 1, type: "string", omitempty: true, optional: true },
        apiVersion: { number: 2, type: "string", omitempty: true, optional: true },
        name: { number: 3, type: "string", omitempty: true, optional: true },
        uid: { number: 4, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
      },
    },

    SelfSubjectReview: {
      kind: "SelfSubjectReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        status: {
          number: 2,
          type: "authentication/v1.SelfSubjectReviewStatus",
          omitempty: true,
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
      },
    },
    SelfSubjectReviewStatus: {
      fields: {
        userInfo: { number: 1, type: "authentication/v1.UserInfo", omitempty: true, optional: true },
      },
    },
  };
}

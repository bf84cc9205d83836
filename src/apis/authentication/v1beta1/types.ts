import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const authenticationV1beta1Types: TypePackage = { name: "authentication/v1beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    TokenReview: {
      kind: "TokenReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "authentication/v1beta1.TokenReviewSpec" },
        status: {
          number: 3,
          type: "authentication/v1beta1.TokenReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    TokenReviewSpec: {
      fields: {
        token: { number: 1, type: "string", omitempty: true, optional: true },
        audiences: { number: 2, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    TokenReviewStatus: {
      fields: {
        authenticated: { number: 1, type: "bool", omitempty: true, optional: true },
        user: { number: 2, type: "authentication/v1beta1.UserInfo", omitempty: true, optional: true },
        audiences: { number: 4, type: "string", list: true, omitempty: true, optional: true },
        error: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    UserInfo: {
      fields: {
        username: { number: 1, type: "string", omitempty: true, optional: true },
        uid: { number: 2, type: "string", omitempty: true, optional: true },
        groups: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        extra: {
          number: 4,
          type: "StringList",
          map: true,
          omitempty: true,
          optional: true,
          elementName: "v1beta1.ExtraValue",
        },
      },
    },
  };
}

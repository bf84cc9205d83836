import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const imagepolicyV1alpha1Types: TypePackage = { name: "imagepolicy/v1alpha1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ImageReview: {
      kind: "ImageReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "imagepolicy/v1alpha1.ImageReviewSpec" },
        status: {
          number: 3,
          type: "imagepolicy/v1alpha1.ImageReviewStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    ImageReviewSpec: {
      fields: {
        containers: {
          number: 1,
          type: "imagepolicy/v1alpha1.ImageReviewContainerSpec",
          list: true,
          omitempty: true,
          optional: true,
        },
        annotations: { number: 2, type: "string", map: true, omitempty: true, optional: true },
        namespace: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    ImageReviewContainerSpec: {
      fields: {
        image: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
    ImageReviewStatus: {
      fields: {
        allowed: { number: 1, type: "bool" },
        reason: { number: 2, type: "string", omitempty: true, optional: true },
        auditAnnotations: { number: 3, type: "string", map: true, omitempty: true, optional: true },
      },
    },
  };
}

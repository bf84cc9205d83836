import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const imagepolicyV1alpha1Types = typePackage("imagepolicy/v1alpha1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ImageReview: {
      kind: "ImageReview",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "imagepolicy/v1alpha1.ImageReviewSpec",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
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
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
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
        allowed: { number: 1, type: "bool", optional: true, before: { "1.36": { optional: undefined } } },
        reason: { number: 2, type: "string", omitempty: true, optional: true },
        auditAnnotations: { number: 3, type: "string", map: true, omitempty: true, optional: true },
      },
    },
  };
}

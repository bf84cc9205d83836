import type { MessageDeclaration } from "../schema/declaration.js";
import { typePackage } from "../schema/type-package.js";

export const metaV1beta1Types = typePackage("meta/v1beta1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PartialObjectMetadataList: {
      kind: "PartialObjectMetadataList",
      fields: {
        metadata: { number: 2, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 1, type: "meta/v1.PartialObjectMetadata", list: true },
      },
    },
  };
}

import type { MessageDeclaration } from "./declaration.js";

/** The list of a kind, by the name of its type: `PodList` of `core/v1.Pod`. */
export function listKind(itemType: string): MessageDeclaration {
  return {
    kind: `${itemType.slice(itemType.lastIndexOf(".") + 1)}List`,
    fields: {
      metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
      items: { number: 2, type: itemType, list: true },
    },
  };
}

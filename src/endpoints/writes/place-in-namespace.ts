import type { ObjectMeta } from "../../apimachinery/objects/meta.js";

/** Call it before any webhook, including a conversion webhook, sees the object: it will be stored in the namespace of the path. */
export function placeInNamespace(
  metadata: ObjectMeta,
  { namespace }: { readonly namespace: string },
  { namespaced }: { readonly namespaced: boolean },
): void {
  if (namespaced && (metadata.namespace ?? "") === "") metadata.namespace = namespace;
}

import type { ObjectMeta } from "../../apimachinery/objects/meta.js";

/** Webhooks, those that convert among them, see the namespace of the path, as the object will be stored. */
export function placeInNamespace(
  metadata: ObjectMeta,
  { namespace }: { readonly namespace: string },
  { namespaced }: { readonly namespaced: boolean },
): void {
  if (namespaced && (metadata.namespace ?? "") === "") metadata.namespace = namespace;
}

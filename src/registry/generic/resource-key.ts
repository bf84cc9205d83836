import { badRequest } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";

/** Key below the resource's prefix. Throws 400 for a namespaced resource without namespace. */
export function keyOf<T extends ApiObject>(
  { namespaced }: ResourceDefinition<T>,
  {
    namespace = "",
    name = "",
  }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): string {
  if (!namespaced) return name;
  if (namespace === "") throw badRequest("Namespace parameter required.");
  return `${namespace}/${name}`;
}

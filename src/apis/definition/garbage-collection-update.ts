import type { ApiObject } from "../../apimachinery/meta.js";
import { isDeepEqual } from "./base-strategy.js";

/**
 * Whether an update changes nothing but owners and finalizers, as garbage collection does. It needs no more than the right to update:
 * checks of what the rest of an object asks for leave it alone.
 */
export function isForGarbageCollection(object: ApiObject, old: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  return isDeepEqual(
    { ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } },
    old,
  );
}

import type { ApiObject } from "../../apimachinery/meta.js";
import { isDeepEqual } from "./base-strategy.js";

/** Whether an update changes only owners and finalizers, as garbage collection does. Such updates skip checks of the rest of the object. */
export function isForGarbageCollection(object: ApiObject, old: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  return isDeepEqual(
    { ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } },
    old,
  );
}

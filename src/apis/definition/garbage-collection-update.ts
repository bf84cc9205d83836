import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";

/** Whether an update changes only owner references and finalizers, as the garbage collector does. Such updates skip other checks. */
export function isForGarbageCollection(object: ApiObject, old: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  return isDeepEqual(
    { ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } },
    old,
  );
}

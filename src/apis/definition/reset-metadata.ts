import type { ApiObject } from "../../apimachinery/meta.js";

/** For status subresources that leave metadata alone, except for the record of who wrote which field. */
export function resetMetadataForStatus(object: ApiObject, old: ApiObject): void {
  const { deletionTimestamp, generation, labels, annotations, finalizers, ownerReferences } = old.metadata;
  Object.assign(object.metadata, {
    deletionTimestamp,
    generation,
    labels,
    annotations,
    finalizers,
    ownerReferences,
  });
}

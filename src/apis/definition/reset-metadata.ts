import type { ApiObject } from "../../apimachinery/meta.js";

/** For status subresources that keep all metadata except managed fields. */
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

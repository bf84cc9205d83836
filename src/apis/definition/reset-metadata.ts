import type { ApiObject } from "../../apimachinery/objects/meta.js";

/**
 * For status subresources: restores the metadata that clients may otherwise change. Unlike with `keepMetadata`, changes of identity (uid,
 * creation time) still reach validation. Source: apimachinery `ResetObjectMetaForStatus`.
 */
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

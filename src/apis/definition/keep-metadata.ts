import type { ApiObject } from "../../apimachinery/meta.js";

/** For status subresources that leave all metadata alone, except for the record of who wrote which field. */
export function keepMetadata(object: ApiObject, old: ApiObject): void {
  object.metadata = { ...old.metadata, managedFields: object.metadata.managedFields };
}

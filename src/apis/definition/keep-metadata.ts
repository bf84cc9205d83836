import type { ApiObject } from "../../apimachinery/objects/meta.js";

/** For status subresources that keep all metadata except managed fields. */
export function keepMetadata(object: ApiObject, old: ApiObject): void {
  object.metadata = { ...old.metadata, managedFields: object.metadata.managedFields };
}

import { parseJson } from "../../apimachinery/json-parse.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json-value.js";
import type { ApiObject, ListMeta } from "../../apimachinery/meta.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import { listMetaJson } from "./table.js";

/** An object's metadata alone, as `meta/v1` `PartialObjectMetadata`. */
export function partialObjectMetadata<T extends ApiObject>(
  view: VersionedView<T>,
  stored: StoredObject<T>,
  apiVersion: string,
): JsonObject {
  const whole = parseJson(`{${view.body(stored).toString("utf8")}`);
  const metadata = isJsonObject(whole) ? (whole.metadata ?? {}) : {};
  return { kind: "PartialObjectMetadata", apiVersion, metadata };
}

export function partialObjectMetadataList<T extends ApiObject>(
  view: VersionedView<T>,
  items: readonly StoredObject<T>[],
  metadata: ListMeta,
  apiVersion: string,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion,
    metadata: listMetaJson(metadata),
    items: items.map((stored) => partialObjectMetadata(view, stored, apiVersion)),
  };
}

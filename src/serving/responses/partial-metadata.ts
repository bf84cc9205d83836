import { memberOf } from "../../apimachinery/json/json-member.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import { knownForm } from "./form-cache.js";

/** The kind that shows only an object's metadata. */
export const partialKind = "PartialObjectMetadata";
export const partialListKind = "PartialObjectMetadataList";

/** The object's metadata as JSON text, as the view shows it. */
export function metadataJson(view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>): Buffer {
  const metadata = view.metadata?.(stored) ?? memberOf(stored.body, "metadata");
  return shownAlone(view.definition, metadata ?? emptyObject);
}

/** The metadata in an object's JSON without opening brace and type. */
export function metadataOf(definition: ResourceDefinition, body: Buffer): Buffer {
  return shownAlone(definition, memberOf(body, "metadata") ?? emptyObject);
}

function shownAlone({ fieldAnnotations }: ResourceDefinition, metadata: Buffer): Buffer {
  if (fieldAnnotations === undefined) return metadata;
  const value = parseJson(metadata);
  if (!isJsonObject(value) || !isJsonObject(value.annotations)) return metadata;
  const kept = Object.entries(value.annotations).filter(([name]) => !fieldAnnotations.includes(name));
  const { annotations: _, ...others } = value;
  const shown = kept.length === 0 ? others : { ...value, annotations: Object.fromEntries(kept) };
  return Buffer.from(printJson(shown));
}

const emptyObject = Buffer.from("{}");

/** `{"kind":"PartialObjectMetadata","apiVersion":"meta.orch.io/v1","metadata":`, which precedes the metadata. */
export function partialHead(apiVersion: string): string {
  return `{"kind":"${partialKind}","apiVersion":${JSON.stringify(apiVersion)},"metadata":`;
}

/** The name of the form that `partialProto` makes. */
export type PartialProto = "protoMetadata";

/** The protobuf message, without envelope, by the codec of `meta/v1.PartialObjectMetadata`; another thread may have made it. */
export function partialProto(
  codec: Codec,
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
): Uint8Array {
  const form: PartialProto = "protoMetadata";
  return (
    knownForm(view, stored, form) ??
    codec.toProto(codec.fromJson({ metadata: parseJson(metadataJson(view, stored)) }))
  );
}

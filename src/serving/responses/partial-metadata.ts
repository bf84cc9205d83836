import { memberOf } from "../../apimachinery/json/json-member.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import { knownForm } from "./form-cache.js";

/** The kind that shows only an object's metadata. */
export const partialKind = "PartialObjectMetadata";
export const partialListKind = "PartialObjectMetadataList";

/** The object's metadata as JSON text, as the view shows it. */
export function metadataJson(view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>): Buffer {
  if (view.metadata !== undefined) return view.metadata(stored);
  return metadataOf(stored.body);
}

/** The metadata in an object's JSON without opening brace and type. */
export function metadataOf(body: Buffer): Buffer {
  return memberOf(body, "metadata") ?? emptyObject;
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

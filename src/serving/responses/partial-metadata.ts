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

/** Reads and prints only the annotations: the managed fields beside them may be large. */
function shownAlone({ fieldAnnotations }: ResourceDefinition, metadata: Buffer): Buffer {
  if (fieldAnnotations === undefined) return metadata;
  const annotations = memberOf(metadata.subarray(1), "annotations");
  const value = annotations && parseJson(annotations);
  if (annotations === undefined || !isJsonObject(value)) return metadata;
  const kept = Object.entries(value).filter(([name]) => !fieldAnnotations.includes(name));
  const start = annotations.byteOffset - metadata.byteOffset;
  const [before, after] = [metadata.subarray(0, start), metadata.subarray(start + annotations.length)];
  if (kept.length > 0)
    return Buffer.concat([before, Buffer.from(printJson(Object.fromEntries(kept))), after]);
  return Buffer.concat(withoutMember(before.subarray(0, -annotationsKey.length), after));
}

const annotationsKey = '"annotations":';
const comma = 0x2c;

/** The text around a member, without one of the commas beside it. */
function withoutMember(before: Buffer, after: Buffer): [before: Buffer, after: Buffer] {
  if (after[0] === comma) return [before, after.subarray(1)];
  return before.at(-1) === comma ? [before.subarray(0, -1), after] : [before, after];
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

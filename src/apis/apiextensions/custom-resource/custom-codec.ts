import { put } from "../../../apimachinery/collections/put.js";
import { copyJson } from "../../../apimachinery/json/json-copy.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import {
  type Codec,
  DecodeError,
  type FromJsonOptions,
  type MessageCodec,
  type TypeMeta,
} from "../../../apimachinery/schema/codec.js";
import type { StructField, StructType } from "../../../apimachinery/schema/merge-type.js";
import { coerceEmbedded } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { objectMergeShape } from "../../../apimachinery/structural-schema/merge-shape.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { printMembers } from "../../../apimachinery/structural-schema/print-sorted.js";
import { type OwnObject, pruneObject } from "../../../apimachinery/structural-schema/prune.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { type CustomObject, jsonOf } from "./custom-object.js";

export interface CustomCodecParts {
  readonly metaCodec: MessageCodec<ObjectMeta>;
  /** Called when the first object is decoded. Undefined means that there is no schema, and all fields are preserved. */
  readonly schema: () => StructuralSchema | undefined;
  /** Whether server-side apply takes list items that lack some of their keys. Default: false. */
  readonly mayOmitKeys?: boolean;
  /** Whether unknown fields are reported in metadata too, those of embedded objects among them. Default: true. */
  readonly reportsMetadata?: boolean;
}

const typeAndMeta: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Reads and writes custom resources by their structural schema: prunes unknown fields and prints keys sorted. Interprets the schema:
 * no code is generated for a definition.
 */
export class CustomCodec implements Codec<CustomObject> {
  readonly schema: undefined;
  readonly #parts: CustomCodecParts;
  /** Types are freed with their schemas. */
  readonly #mergeTypes = new WeakMap<StructuralSchema, StructType>();

  constructor(parts: CustomCodecParts) {
    this.#parts = parts;
  }

  get mergeType(): StructType {
    const schema = this.#parts.schema() ?? anything;
    const known = this.#mergeTypes.get(schema);
    if (known !== undefined) return known;
    const fresh = objectMergeShape(schema, {
      metadata: metadataType(this.#parts.metaCodec.mergeType),
      mayOmitKeys: this.#parts.mayOmitKeys ?? false,
    });
    this.#mergeTypes.set(schema, fresh);
    return fresh;
  }

  fromJson(value: JsonValue, options?: FromJsonOptions): CustomObject {
    if (!isJsonObject(value)) throw new DecodeError("an object must be a JSON object");
    const onUnknown = options?.onUnknownField;
    const onUnknownInMeta = this.#parts.reportsMetadata === false ? undefined : onUnknown;
    const schema = this.#parts.schema();
    // Unknown fields are reported in this order: of the metadata, of the schema, of embedded objects.
    const object: CustomObject = { metadata: this.#metadata(value.metadata, onUnknownInMeta) };
    const kept = schema === undefined ? value : pruneObject(value, schema, true, onUnknown);
    const members: OwnObject = object as OwnObject & CustomObject; // the same object, as JSON
    for (const name in kept) {
      const member = kept[name];
      if (member !== undefined && !typeAndMeta.has(name)) put(members, name, member);
    }
    if (schema?.hasEmbedded === true) {
      const { metaCodec } = this.#parts;
      coerceEmbedded(jsonOf(object), schema, {
        dropsMalformed: options?.dropsMalformed ?? false,
        coerce(metadata, at) {
          const report = onUnknownInMeta && ((path: string) => onUnknownInMeta(`${at}.${path}`));
          return definedMembers(metaCodec.fromJson(metadata, { onUnknownField: report }));
        },
      });
    }
    return object;
  }

  toJson(object: CustomObject): string {
    return `{${this.#members(object)}}`;
  }

  /** Storage keeps custom resources as JSON. */
  toStoredJson(object: CustomObject): string {
    return this.toJson(object);
  }

  toJsonWithType(object: CustomObject, type: TypeMeta): string {
    return `${this.printTypeHead(type)}${this.#members(object)}}`;
  }

  printTypeHead({ apiVersion, kind }: TypeMeta): string {
    return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
  }

  clone(object: CustomObject): CustomObject {
    const { metadata, ...rest } = object;
    const copy: CustomObject = { metadata: this.#parts.metaCodec.clone(metadata) };
    const members: OwnObject = copy as OwnObject & CustomObject; // the same object, as JSON
    for (const name in rest) {
      const member = rest[name];
      // This codec only makes objects with JSON members.
      if (member !== undefined) put(members, name, copyJson(member as JsonValue));
    }
    return copy;
  }

  fromProto(): CustomObject {
    throw new DecodeError("custom resources have no protobuf form");
  }

  toProto(): Uint8Array {
    throw new DecodeError("custom resources have no protobuf form");
  }

  #members(object: CustomObject): string {
    const rest = printMembers(jsonOf(object), typeAndMeta);
    return `"metadata":${this.#parts.metaCodec.toJson(object.metadata)}${rest === "" ? "" : `,${rest}`}`;
  }

  #metadata(value: JsonValue | undefined, onUnknown: ((path: string) => void) | undefined): ObjectMeta {
    const report = onUnknown && ((path: string) => onUnknown(`metadata.${path}`));
    return this.#parts.metaCodec.fromJson(value ?? {}, { onUnknownField: report });
  }
}

const metadataTypes = new WeakMap<object, StructType>();

/** Custom resources are stored as sent, so a manager cannot own the absent creation time of an embedded object. */
function metadataType(declared: StructType): StructType {
  const known = metadataTypes.get(declared);
  if (known !== undefined) return known;
  const fields = new Map<string, StructField>();
  const type: StructType = {
    kind: "struct",
    atomic: declared.atomic,
    others: declared.others,
    field(name) {
      const field = fields.get(name) ?? declared.field(name);
      if (field?.implicit === undefined) return field;
      const explicit = { ...field, implicit: undefined };
      fields.set(name, explicit);
      return explicit;
    },
  };
  metadataTypes.set(declared, type);
  return type;
}

/** Without an absent creation time, which Kubernetes would print as null. */
function definedMembers(object: object): JsonObject {
  const entries: [string, JsonValue][] = Object.entries(object).filter(
    ([, member]) => (member ?? null) !== null,
  );
  return Object.fromEntries(entries);
}

/** For a definition without a schema: all fields are preserved, and owned one by one. */
const anything: StructuralSchema = parseStructuralSchema(
  { type: "object", "keep-preserve-unknown-fields": true },
  "keep-",
);

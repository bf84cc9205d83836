import type { JsonValue } from "../json/json-value.js";
import type { NumberTexts } from "../json/written-number.js";
import type { StructType } from "./merge-type.js";
import type { MessageSchema } from "./message-schema.js";

/**
 * Reads, writes and copies the values of one type, and describes how they merge. Implemented by compiled messages
 * (`compiled-codec.ts`), and for custom resources by an interpreter of structural schemas.
 *
 * The object form of a message is a plain object with the JSON names, in "canonical form":
 * - a message that is not a pointer is always present (`metadata`, `spec`, `resources: {}`);
 * - a zero scalar of an `omitempty` field that is not a pointer is absent (`undefined`), as is an empty list or
 *   map of an `omitempty` field; a scalar without `omitempty` is always present;
 * - quantities, times and base64 bytes are their canonical JSON strings; int64 beyond 2^53 is a `bigint`;
 * - map keys keep their order, and are sorted on encoding;
 * - kind and apiVersion are left out: the context of an object determines group and version.
 * Encoders take any object with those names, canonical or not, and write fields in declaration order.
 */
export interface Codec<T = object> {
  /** For strategic merge patches and comparing quantities; undefined for a type without a message. */
  readonly schema: MessageSchema | undefined;
  /** How values merge and are owned by server-side apply. */
  readonly mergeType: StructType;
  /**
   * Throws `DecodeError`. Unknown fields are dropped and reported to `options.onUnknownField`. The parts that may
   * be any JSON (raw extensions, field sets) are those of `value`, not copies.
   */
  fromJson(value: JsonValue, options?: FromJsonOptions): T;
  /** JSON text, HTML-escaped as Kubernetes prints it, without kind and apiVersion: `{"metadata":{…},…}`. */
  toJson(object: T): string;
  /** Like `toJson`, with null for lists and maps that are empty: storage does not tell these from absent ones. */
  toStoredJson(object: T): string;
  /**
   * Like `toJson`, but starting with the fields of the type itself: `{"kind":"Pod","apiVersion":"v1","metadata":…}`.
   */
  toJsonWithType(object: T, type: TypeMeta): string;
  /** What `toJsonWithType` puts before the members of an object that has any: `{"kind":"Pod","apiVersion":"v1",`. */
  printTypeHead(type: TypeMeta): string;
  /** A plain JSON value sharing nothing with `object`, in canonical form. */
  clone(object: T): T;
  /** The message alone, without envelope. Throws `DecodeError` for malformed bytes. */
  fromProto(bytes: Uint8Array, options?: FromProtoOptions): T;
  toProto(object: T): Uint8Array;
}

/** The codec of a declared message. */
export interface MessageCodec<T = object> extends Codec<T> {
  readonly schema: MessageSchema;
}

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface FromJsonOptions {
  /** Called with the dotted path of each field that the type does not have: `spec.containers[0].nmae`. */
  readonly onUnknownField?: ((path: string) => void) | undefined;
  /** The object may keep the value's string maps instead of copying them: nothing else uses the value. */
  readonly adopts?: boolean | undefined;
  /**
   * Drops members of embedded objects that do not fit, for stored objects: the schema may have got stricter since. Default: they are
   * errors.
   */
  readonly dropsMalformed?: boolean | undefined;
  /** How numbers of the value were written. A declared integer takes no fraction and no exponent, not even `1.0`. */
  readonly numberTexts?: NumberTexts | undefined;
  /** Leaves nulls that the type of their field does not allow, for validation to find. Default: those without a default are dropped. */
  readonly keepsNulls?: boolean | undefined;
}

export interface FromProtoOptions {
  /**
   * Leaves field sets as text, for trusted bytes of objects that are only printed. The output is the same, but the sets have no members.
   */
  readonly leaveFieldSets?: boolean | undefined;
}

/** Input that does not fit the type. Clients read `message`. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** Dotted path of the offending value, empty at the root. */
  readonly path: string;
  /** The message where Kubernetes converts the value without JSON, as it does the result of a strategic merge patch. */
  readonly ofConversion: string;
  constructor(message: string, path = "", ofConversion = message) {
    super(message);
    this.path = path;
    this.ofConversion = ofConversion;
  }
}

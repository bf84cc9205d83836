import { Buffer } from "node:buffer";
import { put } from "../collections/put.js";
import { messageOf } from "../errors/message-of.js";
import { parseJson } from "../json/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import type { NumberTexts } from "../json/written-number.js";
import { canonicalQuantity } from "../values/quantity.js";
import { formatMicroTime, formatTime, parseMicroTime, parseTime, zeroTimeSeconds } from "../values/time.js";
import { assemble, withEmbeddedType, zeroOf } from "./canonical.js";
import { DecodeError } from "./codec.js";
import { conversionProblem } from "./conversion-problem.js";
import type { SpecialType } from "./declaration.js";
import type { DecodeLimits } from "./decode-limits.js";
import { DecodePlace } from "./decode-place.js";
import { DeferredMember } from "./deferred-member.js";
import { elementTypeName, fieldTypeName, shortTypeName } from "./error-type-name.js";
import { durationFromJson } from "./json-special.js";
import { malformedBase64At } from "./malformed-base64.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

export interface SlowDecodeOptions {
  /**
   * Errors name the types of inlined messages on the way to a field, and the fields within JSON schemas, as Kubernetes' decoder does
   * from 1.35.
   */
  readonly namesEmbedded: boolean;
  readonly onUnknownField?: ((path: string) => void) | undefined;
  /** How numbers of the value were written, by path. */
  readonly numberTexts?: NumberTexts | undefined;
  /** The type of JSON schemas, which three special types contain. */
  readonly jsonSchemaProps: () => MessageSchema;
}

/**
 * Decodes values that generated decoders give up on, or explains the failure in the words of Kubernetes' decoder (Go's
 * `encoding/json`). Reports the first type mismatch, but only at the end, because a malformed value (a quantity, a time) fails at
 * once and takes precedence.
 */
export function decodeSlowly(
  schema: MessageSchema,
  value: JsonValue,
  limits: DecodeLimits,
  options: SlowDecodeOptions,
): object {
  const decoder = new SlowDecoder(limits, options);
  const object = decoder.message(schema, value ?? {});
  if (decoder.at.firstMismatch !== undefined) throw decoder.at.firstMismatch;
  return object;
}

class SlowDecoder {
  readonly #limits: DecodeLimits;
  readonly #options: SlowDecodeOptions;
  readonly at: DecodePlace = new DecodePlace();
  /** Kubernetes decodes these schemas with a separate decoder, whose reports it does not pass on. */
  #insideSchemas = 0;

  constructor(limits: DecodeLimits, options: SlowDecodeOptions) {
    this.#limits = limits;
    this.#options = options;
  }

  message(schema: MessageSchema, value: JsonValue): object {
    this.#limits.enter();
    const values = new Map<string, unknown>();
    if (isJsonObject(value)) this.#members(schema, value, values);
    else this.at.mismatch(value, shortTypeName(schema), "struct");
    this.#limits.leave();
    return assemble(schema, values);
  }

  #members(schema: MessageSchema, value: JsonObject, values: Map<string, unknown>): void {
    const outerPath = this.at.path;
    const outerStruct = this.at.struct;
    for (const [key, member] of Object.entries(value)) {
      this.at.path = outerPath === "" ? key : `${outerPath}.${key}`;
      const field = schema.jsonFields.get(key);
      if (field !== undefined) {
        values.set(key, this.#member(schema, key, field, member));
      } else if (schema.kind !== undefined && (key === "kind" || key === "apiVersion")) {
        this.#typeMember(schema, key, member);
      } else if (this.#insideSchemas === 0) {
        this.#options.onUnknownField?.(this.at.path);
      }
    }
    this.at.path = outerPath;
    this.at.struct = outerStruct;
  }

  #member(schema: MessageSchema, key: string, field: FieldSchema, value: JsonValue | undefined): unknown {
    const outerNames = this.at.names.length;
    this.#enter(schema, key, schema.embeddingTypes.get(key) ?? []);
    const decoded = this.#field(field, value);
    this.at.names.length = outerNames;
    return decoded;
  }

  /** Checks that an object's kind or apiVersion is a string. They are not kept, because the context knows them. */
  #typeMember(schema: MessageSchema, key: string, value: JsonValue | undefined): void {
    if (value === null || value === undefined || typeof value === "string") return;
    const outerNames = this.at.names.length;
    this.#enter(schema, key, ["TypeMeta"]);
    this.at.mismatch(value, "string", "string");
    this.at.names.length = outerNames;
  }

  #enter(schema: MessageSchema, key: string, embeddingTypes: readonly string[]): void {
    const { namesEmbedded } = this.#options;
    if (this.#insideSchemas !== 0 && !namesEmbedded) return;
    if (namesEmbedded) this.at.names.push(...embeddingTypes);
    this.at.names.push(key);
    this.at.struct = schema.name.slice(schema.name.indexOf(".") + 1);
  }

  #field(field: FieldSchema, given: JsonValue | undefined): unknown {
    const value = given instanceof DeferredMember ? parseJson(given.text) : given;
    // Conversion passes objects in canonical form, with `undefined` for absent fields.
    if (value === null || value === undefined) return undefined;
    switch (field.cardinality) {
      case "one":
        return this.#element(field, field.element, value);
      case "list":
        return this.#list(field, value);
      case "map":
        return this.#map(field, value);
    }
  }

  #list(field: FieldSchema, value: JsonValue): unknown {
    if (!Array.isArray(value)) {
      this.at.mismatch(value, fieldTypeName(field), "slice");
      return undefined;
    }
    const path = this.at.path;
    const { element } = field;
    const items: readonly JsonValue[] = value;
    const list: unknown[] = [];
    for (const [index, item] of items.entries()) {
      this.at.path = `${path}[${index}]`;
      const read = holdsMessages(element)
        ? this.#element(field, element, item)
        : this.#plain(field, element, item);
      list.push(read ?? zeroOf(element));
    }
    this.at.path = path;
    return list;
  }

  #map(field: FieldSchema, value: JsonValue): unknown {
    if (!isJsonObject(value)) {
      this.at.mismatch(value, fieldTypeName(field), "map");
      return undefined;
    }
    const path = this.at.path;
    const { element } = field;
    const map: { [key: string]: unknown } = {};
    for (const [key, member] of Object.entries(value)) {
      this.at.path = `${path}.${key}`;
      const read = holdsMessages(element)
        ? this.#element(field, element, member)
        : this.#plain(field, element, member);
      put(map, key, read ?? zeroOf(element));
    }
    this.at.path = path;
    return map;
  }

  /** Undefined for null and for values that do not fit. */
  #element(field: FieldSchema, element: ElementType, value: JsonValue): unknown {
    if (value === null || !holdsMessages(element)) return this.#plain(field, element, value);
    return element.kind === "message"
      ? withEmbeddedType(element, this.message(element.message, value))
      : this.#schemaOr(element.special, field, value);
  }

  /** Decodes an element that is not a message. */
  #plain(field: FieldSchema, element: ElementType, value: JsonValue): unknown {
    if (value === null) return undefined;
    switch (element.kind) {
      case "any":
        return value;
      case "message":
        throw new Error("a message is not a plain value");
      case "special":
        return this.#special(element.special, field, value);
      case "scalar":
        break;
    }
    const typeName = elementTypeName(field);
    switch (element.scalar) {
      case "string":
        return typeof value === "string" ? value : this.at.mismatch(value, typeName, "string");
      case "bool":
        return typeof value === "boolean" ? value : this.at.mismatch(value, typeName, "bool");
      case "double":
        if (typeof value === "bigint") return Number(value);
        return typeof value === "number" ? value : this.at.mismatch(value, typeName, "float64");
      case "int32":
        return this.#integer(value, "int32", typeName);
      case "int64":
        return this.#integer(value, "int64", typeName);
      case "bytes":
        return this.#bytes(value, typeName);
    }
  }

  #integer(value: JsonValue, kind: "int32" | "int64", typeName: string): number | bigint | undefined {
    if (typeof value !== "number" && typeof value !== "bigint")
      return this.at.mismatch(value, typeName, kind);
    const written = this.#numberText();
    if (written !== undefined) return this.at.mismatchOf(`number ${written}`, typeName);
    const limit = 1n << (kind === "int32" ? 31n : 63n);
    const fits =
      (typeof value === "bigint" || Number.isSafeInteger(value)) &&
      BigInt(value) >= -limit &&
      BigInt(value) < limit;
    if (!fits) {
      const isFraction = typeof value === "number" && !Number.isInteger(value);
      return this.at.mismatchOf(
        `number ${value}`,
        typeName,
        isFraction ? conversionProblem(value, kind, typeName) : undefined,
      );
    }
    return typeof value === "number" ? value + 0 : value;
  }

  #bytes(value: JsonValue, typeName: string): string | undefined {
    if (Array.isArray(value)) {
      const bytes = value.map((item: JsonValue) => this.#byte(item));
      return Buffer.from(bytes).toString("base64");
    }
    if (typeof value !== "string") return this.at.mismatch(value, typeName, "slice");
    const text = value.replace(/[\r\n]/g, "");
    const bad = malformedBase64At(text);
    if (bad === undefined) return Buffer.from(text, "base64").toString("base64");
    const why = `illegal base64 data at input byte ${bad}`;
    this.at.note(why, `error decoding from json: ${why}`);
    return undefined;
  }

  #byte(item: JsonValue): number {
    if (typeof item === "number" && Number.isInteger(item) && item >= 0 && item < 256) return item;
    if (typeof item === "number") this.at.mismatchOf(`number ${item}`, "uint8");
    else if (item !== null) this.at.mismatch(item, "uint8", "uint8");
    return 0;
  }

  #special(special: SpecialType, field: FieldSchema, value: JsonValue): unknown {
    switch (special) {
      case "Quantity":
        return this.#parsed(() => canonicalQuantity(this.#numberText() ?? textOf(value).trim()));
      case "Time":
        return this.#time(value, (text) => {
          const { seconds } = parseTime(text);
          return seconds === zeroTimeSeconds ? undefined : formatTime(seconds);
        });
      case "MicroTime":
        return this.#time(value, (text) => {
          const instant = parseMicroTime(text);
          const isZero = instant.seconds === zeroTimeSeconds && instant.nanos < 1000;
          return isZero ? undefined : formatMicroTime(instant);
        });
      case "Duration":
        if (typeof value !== "string") this.at.fatalMismatch(value, "string");
        return this.#parsed(() => durationFromJson(value), `time: invalid duration ${JSON.stringify(value)}`);
      case "IntOrString":
        if (typeof value === "string") return value;
        if (typeof value !== "number" && typeof value !== "bigint") this.at.fatalMismatch(value, "int32");
        return this.#int32OrFatal(value);
      case "RawExtension":
      case "JSON":
      case "FieldsV1":
      case "Unknown":
        return value;
      case "StringList":
        return this.#stringList(field, value);
      default:
        throw new Error("a schema is not a plain value");
    }
  }

  #int32OrFatal(value: number | bigint): number {
    const written = this.#numberText();
    if (typeof value !== "number" || (value | 0) !== value || written !== undefined)
      return this.at.fatal(`number ${written ?? value}`, "int32");
    return value | 0;
  }

  /** How the number at this place was written, if not as its value is printed. */
  #numberText(): string | undefined {
    return this.#options.numberTexts?.get(this.at.path)?.slice(0, shownDigitsMax);
  }

  #schemaOr(special: SpecialType, field: FieldSchema, value: JsonValue): unknown {
    if (special === "JSONSchemaPropsOrBool") {
      if (typeof value === "boolean") return value;
      if (isJsonObject(value)) return this.#jsonSchema(value);
      throw new DecodeError("boolean or JSON schema expected", this.at.path);
    }
    if (!Array.isArray(value)) return isJsonObject(value) ? this.#jsonSchema(value) : undefined;
    if (special === "JSONSchemaPropsOrStringArray") return this.#nonEmpty(this.#stringList(field, value));
    const schemas: object[] = [];
    for (const item of value as readonly JsonValue[]) schemas.push(this.#jsonSchema(item));
    return this.#nonEmpty(schemas);
  }

  #jsonSchema(value: JsonValue): object {
    const earlier = this.at.firstMismatch;
    this.at.firstMismatch = undefined;
    this.#insideSchemas++;
    const schema = this.message(this.#options.jsonSchemaProps(), value ?? {});
    this.#insideSchemas--;
    if (this.at.firstMismatch !== undefined) throw this.at.firstMismatch;
    this.at.firstMismatch = earlier;
    return schema;
  }

  #nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
    return list === undefined || list.length === 0 ? undefined : list;
  }

  #stringList(field: FieldSchema, value: JsonValue): string[] | undefined {
    if (!Array.isArray(value)) return this.at.mismatch(value, elementTypeName(field), "slice");
    return value.map((item: JsonValue) => {
      if (typeof item !== "string" && item !== null) this.at.mismatch(item, "string", "string");
      return typeof item === "string" ? item : "";
    });
  }

  #time(value: JsonValue, read: (text: string) => string | undefined): string | undefined {
    if (typeof value !== "string") return this.at.fatalMismatch(value, "string");
    return this.#parsed(() => read(value));
  }

  #parsed<T>(read: () => T, words?: string): T {
    try {
      return read();
    } catch (error) {
      if (words !== undefined) throw new DecodeError(words, this.at.path);
      throw new DecodeError(messageOf(error), this.at.path);
    }
  }
}

function holdsMessages(element: ElementType): element is MessageElement {
  if (element.kind === "message") return true;
  return element.kind === "special" && schemaTypes.has(element.special);
}

type MessageElement = Extract<ElementType, { kind: "message" | "special" }>;

const schemaTypes: ReadonlySet<SpecialType> = new Set([
  "JSONSchemaPropsOrBool",
  "JSONSchemaPropsOrArray",
  "JSONSchemaPropsOrStringArray",
]);

/** Of a number in an error. */
const shownDigitsMax = 40;

/** The input of the quantity parser: the content of a string, or the JSON text of any other value. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value as JsonObject) : `${value}`;
}

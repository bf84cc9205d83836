import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { CelRuntimeError } from "./cel-error.js";
import { CelDuration, CelTimestamp, durationOf, timestampOf } from "./cel-times.js";
import { type CelType, scalarTypes, typeText } from "./cel-type.js";
import type { RequestUri } from "./request-uri.js";
import { declaredName } from "./reserved-words.js";

/** `int` is a bigint, `double` a number. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelList
  | CelMap
  | CelObject
  | CelTimestamp
  | CelDuration
  | CelTypeValue
  | CelUrl
  | CelOpaque
  | CelOptional;

export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class CelTypeValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class CelUrl {
  readonly text: string;
  readonly uri: RequestUri;
  constructor(text: string, uri: RequestUri) {
    this.text = text;
    this.uri = uri;
  }
}

/** A value of a library's own type, which only its functions look into. */
export class CelOpaque<T = unknown> {
  /** As `typeText` prints its type. */
  readonly typeName: string;
  readonly value: T;
  /** Equal for equal values. */
  readonly key: string;

  constructor(typeName: string, value: T, key: string) {
    this.typeName = typeName;
    this.value = value;
    this.key = key;
  }
}

/** `value` is undefined where there is none. */
export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value?: CelValue) {
    this.value = value;
  }
}

export interface ListRelation {
  readonly relation?: "set" | "map" | undefined;
  /** JSON names. */
  readonly keys?: readonly string[] | undefined;
}

/** A list that decodes its JSON items on access, or that was computed. */
export class CelList {
  readonly size: number;
  readonly by: ListRelation;
  /** Whether its items are those of JSON. */
  readonly isJson: boolean;
  readonly #at: (index: number) => CelValue;

  private constructor(size: number, at: (index: number) => CelValue, by: ListRelation, isJson: boolean) {
    this.size = size;
    this.#at = at;
    this.by = by;
    this.isJson = isJson;
  }

  static of(values: readonly CelValue[], by: ListRelation = {}): CelList {
    return new CelList(values.length, (index) => values[index] ?? null, by, false);
  }

  static ofJson(items: readonly JsonValue[], element: CelType, by: ListRelation): CelList {
    return new CelList(items.length, (index) => fromJson(items[index] ?? null, element), by, true);
  }

  at(index: number): CelValue {
    return this.#at(index);
  }

  *values(): Iterable<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.#at(index);
  }
}

/** Keys are texts, whole numbers and booleans. */
export type CelKey = string | bigint | boolean;

export class CelMap {
  /** Of an object literal: `Object.spec`. */
  readonly typeName: string | undefined;
  /** Whether its members are those of JSON. */
  readonly isJson: boolean;
  readonly #names: () => Iterable<CelKey>;
  readonly #count: () => number;
  readonly #get: (key: CelKey) => CelValue | undefined;

  private constructor(
    count: () => number,
    names: () => Iterable<CelKey>,
    get: (key: CelKey) => CelValue | undefined,
    { typeName, isJson = false }: { readonly typeName?: string | undefined; readonly isJson?: boolean } = {},
  ) {
    this.typeName = typeName;
    this.isJson = isJson;
    this.#count = count;
    this.#names = names;
    this.#get = get;
  }

  static of(entries: ReadonlyMap<CelKey, CelValue>, typeName?: string): CelMap {
    return new CelMap(
      () => entries.size,
      () => entries.keys(),
      (key) => entries.get(key),
      { typeName },
    );
  }

  /** A map whose members are computed when an expression reads them. `get` may throw what evaluation throws. */
  static computed(members: ReadonlyMap<string, unknown>, get: (name: string) => CelValue): CelMap {
    return new CelMap(
      () => members.size,
      () => members.keys(),
      (key) => (typeof key === "string" && members.has(key) ? get(key) : undefined),
    );
  }

  static ofJson(object: JsonObject, value: CelType): CelMap {
    return new CelMap(
      () => namesOf(object).length,
      () => namesOf(object),
      (key) => {
        const member = typeof key === "string" && Object.hasOwn(object, key) ? object[key] : undefined;
        return member === undefined ? undefined : fromJson(member, value);
      },
      { isJson: true },
    );
  }

  get size(): number {
    return this.#count();
  }

  keys(): Iterable<CelKey> {
    return this.#names();
  }

  get(key: CelKey): CelValue | undefined {
    return this.#get(key);
  }
}

const keptNames = new WeakMap<JsonObject, readonly string[]>();

/** The names are listed once per object: maps may be large, and selecting from one is charged only one step. */
function namesOf(object: JsonObject): readonly string[] {
  let names = keptNames.get(object);
  if (names === undefined) {
    names = Object.keys(object).filter((name) => object[name] !== undefined);
    keptNames.set(object, names);
  }
  return names;
}

/** An object with declared fields. */
export class CelObject {
  readonly json: JsonObject;
  readonly type: CelType & { readonly kind: "object" };

  constructor(json: JsonObject, type: CelType & { readonly kind: "object" }) {
    this.json = json;
    this.type = type;
  }

  /** `field` is its name in expressions; undefined when it is not set, or null. */
  get(field: string): CelValue | undefined {
    const declared = this.type.fields.get(declaredName(this.type, field));
    if (declared === undefined) return undefined;
    const member = Object.hasOwn(this.json, declared.name) ? this.json[declared.name] : undefined;
    return member === undefined || member === null ? undefined : fromJson(member, declared.type);
  }
}

/** Decodes JSON as a value of a type. Throws `CelRuntimeError` when it does not fit. */
export function fromJson(json: JsonValue, type: CelType): CelValue {
  if (json === null) return null;
  switch (type.kind) {
    case "bool":
      if (typeof json === "boolean") return json;
      break;
    case "int":
      if (typeof json === "bigint") return json;
      if (typeof json === "number" && Number.isInteger(json)) return BigInt(json);
      break;
    case "double":
      if (typeof json === "number" || typeof json === "bigint") return Number(json);
      break;
    case "string":
      if (typeof json === "string") return json;
      break;
    case "bytes":
      if (typeof json === "string") return Buffer.from(json, "base64");
      break;
    case "timestamp":
      if (typeof json === "string") return timestampOf(json);
      break;
    case "duration":
      if (typeof json === "string") return durationOf(json);
      break;
    case "list":
      if (isJsonArray(json)) {
        return CelList.ofJson(json, type.element, { relation: type.relation, keys: type.keys });
      }
      break;
    case "map":
      if (isJsonObject(json)) return CelMap.ofJson(json, type.value);
      break;
    case "object":
      if (isJsonObject(json)) return new CelObject(json, type);
      break;
    case "dyn":
      return untyped(json);
    default:
      break;
  }
  throw new CelRuntimeError(
    `invalid data, expected ${type.kind}, got ${isJsonArray(json) ? "list" : typeof json}`,
  );
}

function untyped(json: JsonValue): CelValue {
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  if (isJsonArray(json)) return CelList.ofJson(json, scalarTypes.dyn, {});
  if (isJsonObject(json)) return CelMap.ofJson(json, scalarTypes.dyn);
  return json;
}

export function typeOfValue(value: CelValue): string {
  if (value === null) return "null_type";
  if (value instanceof CelUint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof CelList) return "list";
  if (value instanceof CelMap) return value.typeName ?? "map";
  if (value instanceof CelObject) return value.type.name;
  if (value instanceof CelTimestamp) return "google.protobuf.Timestamp";
  if (value instanceof CelDuration) return "google.protobuf.Duration";
  if (value instanceof CelTypeValue) return "type";
  if (value instanceof CelUrl) return typeText(scalarTypes.url);
  if (value instanceof CelOpaque) return value.typeName;
  if (value instanceof CelOptional) return "optional_type";
  switch (typeof value) {
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}

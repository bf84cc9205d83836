import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";

/** What counting needs of a schema whose own default is not counted yet. */
export interface UncountedSchema {
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, CountedSchema>;
  readonly additional: CountedSchema | boolean | undefined;
  readonly items: CountedSchema | undefined;
  readonly defaultedProperties: readonly (readonly [name: string, property: CountedSchema])[];
  readonly hasDefaults: boolean;
}

export interface CountedSchema extends UncountedSchema {
  readonly defaultBytes: number;
}

/** Bytes that any object may get from defaults. */
const smallBytes = 16 * 1024;
/** Bytes that even a small object may get. Objects are also read on the serving thread, and may be older than the defaults. */
const addedBytesMin = 256 * 1024;
/** Limit for an object with its defaults: what can be stored, less what later writes, such as a deletion, add to the metadata. */
const objectBytesMax = (1536 - 64) * 1024;

/**
 * Whether the missing defaults of a whole object may be added to it: 256 KiB, or as many bytes as the object has without them, and no
 * more than can be stored. A default of a megabyte in each of thousands of items would take gigabytes otherwise.
 */
export function defaultsFit(value: JsonValue | undefined, schema: CountedSchema): boolean {
  if (!schema.hasDefaults) return true;
  const missing = new MissingDefaults();
  missing.count(value, schema);
  const { bytes } = missing;
  if (bytes <= smallBytes) return true;
  if (bytes > objectBytesMax) return false;
  const ownBytes = jsonBytes(value);
  return bytes <= Math.max(addedBytesMin, ownBytes) && ownBytes + bytes <= objectBytesMax;
}

/** Whether one default may be added to any object. */
export function defaultFits({ defaultBytes }: CountedSchema): boolean {
  return defaultBytes <= addedBytesMin;
}

/** Bytes of JSON that a default adds with all defaults within it; infinite for the sum of very many. */
export function addedByDefault(value: JsonValue, schema: UncountedSchema): number {
  const missing = new MissingDefaults();
  missing.count(value, schema);
  return jsonBytes(value) + missing.bytes;
}

/** Counts before anything is added. Stops at the limit. */
class MissingDefaults {
  bytes = 0;

  count(value: JsonValue | undefined, schema: UncountedSchema): void {
    if (!schema.hasDefaults || typeof value !== "object" || value === null || this.#isOver) return;
    if (isJsonArray(value)) {
      if (schema.items?.hasDefaults === true) this.#countItems(value, schema.items);
    } else if (isJsonObject(value)) {
      for (const [name, property] of schema.defaultedProperties) {
        const member = Object.hasOwn(value, name) ? value[name] : undefined;
        if (member === undefined || (member === null && !property.nullable)) this.#add(name, property);
        if (this.#isOver) return;
      }
      this.#countMembers(value, schema);
    }
  }

  #countItems(items: readonly JsonValue[], schema: CountedSchema): void {
    for (const item of items) {
      if (this.#isOver) return;
      if (item !== null) this.count(item, schema);
      else if (!schema.nullable) this.bytes += schema.defaultBytes;
    }
  }

  #countMembers(object: JsonObject, schema: UncountedSchema): void {
    for (const name in object) {
      if (this.#isOver) return;
      const property = schema.properties.get(name) ?? schema.additional;
      if (typeof property !== "object") continue;
      const member = object[name];
      if (member !== null) this.count(member, property);
      // Properties with a schema of their own are already counted.
      else if (!property.nullable && !schema.properties.has(name)) this.#add(name, property);
    }
  }

  #add(name: string, { defaultBytes }: CountedSchema): void {
    this.bytes += name.length + quotesAndComma + defaultBytes;
  }

  get #isOver(): boolean {
    return this.bytes > objectBytesMax;
  }
}

/** `"":,` */
const quotesAndComma = 4;

/** The length of a value as JSON in UTF-8, without escapes. */
function jsonBytes(value: JsonValue | undefined): number {
  if (typeof value === "string") return Buffer.byteLength(value) + 2;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : String(value).length;
  let bytes = 2;
  if (isJsonArray(value)) for (const item of value) bytes += jsonBytes(item) + 1;
  else if (isJsonObject(value)) {
    for (const name in value) bytes += name.length + quotesAndComma + jsonBytes(value[name]);
  }
  return bytes;
}

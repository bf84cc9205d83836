import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import { parseExceptSets } from "../../apimachinery/managed-fields/unparsed-sets.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { StoredObject } from "../../storage/object-store.js";
import { storedValue } from "./resource-codec.js";

/** The object that a write starts from, decoded once. */
export class CurrentObject<T extends ApiObject> {
  readonly stored: StoredObject<T>;
  readonly #definition: ResourceDefinition<T>;
  #old: T | undefined;
  #value: JsonObject | undefined;

  /** `converted` is the form that writes use, if it is not the stored one. */
  constructor(definition: ResourceDefinition<T>, stored: StoredObject<T>, converted?: T) {
    this.#definition = definition;
    this.stored = stored;
    this.#old = converted;
  }

  /** In the hub version. Do not change it. */
  get old(): T {
    this.#old ??= this.#value === undefined ? this.stored.decode() : this.#decoded(this.#value);
    return this.#old;
  }

  /** A copy that the caller may change. */
  copy(): T {
    return hubVersion(this.#definition).codec.clone(this.old);
  }

  /** JSON in the hub version, see `parseBody`; must not be changed. Only for objects that are stored in the hub version. */
  json(withSets: boolean): JsonObject {
    const value = parseBody(this.stored.body, withSets);
    // `old` may share these values, because nobody changes them.
    if (this.#definition.storage?.deferred === undefined) this.#value = value;
    return value;
  }

  #decoded(value: JsonObject): T {
    return hubVersion(this.#definition).codec.fromJson(value, storedValue);
  }
}

/** The JSON in the body of a stored object, without its type. Large field sets are only read `withSets`. */
export function parseBody(body: Buffer, withSets: boolean): JsonObject {
  const value = withSets ? parseJson(`{${body.toString("utf8")}`) : parseExceptSets(body);
  if (!isJsonObject(value)) throw new Error("a stored object must be a JSON object");
  return value;
}

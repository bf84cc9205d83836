import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { parseLeavingSets } from "../../apimachinery/managed-fields/unread-sets.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { StoredObject } from "../../storage/object-store.js";
import { storedValue } from "./resource-codec.js";

/** The object that a write starts from, decoded once. */
export class CurrentObject<T extends ApiObject> {
  readonly stored: StoredObject<T>;
  /** False where writes work on another form than the stored one. */
  readonly isAsStored: boolean;
  readonly #definition: ResourceDefinition<T>;
  #old: T | undefined;
  #value: JsonValue | undefined;

  /** `converted` is the form that writes work on, where that is not the stored one. */
  constructor(definition: ResourceDefinition<T>, stored: StoredObject<T>, converted?: T) {
    this.#definition = definition;
    this.stored = stored;
    this.isAsStored = converted === undefined;
    this.#old = converted;
  }

  /** In the hub version. Not to be changed. */
  get old(): T {
    this.#old ??= this.#value === undefined ? this.stored.decode() : this.#decoded(this.#value);
    return this.#old;
  }

  /** A copy that the caller may change. */
  copy(): T {
    // The hub codec's form is T by the definition's contract.
    return hubVersion(this.#definition).codec.clone(this.old) as T;
  }

  /**
   * The stored object's JSON in the hub version, not to be changed: what a client of that version reads, without its type. Large field sets
   * are only read `withSets`.
   */
  json(withSets: boolean): JsonObject {
    const { body } = this.stored;
    const value = withSets ? parseJson(`{${body.toString("utf8")}`) : parseLeavingSets(body);
    // The object may be made of the same values, which nobody changes.
    if (this.#definition.storage?.deferred === undefined) this.#value = value;
    if (!isJsonObject(value)) throw new Error("a stored object is a JSON object");
    return value;
  }

  #decoded(value: JsonValue): T {
    return hubVersion(this.#definition).codec.fromJson(value, storedValue) as T;
  }
}

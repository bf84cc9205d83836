import type { JsonObject } from "../json-value.js";
import type { MergeType } from "../schema/merge-type.js";

/** The versions of one kind. */
export interface ObjectVersions {
  /** The kind's type at `apiVersion`; undefined when it is no longer served. */
  typeAt(apiVersion: string): MergeType | undefined;
  /** Converts a plain JSON object from version `from` to `to`; both have types. */
  convert(object: JsonObject, from: string, to: string): JsonObject;
}

/** One object, converted to each version on demand. */
export class VersionedObject {
  readonly #versions: ObjectVersions;
  readonly #converted = new Map<string, JsonObject>();
  readonly #apiVersion: string;
  readonly object: JsonObject;

  constructor(object: JsonObject, apiVersion: string, versions: ObjectVersions) {
    this.object = object;
    this.#apiVersion = apiVersion;
    this.#versions = versions;
    this.#converted.set(apiVersion, object);
  }

  at(apiVersion: string): JsonObject {
    let object = this.#converted.get(apiVersion);
    if (object === undefined) {
      object = this.#versions.convert(this.object, this.#apiVersion, apiVersion);
      this.#converted.set(apiVersion, object);
    }
    return object;
  }
}

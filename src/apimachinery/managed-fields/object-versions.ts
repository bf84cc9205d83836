import type { ConversionScope } from "../conversion-scope.js";
import type { JsonObject } from "../json-value.js";
import type { MergeType } from "../schema/merge-type.js";
import { awaiting, type WaitingSteps } from "../steps.js";

/** The versions of one kind. */
export interface ObjectVersions {
  /** The kind's type at `apiVersion`; undefined when it is no longer served. */
  typeAt(apiVersion: string): MergeType | undefined;
  /** Converts a plain JSON object; both versions have types. */
  convert(object: JsonObject, conversion: RequestedConversion): JsonObject | Promise<JsonObject>;
}

export interface RequestedConversion {
  readonly from: string;
  readonly to: string;
  readonly scope: ConversionScope;
}

/** The versions of an object's kind, and the write for which it is converted. */
export interface VersionedContext {
  readonly versions: ObjectVersions;
  readonly scope: ConversionScope;
}

/** One object, converted to each version on demand. */
export class VersionedObject {
  readonly #context: VersionedContext;
  readonly #converted = new Map<string, JsonObject>();
  readonly #apiVersion: string;
  readonly object: JsonObject;

  constructor(object: JsonObject, apiVersion: string, context: VersionedContext) {
    this.object = object;
    this.#apiVersion = apiVersion;
    this.#context = context;
    this.#converted.set(apiVersion, object);
  }

  *at(apiVersion: string): WaitingSteps<JsonObject> {
    const known = this.#converted.get(apiVersion);
    if (known !== undefined) return known;
    const { versions, scope } = this.#context;
    const converting = versions.convert(this.object, { from: this.#apiVersion, to: apiVersion, scope });
    const object = converting instanceof Promise ? yield* awaiting(converting) : converting;
    this.#converted.set(apiVersion, object);
    return object;
  }
}

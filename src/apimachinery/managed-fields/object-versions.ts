import type { StatusError } from "../errors/status.js";
import type { JsonObject } from "../json/json-value.js";
import type { ConversionScope } from "../objects/conversion-scope.js";
import type { MaybePromise } from "../objects/maybe-promise.js";
import type { MergeType } from "../schema/merge-type.js";
import { checkTyped } from "./check-typed.js";

/** The versions of one kind. */
export interface ObjectVersions {
  /** The kind's type at `apiVersion`; undefined when it is no longer served. */
  typeAt(apiVersion: string): MergeType | undefined;
  /** Converts a plain JSON object between two versions that `typeAt` knows. A promise only if a webhook converts. */
  convert(object: JsonObject, conversion: RequestedConversion): MaybePromise<JsonObject>;
  /**
   * Whether versions differ only in `apiVersion`, as for custom resources with conversion None: an object may then have fields that
   * another version does not declare. Default: `convert` drops those.
   */
  readonly areAlike?: boolean | undefined;
  /** The error of an apply to an object with a manager at a version that the kind lacks. Without it, such a manager is dropped. */
  refuseManagerAt?(apiVersion: string): StatusError;
}

export interface RequestedConversion {
  readonly from: string;
  readonly to: string;
  readonly scope: ConversionScope;
}

/** The versions of an object's kind, and the write that needs the conversions. */
export interface VersionedContext {
  readonly versions: ObjectVersions;
  readonly scope: ConversionScope;
}

/** Throws `TypedValueError` for an object that has fields which the version does not declare. */
export function checkFits(object: JsonObject, apiVersion: string, versions: ObjectVersions): void {
  const type = versions.typeAt(apiVersion);
  if (type !== undefined) checkTyped(object, type, true);
}

/** One object in several versions. Conversions may be asynchronous, so `convertTo` runs before `at`. */
export class VersionedObject {
  readonly #context: VersionedContext;
  readonly #forms = new Map<string, JsonObject>();
  readonly #apiVersion: string;
  readonly object: JsonObject;

  constructor(object: JsonObject, apiVersion: string, context: VersionedContext) {
    this.object = object;
    this.#apiVersion = apiVersion;
    this.#context = context;
    this.#forms.set(apiVersion, object);
  }

  /** Converts the object to those of the versions that are served. A promise only if a webhook converts. */
  convertTo(apiVersions: Iterable<string>): Promise<void> | undefined {
    const { versions, scope } = this.#context;
    const waiting: Promise<void>[] = [];
    for (const to of new Set(apiVersions)) {
      if (this.#forms.has(to) || versions.typeAt(to) === undefined) continue;
      if (versions.areAlike === true) continue;
      const form = versions.convert(this.object, { from: this.#apiVersion, to, scope });
      if (form instanceof Promise)
        waiting.push(form.then((converted) => void this.#forms.set(to, converted)));
      else this.#forms.set(to, form);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  /** The object in its own version, or one that it was converted to. Throws `TypedValueError` when it does not fit there. */
  at(apiVersion: string): JsonObject {
    const { versions } = this.#context;
    let form = this.#forms.get(apiVersion);
    if (form === undefined && versions.areAlike === true) {
      form = this.object;
      checkFits(form, apiVersion, versions);
      this.#forms.set(apiVersion, form);
    }
    if (form === undefined) throw new Error(`the object was not converted to ${apiVersion}`);
    return form;
  }
}

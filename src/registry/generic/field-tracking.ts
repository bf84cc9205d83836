import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Applied } from "../../apimachinery/managed-fields/field-applier.js";
import type { ConversionScope } from "../../apimachinery/objects/conversion-scope.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { VersionedView } from "./versioned-view.js";

export interface TrackedWrite {
  readonly manager: string;
  readonly now: Date;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Fields that the strategy resets, so that the write cannot own them. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Conversions belong to this request. */
  readonly scope: ConversionScope;
}

/** Maintains `metadata.managedFields`, which records the managers of each field. Returns promises only where a webhook converts. */
export interface FieldTracking {
  /** `object` is in the hub version and changed in place; `old` is undefined for a new one. */
  track<T extends ApiObject>(
    view: VersionedView<T>,
    object: T,
    old: T | undefined,
    write: TrackedWrite,
  ): MaybePromise<void>;
  /** Merges a configuration into the live object. Throws 409 that lists the fields with other owners. */
  apply<T extends ApiObject>(
    view: VersionedView<T>,
    live: T | undefined,
    configuration: JsonObject,
    write: TrackedWrite & { readonly force: boolean },
  ): MaybePromise<Applied>;
}

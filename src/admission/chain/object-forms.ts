import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import type { NumberTexts } from "../../apimachinery/json/written-number.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject, GroupVersionKind, GroupVersionResource } from "../../apimachinery/objects/meta.js";
import type { MergeType } from "../../apimachinery/schema/merge-type.js";

/** A version in which the objects of a request are served. */
export interface ServedForm {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/** The object of a request in the versions that clients know, for webhooks; plugins use the hub version. Converted on demand. */
export interface ObjectForms {
  /** The request's version first, then the others in which the same objects are served. */
  readonly served: readonly ServedForm[];
  /** JSON text with kind and apiVersion, in one of the served versions. Does not change `object`. */
  print(object: ApiObject, kind: GroupVersionKind): Promise<string>;
  /** Like `print`, as a plain value that shares nothing with `object`. A promise only if a webhook converts. */
  json(object: ApiObject, kind: GroupVersionKind): MaybePromise<JsonObject>;
  /** How objects of a version merge; undefined for the options of a connection, which cannot be applied. */
  mergeType(kind: GroupVersionKind): MergeType | undefined;
  /**
   * Replaces all fields of `target` by those of `changed`, with the version's defaults. `changed` may state another served version.
   * `before` is what `changed` was made from: managed fields that both share are not read again. Throws `DecodeError` for another kind, or
   * 422 where it is a custom resource, and leaves `target` as it was.
   */
  replace(
    target: ApiObject,
    changed: JsonValue,
    kind: GroupVersionKind,
    before: JsonValue,
    options?: ReplaceOptions,
  ): Promise<void>;
}

export interface ReplaceOptions {
  /** Whether unknown fields are refused too, unless the object is a custom resource. Default false. */
  readonly isStrict?: boolean;
  /** How numbers of `changed` were written. */
  readonly numberTexts?: NumberTexts | undefined;
}

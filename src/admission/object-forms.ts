import type { JsonValue } from "../apimachinery/json-value.js";
import type { ApiObject, GroupVersionKind, GroupVersionResource } from "../apimachinery/meta.js";

/** A version in which the objects of a request are served. */
export interface ServedForm {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * The objects of a request in the versions that clients know: webhooks are sent these, plugins work on the hub version. Nothing
 * is converted before it is asked for.
 */
export interface ObjectForms {
  /** The request's own first, then those that the same objects are also served in. */
  readonly served: readonly ServedForm[];
  /** JSON text with kind and apiVersion, in one of the served versions. Leaves `object` as it is. */
  print(object: ApiObject, kind: GroupVersionKind): Promise<string>;
  /**
   * Reads what such text was changed to, sets the version's defaults and puts the result in place of all fields of `target`.
   * Throws `DecodeError`, and leaves `target` as it was.
   */
  replace(target: ApiObject, changed: JsonValue, kind: GroupVersionKind): Promise<void>;
}

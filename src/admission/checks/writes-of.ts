import type { ApiObject } from "../../apimachinery/objects/meta.js";
import {
  type BuiltinObjects,
  type BuiltinResource,
  builtinResourceName,
} from "../../apis/builtin-objects.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";

/** A write whose objects have the type `T`. A connection is not a write. */
export type WriteOf<T extends ApiObject> = Omit<AdmissionAttributes, "operation" | "object" | "oldObject"> &
  (
    | { readonly operation: "CREATE"; readonly object: T; readonly oldObject: undefined }
    | { readonly operation: "UPDATE"; readonly object: T; readonly oldObject: T }
    | { readonly operation: "DELETE"; readonly object: undefined; readonly oldObject: T }
  );

/**
 * Makes the check whether a request writes a built-in resource, and hence its objects have the type of that. `subresource` is one that is
 * written as the same kind; by default the check is for the resource itself.
 */
export function writesOf<R extends BuiltinResource>(
  name: R,
  naming: Pick<Naming, "group">,
  subresource = "",
): (attributes: AdmissionAttributes) => attributes is WriteOf<BuiltinObjects[R]> {
  const of = builtinResourceName(name, (stem) => naming.group(stem));
  return (attributes): attributes is WriteOf<BuiltinObjects[R]> =>
    attributes.resource.resource === of.resource &&
    attributes.resource.group === of.group &&
    attributes.subresource === subresource;
}

/** For callers that have already checked resource and subresource, and so know the type of the objects. */
export function typedWrite<T extends ApiObject>(attributes: AdmissionAttributes): WriteOf<T> {
  return attributes as WriteOf<T>; // the caller has checked it
}

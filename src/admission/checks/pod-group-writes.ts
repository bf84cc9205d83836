import type { PodGroup } from "../../apis/gen/scheduling-v1alpha2.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";

/** The object of a write to `podgroups` itself; undefined for any other request. `group` is the API group of scheduling. */
export function podGroupOf(
  { resource, subresource, object }: AdmissionAttributes,
  group: string,
): PodGroup | undefined {
  if (resource.resource !== "podgroups" || resource.group !== group || subresource !== "") return undefined;
  return object as PodGroup | undefined; // the type of the resource
}

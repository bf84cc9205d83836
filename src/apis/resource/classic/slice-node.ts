import type { ResourceSlice } from "../../gen/resource-v1.js";
import type { ResourceSlice as ClassicResourceSlice } from "../../gen/resource-v1alpha2.js";

/** A slice in the form of the server's level. */
export type AnyResourceSlice = ResourceSlice | ClassicResourceSlice;

/** The node whose resources a slice lists; empty for those of several nodes. */
export function nodeOfSlice(slice: AnyResourceSlice): string {
  return ("spec" in slice ? slice.spec.nodeName : slice.nodeName) ?? "";
}

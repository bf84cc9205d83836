import { type FieldSet, fieldSetOf, recursiveDifference } from "./field-set.js";

/**
 * What of a set a write can own. Keep one per strategy: the sets of created objects are cached by it.
 */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** All but these fields: `["spec", "replicas"]`. */
export function withoutFields(...paths: readonly (readonly string[])[]): FieldFilter {
  const left = fieldSetOf(...paths);
  return (set) => recursiveDifference(set, left);
}

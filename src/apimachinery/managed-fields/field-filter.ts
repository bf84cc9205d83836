import { type FieldSet, fieldSetOf, recursiveDifference, selfElement } from "./field-set.js";
import type { PathElement } from "./path-element.js";

/**
 * What of a set a write can own. Keep one per strategy: the sets of created objects are cached by it.
 */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** All but these fields: `["spec", "replicas"]`. */
export function withoutFields(...paths: readonly (readonly string[])[]): FieldFilter {
  const left = fieldSetOf(...paths);
  return (set) => recursiveDifference(set, left);
}

const any: PathElement = "*";

/** These fields alone. `*` stands for any field or item: `["spec", "containers", "*", "resources"]`. */
export function onlyFields(...paths: readonly (readonly string[])[]): FieldFilter {
  const pattern: Pattern = new Map();
  for (const path of paths) {
    let node = pattern;
    for (const name of path) {
      const element = name === any ? any : `f:${name}`;
      const below = node.get(element) ?? new Map();
      node.set(element, below);
      node = below;
    }
  }
  return (set) => matching(set, pattern);
}

/** By the element that it matches. One without patterns below it matches everything. */
type Pattern = Map<PathElement, Pattern>;

function matching(set: FieldSet, pattern: Pattern): FieldSet {
  const result = new Map<PathElement, FieldSet>();
  for (const [element, node] of set) {
    const below = element === selfElement ? undefined : (pattern.get(element) ?? pattern.get(any));
    if (below === undefined) continue;
    const kept = below.size === 0 ? node : matching(node, below);
    if (below.size === 0 || kept.size > 0) result.set(element, kept);
  }
  return result;
}

import type { PathElement } from "./path-element.js";

/**
 * A set of paths into an object: a tree of path elements, like `fieldsV1`. A path is a member if its node is empty or contains `.`:
 *
 *   {"f:spec": {"f:ports": {".": {}, "k:{…}": {}}, "f:type": {}}}   contains  .spec.ports  .spec.ports[…]  .spec.type
 *
 * Sets are immutable and share nodes; order matters only when a set is written (`writeFieldSet`). Maps, because objects with tens
 * of thousands of keys are several times slower in every operation (measured: a microsecond per key).
 */
export type FieldSet = ReadonlyMap<PathElement, FieldSet>;

export type MutableFieldSet = Map<PathElement, FieldSet>;

export const emptySet: FieldSet = new Map();
/** The node of a member without members below it. */
export const leaf: FieldSet = emptySet;

export const selfElement = ".";

export function isEmptySet(set: FieldSet): boolean {
  return set.size === 0;
}

/** Whether the set contains the path of `node` itself. */
export function isMember(node: FieldSet): boolean {
  return node.size === 0 || node.has(selfElement);
}

/** `node` with its own path added. */
export function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : new Map(node).set(selfElement, leaf);
}

/** A new node that contains its own path, to be extended. */
export function memberNode(): Map<PathElement, FieldSet> {
  // Creating a Map from an iterable takes several times as long.
  const node = new Map<PathElement, FieldSet>();
  node.set(selfElement, leaf);
  return node;
}

/** A set of paths of field names: `fieldSetOf(["status"], ["spec", "replicas"])`. */
export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  let set = emptySet;
  for (const path of paths) {
    let node: FieldSet = leaf;
    for (const name of path.toReversed()) node = new Map([[`f:${name}`, node]]);
    set = union(set, node);
  }
  return set;
}

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node.get(element);
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b.size === 0) return a;
  if (a.size === 0) return b;
  let result: MutableFieldSet | undefined;
  for (const [element, theirs] of b) {
    const ours = a.get(element);
    const merged = ours === undefined ? theirs : element === selfElement ? ours : unionNodes(ours, theirs);
    if (merged === ours) continue;
    result ??= new Map(a);
    result.set(element, merged);
  }
  return result ?? a;
}

/** Merges neighbours pairwise, so that each set is copied only a few times, however many there are. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  let left = sets;
  while (left.length > 1) {
    const pairs: FieldSet[] = [];
    for (let at = 0; at < left.length; at += 2) {
      pairs.push(union(left[at] ?? emptySet, left[at + 1] ?? emptySet));
    }
    left = pairs;
  }
  return left[0] ?? emptySet;
}

/** The same for two nodes of one path. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (a.size === 0) return asMember(b);
  if (b.size === 0) return asMember(a);
  return union(a, b);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: MutableFieldSet = new Map();
  for (const [element, ours] of a) {
    const theirs = b.get(element);
    if (element === selfElement || theirs === undefined) continue;
    const below = intersection(ours, theirs);
    const member = isMember(ours) && isMember(theirs);
    if (below.size > 0) result.set(element, member ? asMember(below) : below);
    else if (member) result.set(element, leaf);
  }
  return result;
}

/** Paths of `a` that are not in `b`; paths below those of `b` stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (b.size === 0 || a.size === 0) return a;
  let result: MutableFieldSet | undefined;
  const take = (element: PathElement, ours: FieldSet, theirs: FieldSet): void => {
    const kept = subtractNode(ours, theirs, recursive);
    if (kept === ours) return;
    result ??= new Map(a);
    if (kept === undefined) result.delete(element);
    else result.set(element, kept);
  };
  // Iterating over the smaller set suffices.
  if (b.size < a.size) {
    for (const [element, theirs] of b) {
      const ours = element === selfElement ? undefined : a.get(element);
      if (ours !== undefined) take(element, ours, theirs);
    }
  } else {
    for (const [element, ours] of a) {
      const theirs = element === selfElement ? undefined : b.get(element);
      if (theirs !== undefined) take(element, ours, theirs);
    }
  }
  return result ?? a;
}

/** Undefined when no path remains. */
function subtractNode(ours: FieldSet, theirs: FieldSet, recursive: boolean): FieldSet | undefined {
  const theirsIsMember = isMember(theirs);
  if (theirsIsMember && (recursive || ours.size === 0)) return undefined;
  if (ours.size === 0) return ours;
  let left = subtract(ours, theirs, recursive);
  if (theirsIsMember && left.has(selfElement)) {
    const rest = new Map(left);
    rest.delete(selfElement);
    left = rest;
  }
  if (left.size === 0) return undefined;
  return left.size === 1 && left.has(selfElement) ? leaf : left;
}

export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [element, ours] of a) {
    const theirs = b.get(element);
    if (theirs === undefined || !setsEqual(ours, theirs)) return false;
  }
  return true;
}

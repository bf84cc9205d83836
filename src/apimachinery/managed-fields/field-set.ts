import { isKept } from "../json-print.js";
import { isJsonObject, type JsonValue } from "../json-value.js";
import { comparePathElements, type PathElement, parsePathElement } from "./path-element.js";

/**
 * A set of paths into an object: a tree of path elements, in the very form that `fieldsV1` has. A path is a
 * member if its node is empty or holds `.`:
 *
 *   {"f:spec": {"f:ports": {".": {}, "k:{…}": {}}, "f:type": {}}}   holds  .spec.ports  .spec.ports[…]  .spec.type
 *
 * Sets are immutable and share nodes; order matters only when one is written (`sortSet`). All names carry a
 * prefix, so no name of a user's field can meet one of JavaScript's own.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

interface MutableFieldSet {
  [element: PathElement]: FieldSet;
}

export const emptySet: FieldSet = Object.freeze({});
/** The node of a member that has no members below it. */
export const leaf: FieldSet = emptySet;

const selfElement = ".";

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the path that leads to `node` is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return selfElement in node || isEmptySet(node);
}

/** `node` with its own path in the set too. */
export function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [selfElement]: leaf, ...node };
}

/** A set of paths of field names: `fieldSetOf(["status"], ["spec", "replicas"])`. */
export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  let set = emptySet;
  for (const path of paths) {
    let node: FieldSet = leaf;
    for (const name of path.toReversed()) node = { [`f:${name}`]: node };
    set = union(set, node);
  }
  return set;
}

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  let result: MutableFieldSet | undefined;
  for (const element in b) {
    const theirs = b[element];
    if (theirs === undefined) continue;
    const ours = a[element];
    const merged = ours === undefined ? theirs : element === selfElement ? ours : unionNodes(ours, theirs);
    if (merged === ours) continue;
    result ??= { ...a };
    result[element] = merged;
  }
  return result ?? a;
}

/** Of neighbours first, so that no set is copied more than a few times however many there are. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  let left = sets;
  while (left.length > 1) {
    const pairs: FieldSet[] = [];
    for (let at = 0; at < left.length; at += 2) pairs.push(union(left[at] ?? {}, left[at + 1] ?? {}));
    left = pairs;
  }
  return left[0] ?? {};
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  if (isEmptySet(b)) return asMember(a);
  return union(a, b);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: MutableFieldSet = {};
  for (const element in a) {
    const ours = a[element];
    const theirs = b[element];
    if (element === selfElement || ours === undefined || theirs === undefined) continue;
    const below = intersection(ours, theirs);
    put(result, element, isMember(ours) && isMember(theirs), below);
  }
  return result;
}

/** Paths of `a` that are not in `b`; what lies below a path of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (isEmptySet(b)) return a;
  // Built anew rather than copied and deleted from: deleting makes objects slow.
  const result: MutableFieldSet = {};
  let changed = false;
  for (const element in a) {
    const ours = a[element];
    if (ours === undefined) continue;
    const theirs = element === selfElement ? undefined : b[element];
    const kept = theirs === undefined ? ours : subtractNode(ours, theirs, recursive);
    if (kept !== undefined) result[element] = kept;
    changed ||= kept !== ours;
  }
  return changed ? result : a;
}

/** Undefined when nothing is left. */
function subtractNode(ours: FieldSet, theirs: FieldSet, recursive: boolean): FieldSet | undefined {
  const theirsIsMember = isMember(theirs);
  if (theirsIsMember && (recursive || isEmptySet(ours))) return undefined;
  if (isEmptySet(ours)) return ours;
  let left = subtract(ours, theirs, recursive);
  if (theirsIsMember && selfElement in left) {
    const { [selfElement]: _, ...rest } = left;
    left = rest;
  }
  if (isEmptySet(left)) return undefined;
  return holdsOnlySelf(left) ? leaf : left;
}

function holdsOnlySelf(node: FieldSet): boolean {
  for (const element in node) if (element !== selfElement) return false;
  return true;
}

function put(result: MutableFieldSet, element: PathElement, member: boolean, below: FieldSet): void {
  if (isEmptySet(below)) {
    if (member) result[element] = leaf;
  } else {
    result[element] = member ? { [selfElement]: leaf, ...below } : below;
  }
}

export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let count = 0;
  for (const element in a) {
    count++;
    const ours = a[element];
    const theirs = b[element];
    if (ours === undefined || theirs === undefined || !setsEqual(ours, theirs)) return false;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Every path of the set: at each level first the members, then what lies below, both in written order. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = [];
  collectPaths(set, [], paths);
  return paths;
}

function collectPaths(set: FieldSet, prefix: readonly PathElement[], paths: PathElement[][]): void {
  const elements = Object.keys(set)
    .filter((element) => element !== selfElement)
    .sort(comparePathElements);
  for (const element of elements) {
    if (isMember(set[element] ?? leaf)) paths.push([...prefix, element]);
  }
  for (const element of elements) collectPaths(set[element] ?? leaf, [...prefix, element], paths);
}

/** The written form: `.` first, then the elements in order, at every level. Returns a sorted set as it is. */
export function sortSet(set: FieldSet): FieldSet {
  // Whoever has a set printed for good has it sorted first.
  if (isKept(set) || isSorted(set)) return set;
  const result: MutableFieldSet = {};
  for (const element of Object.keys(set).sort(compareWritten)) {
    const node = set[element];
    if (node !== undefined) result[element] = sortSet(node);
  }
  return result;
}

function isSorted(set: FieldSet): boolean {
  let previous: PathElement | undefined;
  for (const element in set) {
    if (previous !== undefined && compareWritten(previous, element) > 0) return false;
    previous = element;
    const node = set[element];
    if (node !== undefined && !isSorted(node)) return false;
  }
  return true;
}

function compareWritten(a: PathElement, b: PathElement): number {
  if (a === selfElement) return -1;
  if (b === selfElement) return 1;
  return comparePathElements(a, b);
}

/** Reads `fieldsV1`. Throws an `Error` for anything that is not a set. */
export function parseFieldSet(value: JsonValue): FieldSet {
  if (!isJsonObject(value)) throw new Error("a field set must be an object");
  let isLeaf = true;
  for (const _ in value) {
    isLeaf = false;
    break;
  }
  if (isLeaf) return leaf;
  const result: MutableFieldSet = {};
  for (const text in value) {
    const child = value[text] ?? null;
    if (text === selfElement) {
      result[selfElement] = leaf;
      continue;
    }
    const element = text.startsWith("f:") ? text : parsePathElement(text);
    const node = parseFieldSet(child);
    const existing = result[element];
    result[element] = existing === undefined ? node : unionNodes(existing, node);
  }
  return result;
}

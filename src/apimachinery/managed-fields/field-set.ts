import { keepPrinted, printJsonStringPlain, unparsedJson, unparsedText } from "../json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { comparePathElements, type PathElement, parsePathElement } from "./path-element.js";

/**
 * A set of paths into an object: a tree of path elements, like `fieldsV1`. A path is a member if its node is empty or contains `.`:
 *
 *   {"f:spec": {"f:ports": {".": {}, "k:{…}": {}}, "f:type": {}}}   contains  .spec.ports  .spec.ports[…]  .spec.type
 *
 * Sets are immutable and share nodes; order matters only when a set is written (`writeFieldSet`). Maps, because objects with tens
 * of thousands of keys are several times slower in every operation (measured: a microsecond per key).
 */
export type FieldSet = ReadonlyMap<PathElement, FieldSet>;

type MutableFieldSet = Map<PathElement, FieldSet>;

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

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
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

/** Every path of the set, in written order: at each level the members first, then the paths below them. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = [];
  collectPaths(set, [], paths);
  return paths;
}

function collectPaths(set: FieldSet, prefix: readonly PathElement[], paths: PathElement[][]): void {
  const elements = writtenOrder(set).filter((element) => element !== selfElement);
  for (const element of elements) {
    if (isMember(set.get(element) ?? leaf)) paths.push([...prefix, element]);
  }
  for (const element of elements) collectPaths(set.get(element) ?? leaf, [...prefix, element], paths);
}

/** `.` first, then the others in order. */
function writtenOrder(set: FieldSet): PathElement[] {
  const elements = [...set.keys()];
  const compare = orderMissing(elements);
  return compare === undefined ? elements : elements.sort(compare);
}

/** The order in which to sort; undefined when they are sorted already, as most are: checking costs less than sorting. */
function orderMissing(
  elements: readonly PathElement[],
): ((a: PathElement, b: PathElement) => number) | undefined {
  let asText = true;
  let isSorted = true;
  let previous = "";
  for (const element of elements) {
    asText &&= sortsAsText(element);
    if (isSorted && previous !== "") {
      isSorted = asText ? previous < element : compareWritten(previous, element) < 0;
    }
    previous = element;
  }
  if (isSorted) return undefined;
  return asText ? compareTexts : compareWritten;
}

/**
 * Whether these elements sort like their texts: fields, items of sets that are plain words, and items with one key that is a plain
 * word. `.` comes first in both orders.
 */
function sortsAsText(element: PathElement): boolean {
  return element.charCodeAt(0) === fieldKind || element === selfElement || plainItem.test(element);
}

const fieldKind = 0x66;
const plainItem = /^(?:k:\{"\w+":"[-./\w]*"\}|v:"[-./\w]*")$/;

function compareTexts(a: PathElement, b: PathElement): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareWritten(a: PathElement, b: PathElement): number {
  if (a === selfElement) return -1;
  if (b === selfElement) return 1;
  return comparePathElements(a, b);
}

const written = Symbol("written form");

interface Written {
  [written]?: JsonObject;
}

/** Larger sets are kept as text. */
const objectElementsMax = 1000;

/** The set as `fieldsV1`, in written order. A large set becomes a stand-in for printing only, without members. */
export function writeFieldSet(set: FieldSet): JsonObject {
  const known = (set as Written)[written];
  if (known !== undefined) return known;
  return toJson(set, { left: objectElementsMax }) ?? unparsedJson(printSet(set));
}

/** Caches the written form of a set that many objects share. */
export function keepWritten(set: FieldSet): FieldSet {
  const form = writeFieldSet(set);
  (set as Written)[written] = unparsedText(form) === undefined ? keepPrinted(form) : form;
  return set;
}

const noMembers: JsonObject = Object.freeze({});

/** Undefined when the set has more elements than are left. */
function toJson(set: FieldSet, count: { left: number }): JsonObject | undefined {
  if (set.size === 0) return noMembers;
  count.left -= set.size;
  if (count.left < 0) return undefined;
  const result: { [element: string]: JsonObject } = {};
  for (const element of writtenOrder(set)) {
    const node = toJson(set.get(element) ?? leaf, count);
    if (node === undefined) return undefined;
    result[element] = node;
  }
  return result;
}

function printSet(set: FieldSet): string {
  if (set.size === 0) return "{}";
  let text = "{";
  let last: FieldSet = leaf;
  let lastText = "{}";
  for (const element of writtenOrder(set)) {
    const node = set.get(element) ?? leaf;
    // Items often share one set.
    if (node !== last) {
      last = node;
      lastText = printSet(node);
    }
    text += `${text === "{" ? "" : ","}${printJsonStringPlain(element)}:`;
    text += lastText;
  }
  return `${text}}`;
}

/** Parses `fieldsV1`. Throws an `Error` for anything that is not a set. */
export function parseFieldSet(value: JsonValue): FieldSet {
  if (!isJsonObject(value)) throw new Error("a field set must be an object");
  const unread = unparsedText(value);
  return unread === undefined ? parseNode(value) : new SetReader(unread).read();
}

function parseNode(value: JsonValue): FieldSet {
  if (!isJsonObject(value)) throw new Error("a field set must be an object");
  let result: MutableFieldSet | undefined;
  for (const text in value) {
    result ??= new Map();
    if (text === selfElement) {
      result.set(selfElement, leaf);
      continue;
    }
    add(result, text, parseNode(value[text] ?? null));
  }
  return result ?? leaf;
}

function add(set: MutableFieldSet, text: string, node: FieldSet): void {
  const element = text.startsWith("f:") ? text : parsePathElement(text);
  const existing = set.get(element);
  set.set(element, existing === undefined ? node : unionNodes(existing, node));
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Parses the printed text of a set, without building a JSON value. */
class SetReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): FieldSet {
    const set = this.#leaf() ?? this.#node();
    if (this.#at !== this.#text.length) throw new Error("text after a field set");
    return set;
  }

  /** The set without members, as most are; undefined for another one, of which nothing is read. */
  #leaf(): FieldSet | undefined {
    const isLeaf =
      this.#text.charCodeAt(this.#at) === openingBrace &&
      this.#text.charCodeAt(this.#at + 1) === closingBrace;
    if (!isLeaf) return undefined;
    this.#at += 2;
    return leaf;
  }

  #node(): FieldSet {
    this.#expect(openingBrace);
    const set: MutableFieldSet = new Map();
    for (;;) {
      const element = this.#string();
      this.#expect(colon);
      const node = this.#leaf() ?? this.#node();
      if (element === selfElement) set.set(selfElement, leaf);
      else add(set, element, node);
      if (this.#text.charCodeAt(this.#at) !== comma) break;
      this.#at++;
    }
    this.#expect(closingBrace);
    return set;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    this.#expect(quote);
    let end = text.indexOf('"', this.#at);
    while (end >= 0 && this.#isEscaped(end)) end = text.indexOf('"', end + 1);
    if (end < 0) throw new Error("a field set ends within a name");
    this.#at = end + 1;
    const plain = text.slice(start + 1, end);
    if (!plain.includes("\\")) return plain;
    const name: string = JSON.parse(text.slice(start, end + 1));
    return name;
  }

  /** Whether the character is escaped, by an odd number of backslashes before it. */
  #isEscaped(at: number): boolean {
    let count = 0;
    while (this.#text.charCodeAt(at - 1 - count) === backslash) count++;
    return count % 2 === 1;
  }

  #expect(code: number): void {
    if (this.#text.charCodeAt(this.#at) !== code) throw new Error("a field set is an object of objects");
    this.#at++;
  }
}

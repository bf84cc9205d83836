import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, membersOf, objectOf, ownField } from "../json/json-values.js";
import { WrittenNumber } from "../json/written-number.js";
import { DraftList } from "./draft-list.js";

/** A value of a draft: changed containers are a `Map` or a `DraftList`; everything else is still the original JSON. */
export type DraftNode = JsonValue | DraftObject | DraftList<DraftNode>;
type DraftObject = Map<string, DraftNode>;
export type DraftContainer = DraftObject | DraftList<DraftNode>;

/**
 * A document being changed. Each object and list is copied once, at its first change, so that many changes to a large one cost only
 * what they change. The document itself is not modified.
 */
export class JsonDraft {
  /** The current state of the document. */
  root: DraftNode;

  constructor(document: JsonValue) {
    this.root = document;
  }

  /** The value at the end of the path; undefined when there is none. */
  find(keys: readonly string[]): DraftNode | undefined {
    let current: DraftNode | undefined = this.root;
    for (const key of keys) {
      if (!isContainer(current)) return undefined;
      current = childOf(current, key);
    }
    return current;
  }

  /** The container at the end of the path, ready to be changed; undefined when there is none. */
  container(keys: readonly string[]): DraftContainer | undefined {
    let current = opened(this.root);
    if (current === undefined) return undefined;
    this.root = current;
    for (const key of keys) {
      const child: DraftNode | undefined = childOf(current, key);
      const next = opened(child);
      if (next === undefined) return undefined;
      if (next !== child) put(current, key, next);
      current = next;
    }
    return current;
  }
}

export function isContainer(node: DraftNode | undefined): boolean {
  return typeof node === "object" && node !== null && !(node instanceof WrittenNumber);
}

/**
 * Whether lists and objects are nested more than `levels` deep; does not recurse, because a draft's depth is unbounded.
 */
export function isDraftDeeperThan(node: DraftNode, levels: number): boolean {
  let level: DraftNode[] = [node];
  for (let depth = 0; level.length > 0; depth++) {
    const next: DraftNode[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      if (depth >= levels) return true;
      const children =
        item instanceof Map
          ? item.values()
          : item instanceof DraftList
            ? item.toArray()
            : Object.values(item);
      for (const child of children) if (typeof child === "object") next.push(child);
    }
    level = next;
  }
  return false;
}

/** The index that a step of a path names, which may count from the end; undefined when it is not an integer. */
export function parseIndex(key: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(key) ? Number(key) : undefined;
}

/** As JSON that later changes of the draft do not affect. */
export function plain(node: DraftNode): JsonValue {
  if (node instanceof DraftList) return node.toArray().map(plain);
  if (!(node instanceof Map)) return node;
  const members = new Map<string, JsonValue>();
  for (const [key, member] of node) {
    members.set(key, typeof member === "object" && member !== null ? plain(member) : member);
  }
  return objectOf(members);
}

function childOf(parent: DraftNode | undefined, key: string): DraftNode | undefined {
  if (parent instanceof Map) return parent.get(key);
  if (parent instanceof DraftList || isArray(parent)) {
    const index = parseIndex(key);
    return index === undefined ? undefined : parent.at(index);
  }
  return isObject(parent) ? ownField(parent, key) : undefined;
}

function opened(node: DraftNode | undefined): DraftContainer | undefined {
  if (node instanceof Map || node instanceof DraftList) return node;
  if (isArray(node)) return new DraftList<DraftNode>(node);
  return isObject(node) ? membersOf(node) : undefined;
}

function put(parent: DraftContainer, key: string, child: DraftNode): void {
  if (parent instanceof Map) parent.set(key, child);
  else parent.set(parseIndex(key) ?? 0, child);
}

function isArray(node: DraftNode | undefined): node is readonly JsonValue[] {
  return !(node instanceof DraftList) && !(node instanceof Map) && isJsonArray(node);
}

function isObject(node: DraftNode | undefined): node is JsonObject {
  return (
    !(node instanceof DraftList || node instanceof Map || node instanceof WrittenNumber) && isJsonObject(node)
  );
}

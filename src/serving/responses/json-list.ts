import { indentedJson } from "../../apimachinery/json/json-indent.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import type { ListBody } from "./list-stream.js";

/** A list of objects, or a table, to be written as JSON or YAML. */
export interface JsonList<T> {
  /** The document without its items and its closing brace: `{"kind":"PodList","apiVersion":"v1","metadata":{…}`. */
  readonly head: string;
  readonly member: "items" | "rows";
  readonly items: readonly T[];
  /** Compact JSON of an item without `itemHead`. */
  readonly bytesOf: (item: T) => Buffer;
  /** Awaited before `bytesOf`, if it returns a promise. */
  readonly prepare?: ((item: T) => Promise<void> | undefined) | undefined;
  /** The CBOR of an item. Default: made of its JSON. */
  readonly cborOf?: ((item: T) => Buffer) | undefined;
  /** What every item begins with: its opening brace, and any members that are the same in all. */
  readonly itemHead: Buffer;
  /** Without items the member is null, as Kubernetes prints some tables without rows. */
  readonly isNullWhenEmpty?: boolean | undefined;
}

/** What items without common members begin with. */
export const openingBrace = Buffer.from("{");
export const closingBrace = Buffer.from("}");

/** On one line, from existing bytes. */
export function compactBody<T>(list: JsonList<T>): ListBody<T> {
  const { items, bytesOf } = list;
  return { head: startOf(list), items, bytesOf, separator: separatorOf(list), tail: tailOf(list) };
}

function startOf<T>(list: JsonList<T>): Buffer {
  const { head, member, items, itemHead } = list;
  if (isNull(list)) return Buffer.from(`${head},"${member}":null`);
  const start = Buffer.from(`${head},"${member}":[`);
  return items.length === 0 ? start : Buffer.concat([start, itemHead]);
}

function tailOf<T>(list: JsonList<T>): Buffer {
  return isNull(list) ? objectTail : listTail;
}

/** Whether null takes the place of the items. */
export function isNull<T>({
  items,
  isNullWhenEmpty,
}: Pick<JsonList<T>, "items" | "isNullWhenEmpty">): boolean {
  return isNullWhenEmpty === true && items.length === 0;
}

function separatorOf<T>({ itemHead }: JsonList<T>): Buffer {
  return Buffer.concat([comma, itemHead]);
}

const comma = Buffer.from(",");
const listTail = Buffer.from("]}\n");
const objectTail = Buffer.from("}\n");

/** On one line, made piece by piece. */
export function* compactPieces<T>(list: JsonList<T>): Iterable<Buffer | Promise<Buffer>> {
  const { items, bytesOf, prepare } = list;
  const separator = separatorOf(list);
  yield startOf(list);
  for (const [index, item] of items.entries()) {
    if (index > 0) yield separator;
    const preparing = prepare?.(item);
    yield preparing === undefined ? bytesOf(item) : preparing.then(() => bytesOf(item));
  }
  yield tailOf(list);
}

/** Indented by two spaces, made piece by piece. */
export function* indentedPieces<T>(list: JsonList<T>): Iterable<Buffer | Promise<Buffer>> {
  const { member, items, bytesOf, itemHead, prepare } = list;
  // Without its last line, which is the closing brace.
  const head = printJson(parseJson(`${list.head}}`), { indent: "  " }).slice(0, -2);
  if (items.length === 0) {
    yield Buffer.from(`${head},\n  "${member}": ${isNull(list) ? "null" : "[]"}\n}`);
    return;
  }
  yield Buffer.from(`${head},\n  "${member}": [`);
  let separator = "";
  for (const item of items) {
    const next = Buffer.from(`${separator}\n    `);
    const preparing = prepare?.(item);
    // What follows is made once this piece is there.
    yield preparing === undefined ? next : preparing.then(() => next);
    yield* indentedJson(Buffer.concat([itemHead, bytesOf(item)]), 2);
    separator = ",";
  }
  yield Buffer.from("\n  ]\n}");
}

/** As YAML, a few items at a time: printing a long list at once would hold the event loop for seconds. */
export function* yamlPieces<T>(
  list: JsonList<T>,
  print: (json: Uint8Array) => Promise<Uint8Array>,
): Iterable<Uint8Array | Promise<Uint8Array>> {
  const { member, items } = list;
  const head = parseJson(`${list.head}}`);
  if (!isJsonObject(head)) throw new Error("the head of a list must be a JSON object");
  const members = Object.entries(head);
  const before = members.filter(([name]) => name < member);
  const after = members.filter(([name]) => name > member);
  if (before.length > 0) yield print(Buffer.from(printJson(Object.fromEntries(before))));
  const empty = isNull(list) ? "null" : "[]";
  yield Buffer.from(items.length === 0 ? `${member}: ${empty}\n` : `${member}:\n`);
  for (const group of groupsOf(list)) yield group instanceof Promise ? group : print(group);
  if (after.length > 0) yield print(Buffer.from(printJson(Object.fromEntries(after))));
}

/** Large enough to be worth sending to a thread. */
const groupBytes = 64 * 1024;

/** JSON lists of a few items each. After an empty promise, the next group is made once that is fulfilled. */
function* groupsOf<T>(list: JsonList<T>): Iterable<Buffer | Promise<Buffer>> {
  const { items, bytesOf, itemHead, prepare } = list;
  const start = Buffer.concat([bracket, itemHead]);
  const separator = separatorOf(list);
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const item of items) {
    const preparing = prepare?.(item);
    if (preparing !== undefined) yield preparing.then(() => nothing);
    const body = bytesOf(item);
    parts.push(parts.length === 0 ? start : separator, body);
    bytes += body.length;
    if (bytes < groupBytes) continue;
    yield Buffer.concat([...parts, listEnd]);
    parts = [];
    bytes = 0;
  }
  if (parts.length > 0) yield Buffer.concat([...parts, listEnd]);
}

const nothing = Buffer.alloc(0);
const bracket = Buffer.from("[");
const listEnd = Buffer.from("]");

import { setImmediate } from "node:timers/promises";
import { parseJson } from "../../apimachinery/json-parse.js";
import { printJson } from "../../apimachinery/json-print.js";
import { isJsonObject } from "../../apimachinery/json-value.js";
import { inlineBytesMax, type YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { inSlices } from "./in-slices.js";
import type { ListBody } from "./list-stream.js";

/** A list of objects, or a table, on its way to being JSON or YAML. */
export interface JsonList {
  /** The document without its items and its closing brace: `{"kind":"PodList","apiVersion":"v1","metadata":{…}`. */
  readonly head: string;
  readonly member: "items" | "rows";
  /** Compact JSON of each item without the opening brace. */
  readonly items: readonly Buffer[];
}

/** On one line, from the items' own bytes. */
export function compactBody(list: JsonList): ListBody<Buffer> {
  const { items } = list;
  return {
    head: Buffer.from(`${list.head},"${list.member}":[${items.length === 0 ? "" : "{"}`),
    items,
    bytesOf: (item) => item,
    separator: itemSeparator,
    tail: listTail,
  };
}

const itemSeparator = Buffer.from(",{");
const listTail = Buffer.from("]}\n");

/** Indented by two spaces, in pieces. */
export async function indentedPieces(list: JsonList, signal: AbortSignal): Promise<readonly Buffer[]> {
  const { member, items } = list;
  // Without its last line, which is the closing brace.
  const head = printJson(parseJson(`${list.head}}`), { indent: "  " }).slice(0, -2);
  if (items.length === 0) return [Buffer.from(`${head},\n  "${member}": []\n}`)];
  const print = (item: Buffer): string =>
    printJson(parseJson(`{${item.toString("utf8")}`), { indent: "  " }).replaceAll("\n", "\n    ");
  let separator = "";
  const pieces = await inSlices(
    items,
    (item) => {
      const piece = Buffer.from(`${separator}\n    ${print(item)}`);
      separator = ",";
      return piece;
    },
    signal,
  );
  return [Buffer.from(`${head},\n  "${member}": [`), ...pieces, Buffer.from("\n  ]\n}")];
}

/** As YAML, in pieces, each of some items: printing a long list at once would hold the event loop for seconds. */
export async function yamlPieces(
  list: JsonList,
  yaml: YamlConverter,
  signal: AbortSignal,
  client: string | undefined,
): Promise<readonly Uint8Array[]> {
  const { member, items } = list;
  const head = parseJson(`${list.head}}`);
  if (!isJsonObject(head)) throw new Error("the head of a list is a JSON object");
  const members = Object.entries(head);
  const print = (json: Uint8Array): Promise<Uint8Array> => yaml.print(json, signal, client);
  const printMembers = async (some: typeof members): Promise<Uint8Array> =>
    some.length === 0 ? nothing : await print(Buffer.from(printJson(Object.fromEntries(some))));

  const pieces = [await printMembers(members.filter(([name]) => name < member))];
  pieces.push(Buffer.from(items.length === 0 ? `${member}: []\n` : `${member}:\n`));
  for (const group of groupsOf(items)) {
    pieces.push(await print(group));
    await setImmediate();
    signal.throwIfAborted();
  }
  pieces.push(await printMembers(members.filter(([name]) => name > member)));
  return pieces;
}

/** Worth the way to a thread. */
const groupBytesOnThread = 64 * 1024;

/** JSON lists of items each: one item where all are few, otherwise as many as are worth the way to the thread. */
function* groupsOf(items: readonly Buffer[]): Iterable<Buffer> {
  const total = items.reduce((bytes, item) => bytes + item.length, 0);
  const groupBytes = total > inlineBytesMax ? groupBytesOnThread : 1;
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const item of items) {
    parts.push(parts.length === 0 ? listStart : itemSeparator, item);
    bytes += item.length;
    if (bytes < groupBytes) continue;
    yield Buffer.concat([...parts, listEnd]);
    parts = [];
    bytes = 0;
  }
  if (parts.length > 0) yield Buffer.concat([...parts, listEnd]);
}

const nothing = Buffer.alloc(0);
const listStart = Buffer.from("[{");
const listEnd = Buffer.from("]");

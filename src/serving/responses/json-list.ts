import { parseJson } from "../../apimachinery/json-parse.js";
import { printJson } from "../../apimachinery/json-print.js";
import { isJsonObject } from "../../apimachinery/json-value.js";
import { inSlices } from "./in-slices.js";
import type { ListBody } from "./list-stream.js";
import { jsonToYaml } from "./yaml.js";

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

/** As YAML, in pieces. */
export async function yamlPieces(list: JsonList, signal: AbortSignal): Promise<readonly Buffer[]> {
  const { member, items } = list;
  const head = parseJson(`${list.head}}`);
  if (!isJsonObject(head)) throw new Error("the head of a list is a JSON object");
  const members = Object.entries(head);
  const print = (some: typeof members): Buffer =>
    Buffer.from(some.length === 0 ? "" : jsonToYaml(printJson(Object.fromEntries(some))));

  const pieces = await inSlices(
    items,
    (item) => Buffer.from(jsonToYaml(`[{${item.toString("utf8")}]`)),
    signal,
  );
  return [
    print(members.filter(([name]) => name < member)),
    Buffer.from(items.length === 0 ? `${member}: []\n` : `${member}:\n`),
    ...pieces,
    print(members.filter(([name]) => name > member)),
  ];
}

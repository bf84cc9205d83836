import { parseJson } from "../../apimachinery/json-parse.js";
import { printJson } from "../../apimachinery/json-print.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json-value.js";
import { inSlices } from "./in-slices.js";
import type { ListBody } from "./list-stream.js";
import { jsonToYaml, loadYamlPrinter } from "./yaml.js";

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

/** As YAML, in pieces: each item by itself, because printing a long list at once would hold the event loop for seconds. */
export async function yamlPieces(list: JsonList, signal: AbortSignal): Promise<readonly Buffer[]> {
  const { member, items } = list;
  const head = parseJson(`${list.head}}`);
  if (!isJsonObject(head)) throw new Error("the head of a list is a JSON object");
  const members = Object.entries(head);
  const before = await membersAsYaml(members.filter(([name]) => name < member));
  const after = await membersAsYaml(members.filter(([name]) => name > member));
  if (items.length === 0) return [Buffer.from(`${before}${member}: []\n${after}`)];
  const print = await loadYamlPrinter();
  const pieces = await inSlices(
    items,
    (item) => {
      // Blank lines belong to text blocks, of which they may be the end.
      const lines = print(`{${item.toString("utf8")}`)
        .slice(0, -1)
        .replace(/\n(?=.)/g, "\n  ");
      return Buffer.from(`- ${lines}\n`);
    },
    signal,
  );
  return [Buffer.from(`${before}${member}:\n`), ...pieces, Buffer.from(after)];
}

async function membersAsYaml(members: readonly (readonly [string, JsonObject[string]])[]): Promise<string> {
  return members.length === 0 ? "" : await jsonToYaml(printJson(Object.fromEntries(members)));
}

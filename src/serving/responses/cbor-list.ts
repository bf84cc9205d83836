import { headBytes, majorTypes, selfDescribed } from "../../apimachinery/cbor/cbor-format.js";
import { cborText, compareNames, printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import { isNull, type JsonList } from "./json-list.js";

/** As CBOR, made piece by piece; `cborOf` makes an item. */
export function* cborPieces<T>(
  list: Pick<JsonList<T>, "head" | "member" | "items" | "prepare" | "isNullWhenEmpty">,
  cborOf: (item: T) => Buffer,
): Iterable<Buffer | Promise<Buffer>> {
  const { member, items, prepare } = list;
  const head = parseJson(`${list.head}}`);
  if (!isJsonObject(head)) throw new Error("the head of a list must be a JSON object");
  const names = [...Object.keys(head), member].sort(compareNames);
  yield selfDescribed;
  yield headBytes(majorTypes.map, names.length);
  for (const name of names) {
    yield cborText(name);
    if (name !== member) {
      yield printCbor(head[name] ?? null);
      continue;
    }
    if (isNull(list)) {
      yield printCbor(null);
      continue;
    }
    yield headBytes(majorTypes.array, items.length);
    for (const item of items) {
      const preparing = prepare?.(item);
      yield preparing === undefined ? cborOf(item) : preparing.then(() => cborOf(item));
    }
  }
}

/** A table of one row as a document; `head` is its JSON without the rows and the closing brace. */
export function cborTable(head: string, row: Buffer): Buffer {
  const members = parseJson(`${head}}`);
  if (!isJsonObject(members)) throw new Error("the head of a table must be a JSON object");
  const names = [...Object.keys(members), "rows"].sort(compareNames);
  const parts = [selfDescribed, headBytes(majorTypes.map, names.length)];
  for (const name of names) {
    parts.push(cborText(name));
    if (name === "rows") parts.push(headBytes(majorTypes.array, 1), row);
    else parts.push(printCbor(members[name] ?? null));
  }
  return Buffer.concat(parts);
}

/** An item from its JSON. */
export function cborItem<T>({ itemHead, bytesOf }: JsonList<T>, item: T): Buffer {
  return printCbor(parseJson(Buffer.concat([itemHead, bytesOf(item)])));
}

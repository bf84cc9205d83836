import { afterValue, memberOf } from "../json/json-member.js";
import { parseJson } from "../json/json-parse.js";
import { unparsedJson } from "../json/json-print.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";

/** Shorter field sets are parsed with the object. */
const unreadBytesMin = 16 * 1024;

const metadataHead = Buffer.from('"metadata":{');
const openingBrace = 0x7b;
const comma = 0x2c;

/**
 * Parses an object except for its large field sets, which stay text (`unparsedJson`): they make up half of a large object and are rarely
 * read. `body` is the object's compact JSON, as this server prints it, without the opening brace.
 */
export function parseExceptSets(body: Buffer): JsonValue {
  const sets = largeSets(body);
  if (sets.length === 0) return parseJson(`{${body.toString("utf8")}`);
  let text = "{";
  let at = 0;
  for (const { start, end } of sets) {
    text += `${body.toString("utf8", at, start)}{}`;
    at = end;
  }
  const value = parseJson(text + body.toString("utf8", at));
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined;
  if (!isJsonArray(entries)) throw new Error("managed fields are a list");
  for (const { index, text: set } of sets) {
    // The object was just parsed and is not shared.
    const entry = entries[index] as { fieldsV1?: JsonValue };
    entry.fieldsV1 = unparsedJson(set);
  }
  return value;
}

interface SetPlace {
  /** Index of the entry. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The body from `metadata` on. It is nearly always the first member, so its end, which may be a megabyte away, need not be found. */
function metadataOf(body: Buffer): Buffer | undefined {
  if (body.subarray(0, metadataHead.length).equals(metadataHead)) return body.subarray(metadataHead.length);
  return memberOf(body, "metadata")?.subarray(1);
}

function largeSets(body: Buffer): readonly SetPlace[] {
  const metadata = metadataOf(body);
  const managed = metadata && memberOf(metadata, "managedFields");
  if (managed === undefined || managed.length < unreadBytesMin) return [];
  const places: SetPlace[] = [];
  for (let index = 0, at = 1; managed[at] === openingBrace; index++) {
    const set = memberOf(managed.subarray(at + 1), "fieldsV1");
    const text = set === undefined || set.length < unreadBytesMin ? "" : set.toString("utf8");
    // A set with \u escapes is parsed, because its text may not be the canonical one.
    if (set !== undefined && text.startsWith("{") && !text.includes("\\u")) {
      const start = set.byteOffset - body.byteOffset;
      places.push({ index, start, end: start + set.length, text });
    }
    at = afterValue(managed, at);
    if (managed[at] === comma) at++;
  }
  return places;
}

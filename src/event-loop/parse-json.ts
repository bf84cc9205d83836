import { JsonParser, type ParseJsonOptions } from "../apimachinery/json/json-parser.js";
import type { JsonValue } from "../apimachinery/json/json-value.js";
import { nextTurn } from "./turns.js";

/** At most a few milliseconds of work: a text in an object of many members takes 12 µs. */
const valuesPerTurn = 500;

/**
 * Like `parseJson`, but slower, and lets other work use the event loop every few milliseconds. Throws `JsonSyntaxError`, and the signal's
 * reason once that has aborted.
 */
export async function parseJsonInTurns(
  input: Uint8Array,
  options: ParseJsonOptions = {},
  signal?: AbortSignal,
): Promise<JsonValue> {
  const parser = new JsonParser(input, options);
  while (!parser.advance(valuesPerTurn)) await nextTurn(signal);
  return parser.result;
}

import { requestTooLarge, type StatusError } from "../apimachinery/errors/status.js";
import { parseJson, parsePlainJson } from "../apimachinery/json/json-parse.js";
import type { ParseJsonOptions } from "../apimachinery/json/json-parser.js";
import { exceeds, type JsonBounds, measureJson } from "../apimachinery/json/json-size.js";
import type { JsonValue } from "../apimachinery/json/json-value.js";
import { jsonDepthMax } from "../apimachinery/json/json-values.js";
import { parseJsonInTurns } from "../event-loop/parse-json.js";
import { nextTurn } from "../event-loop/turns.js";

/**
 * How many values another server's answer may hold. The size is unknown before the request, so even the answer to a small request, and
 * the resulting object, are parsed on the serving thread: three megabytes of empty objects would block that thread for seconds. No real
 * answer has so many values: in a patch of 1.5 MiB, the largest size of an object, each value would have fewer than 15 bytes.
 */
export const answerBounds: JsonBounds = { valuesMax: 100_000, membersMax: 25_000 };
/** The engine's parser cannot be interrupted; this many values take a few milliseconds. */
const valuesAtOnceMax = 10_000;
/** One pass over this many bytes takes a few milliseconds. */
const longTextBytes = 512 * 1024;

/**
 * Parses another server's answer, a large one in steps that yield to the event loop, until `signal` aborts. Throws 413 beyond
 * `answerBounds`, and `JsonSyntaxError`.
 */
export async function parseBoundedJson(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
  options: ParseJsonOptions = {},
): Promise<JsonValue> {
  // Each value takes at least two bytes.
  if (bytes.length <= 2 * valuesAtOnceMax) return parseJson(bytes, options);
  // Answers of many servers may end in the same turn of the event loop.
  await nextTurn(signal);
  const { values, membersMax, depth } = measureJson(bytes);
  // Nesting that is too deep is a syntax error, which is found quickly.
  const isTooDeep = depth > jsonDepthMax;
  if (!isTooDeep && (values > answerBounds.valuesMax || membersMax > answerBounds.membersMax)) {
    throw tooManyValues();
  }
  if (values <= valuesAtOnceMax && !isTooDeep) {
    // A single text may be as long as the answer: each pass over it is a step.
    if (bytes.length > longTextBytes) await nextTurn(signal);
    const value = parsePlainJson(bytes, options);
    if (value !== undefined) return value;
    await nextTurn(signal);
  }
  return await parseJsonInTurns(bytes, options, signal);
}

/** Limits the object that results from another server's patch. Throws 413. */
export function checkValues(object: JsonValue): void {
  if (exceeds(object, answerBounds)) throw tooManyValues();
}

function tooManyValues(): StatusError {
  const { valuesMax, membersMax } = answerBounds;
  return requestTooLarge(
    `Request entity too large: limit is ${valuesMax} fields and items, ${membersMax} of them in one object or list`,
  );
}

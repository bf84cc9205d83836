import { type ParseJsonOptions, parseJson, parseJsonInTurns } from "../apimachinery/json-parse.js";
import { holdsMoreThan, measureJson } from "../apimachinery/json-size.js";
import type { JsonValue } from "../apimachinery/json-value.js";
import { nextTurn } from "../apimachinery/next-turn.js";
import { jsonDepthMax } from "../apimachinery/patch/json-values.js";
import { requestTooLarge, type StatusError } from "../apimachinery/status.js";
import type { ApiRequest } from "./api-request.js";

/** More than three megabytes of any real object hold. Each costs time of its own, however short it is. */
export const bodyValuesMax = 200_000;
/** The engine's parser, which cannot be interrupted, takes some milliseconds for that many. */
const valuesAtOnceMax = 10_000;

/** The body as JSON; a large one is read in turns with other requests. Throws 413 for too many values, and `JsonSyntaxError`. */
export async function parseJsonBody(
  request: Pick<ApiRequest, "body" | "signal">,
  options: ParseJsonOptions = {},
): Promise<JsonValue> {
  const { bytes } = request.body;
  // Each value takes two bytes at least.
  if (bytes.length <= 2 * valuesAtOnceMax) return parseJson(bytes, options);
  const { values, depth } = measureJson(bytes);
  // What is too deep is no JSON, and found to be none soon.
  if (values > bodyValuesMax && depth <= jsonDepthMax) throw tooManyValues();
  if (values <= valuesAtOnceMax) return parseJson(bytes, options);
  return await parseJsonInTurns(bytes, options, () => nextTurn(request.signal));
}

/** Of what patches make: many small ones could otherwise make what none can send. Throws 413. */
export function checkValues(object: JsonValue): void {
  if (holdsMoreThan(object, bodyValuesMax)) throw tooManyValues();
}

function tooManyValues(): StatusError {
  return requestTooLarge(`Request entity too large: limit is ${bodyValuesMax} fields and items`);
}

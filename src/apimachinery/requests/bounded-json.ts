import { requestTooLarge, type StatusError } from "../errors/status.js";
import { type ParseJsonOptions, parseJson, parseJsonInTurns, parsePlainJson } from "../json/json-parse.js";
import { exceeds, type JsonBounds, type JsonSize, measureJson } from "../json/json-size.js";
import type { JsonValue } from "../json/json-value.js";
import { jsonDepthMax } from "../json/json-values.js";
import { type FromProtoOptions, TooManyValues } from "../schema/codec.js";
import { nextTurn } from "../turns/turns.js";

/**
 * More than any real object holds that can be stored: at 1.5 MiB, fewer than 15 bytes would be left for a value, and fewer than 63 for
 * a key with its value and its place in the managed fields. Each costs time of its own, however short it is, and the members of one
 * object are often one step.
 */
export const bodyBounds: JsonBounds = { valuesMax: 100_000, membersMax: 25_000 };
/** The engine's parser cannot be interrupted; this many values take a few milliseconds. */
const valuesAtOnceMax = 10_000;
/** One pass over this many bytes takes a few milliseconds. */
const longTextBytes = 512 * 1024;

/** Parses untrusted JSON. Throws 413 for too many values, and `JsonSyntaxError`. */
export function parseJsonBody(bytes: Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  // Each value takes at least two bytes.
  if (bytes.length > 2 * bodyBounds.membersMax) checkSize(measureJson(bytes));
  return parseJson(bytes, options);
}

/** Nesting that is too deep is a syntax error, which is found quickly. */
function checkSize({ values, membersMax, depth }: JsonSize): void {
  if (depth <= jsonDepthMax && (values > bodyBounds.valuesMax || membersMax > bodyBounds.membersMax)) {
    throw tooManyValues();
  }
}

/**
 * The same of what another server answers, which may be large whatever was asked: a large text in turns with other work, until `signal`
 * aborts.
 */
export async function parseBoundedJson(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
  options: ParseJsonOptions = {},
): Promise<JsonValue> {
  // Each value takes at least two bytes.
  if (bytes.length <= 2 * valuesAtOnceMax) return parseJson(bytes, options);
  // Bodies of many clients may end in the same round of the event loop.
  await nextTurn(signal);
  const size = measureJson(bytes);
  checkSize(size);
  const { values, depth } = size;
  if (values <= valuesAtOnceMax && depth <= jsonDepthMax) {
    // A single text may be as long as the body: each pass over it is a step.
    if (bytes.length > longTextBytes) await nextTurn(signal);
    const value = parsePlainJson(bytes, options);
    if (value !== undefined) return value;
    await nextTurn(signal);
  }
  return await parseJsonInTurns(bytes, options, () => nextTurn(signal));
}

/**
 * Limit of quantities, the most expensive values to parse, compare and print: ten for each of a thousand containers.
 */
export const quantitiesMax = 5_000;

/** Limit of the schemas within a definition, each of which may have fifty fields: a stored one has room for 60 bytes of each. */
export const schemasMax = 25_000;

/** Kubernetes' encoder writes most fields that are not set, so a protobuf body has more values than the same in JSON. */
export const protobufBounds: FromProtoOptions = {
  valuesMax: 3 * bodyBounds.valuesMax,
  itemsMax: bodyBounds.membersMax,
  quantitiesMax,
  schemasMax,
};

/** Returns what `read` decodes within `protobufBounds`, `quantitiesMax` or `schemasMax`. Throws 413 for too many values. */
export function readBounded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error;
    if (error.what === "values") throw tooManyValues();
    const max = error.what === "schemas" ? schemasMax : quantitiesMax;
    throw requestTooLarge(`Request entity too large: limit is ${max} ${error.what}`);
  }
}

/** Bounds the results of patches, because many small patches could build what no body may contain. Throws 413. */
export function checkValues(object: JsonValue): void {
  if (exceeds(object, bodyBounds)) throw tooManyValues();
}

/** 413 for more than `bodyBounds`. */
export function tooManyValues(): StatusError {
  const { valuesMax, membersMax } = bodyBounds;
  return requestTooLarge(
    `Request entity too large: limit is ${valuesMax} fields and items, ${membersMax} of them in one object or list`,
  );
}

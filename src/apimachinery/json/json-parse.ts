import { Buffer } from "node:buffer";
import { defaultDepthMax, JsonParser, type ParseJsonOptions } from "./json-parser.js";
import { isDigitCode, textOf } from "./json-scanner.js";
import { measureJson } from "./json-size.js";
import type { JsonValue } from "./json-value.js";
import { mayMisreadNames } from "./misread-names.js";
import { mayRepeatNames } from "./repeated-names.js";

/**
 * Reads one JSON document. Integers beyond ±(2^53-1) become `bigint`, and invalid UTF-8 becomes U+FFFD, as in Kubernetes' parser.
 * Throws `JsonSyntaxError`.
 */
export function parseJson(input: string | Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  const text = textOf(input);
  if (!isTooDeep(input, options.depthMax ?? defaultDepthMax)) {
    const value = parseByEngine(text, options);
    if (value !== undefined) return value;
  }
  const parser = new JsonParser(text, options);
  while (!parser.advance(Number.POSITIVE_INFINITY));
  return parser.result;
}

/**
 * Parses with `JSON.parse`, which is fastest, where that gives what `parseJson` would; undefined for any other text, invalid JSON
 * included. The text must not be nested deeply.
 */
export function parsePlainJson(
  input: string | Uint8Array,
  options: ParseJsonOptions = {},
): JsonValue | undefined {
  return parseByEngine(textOf(input), options);
}

function parseByEngine(text: string, options: ParseJsonOptions): JsonValue | undefined {
  if (options.onMember !== undefined) return undefined;
  if (needsOwnParser(text)) return undefined;
  if (options.onNumberText !== undefined && otherwisePrinted.test(text)) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    if (mayMisreadNames(text, value)) return undefined;
    return options.onDuplicateField !== undefined && mayRepeatNames(text, value) ? undefined : value;
  } catch {
    // `JsonParser` reports the error in Kubernetes' words.
    return undefined;
  }
}

/** The engine's parser takes a tenth of a second for a megabyte of brackets. */
function isTooDeep(input: string | Uint8Array, depthMax: number): boolean {
  // Each level takes at least two characters.
  if (input.length < 2 * depthMax) return false;
  return measureJson(typeof input === "string" ? Buffer.from(input) : input).depth > depthMax;
}

/** A number with an exponent of three or more digits. The engine reads one that is too large as infinite. */
const longExponent = /(?:^|[:,[\s])-?\d[\d.]*[eE]\+?\d{3,}(?=[,\]}\s]|$)/;

/**
 * A number with a fraction or an exponent that may print differently from how it is written; it may also be part of a string. Up to
 * fifteen digits that do not end in zero print as written.
 */
const otherwisePrinted =
  /(?:^|[:,[\s])-?(?!\d{1,9}\.\d{0,5}[1-9](?:[,\]}\s]|$))\d+(?:\.\d|[eE])[\deE+-]*(?=[,\]}\s]|$)/;

/** Integers of 16 digits and more may not be exact as numbers; escapes may stand for lone surrogates. */
function needsOwnParser(text: string): boolean {
  if (longExponent.test(text)) return true;
  if (text.includes("\\u") && /\\u[dD][89a-fA-F]/.test(text)) return true;
  // Any run of 16 digits covers one of these positions. Twice as fast as a regular expression.
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigitCode(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > 0 && isDigitCode(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isDigitCode(text.charCodeAt(end))) end++;
    if (end - start >= 16) return true;
  }
  return false;
}

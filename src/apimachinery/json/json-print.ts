import { escapeHtmlInJson, escapeJson } from "./json-escape.js";
import { parseJson } from "./json-parse.js";
import type { JsonObject, JsonValue } from "./json-value.js";

export interface PrintJsonOptions {
  /** One step of indentation; pretty printing when given. */
  readonly indent?: string | undefined;
  /** Whether `<`, `>` and `&` are escaped, as Kubernetes does in all it sends. Default true. */
  readonly htmlEscape?: boolean | undefined;
}

// Written as a character that needs escaping.
const needsEscape = /[^ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;
const needsPlainEscape = /[^ !#-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;
/** Printable ASCII that needs no escape, by character code. */
const plainAscii = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 0x20 && code < 0x7f && !'"\\<>&'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Up to this length a loop is faster than a regular expression (measured: 30 to 40 characters). */
const loopLengthMax = 32;

function isPlain(text: string): boolean {
  if (text.length > loopLengthMax) return !needsEscape.test(text);
  for (let index = 0; index < text.length; index++) {
    if (plainAscii[text.charCodeAt(index)] !== 1) return !needsEscape.test(text);
  }
  return true;
}

/** A JSON string literal, escaped as Kubernetes escapes; lone surrogates become U+FFFD. */
export function printJsonString(text: string): string {
  if (isPlain(text)) return `"${text}"`;
  return `"${escapeJson(text, true)}"`;
}

/** Like `printJsonString`, but leaves `<`, `>` and `&` alone. */
export function printJsonStringPlain(text: string): string {
  if (!needsPlainEscape.test(text)) return `"${text}"`;
  return `"${escapeJson(text, false)}"`;
}

/**
 * JSON text with exact big integers, keys in their order, and Kubernetes' escaping. `undefined` members are left out. Numbers that are
 * not finite have no JSON form and are printed as `null`.
 */
export function printJson(value: JsonValue, options: PrintJsonOptions = {}): string {
  if (typeof value === "object" && value !== null && options.indent === undefined) {
    const known = (value as Partial<Kept>)[kept];
    if (known !== undefined) return options.htmlEscape === false ? known.plain : known.escaped;
  }
  const text = options.htmlEscape === false ? printJsonStringPlain : printJsonString;
  return options.indent === undefined ? compact(value, text) : pretty(value, text, options.indent, "\n");
}

/**
 * Like `printJson` without `htmlEscape`, by the engine's own printer, which is several times faster before functions are optimized. For values
 * of which no part is kept in its printed form or unread.
 */
export function printJsonByEngine(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The engine has no form for a bigint.
    return printJson(value, { htmlEscape: false });
  }
}

const kept = Symbol("printed JSON");

interface Kept {
  readonly [kept]: { readonly plain: string; readonly escaped: string };
}

/**
 * Freezes `value` and keeps its printed form, for values that many objects share. Objects that contain it are printed anew, except for this
 * part.
 */
export function keepPrinted<T extends JsonObject>(value: T): T {
  const texts = { plain: printJson(value, { htmlEscape: false }), escaped: printJson(value) };
  if (!Object.isFrozen(value)) Object.defineProperty(value, kept, { value: texts });
  return freezeDeep(value);
}

/**
 * A stand-in for the object with this JSON text. It has no members and can only be printed. The text must already be in the form
 * that `printJson` produces without `htmlEscape`.
 */
export function unparsedJson(plain: string): JsonObject {
  const value = {};
  const escaped = /[<>&]/.test(plain) ? escapeHtmlInJson(plain) : plain;
  Object.defineProperty(value, kept, { value: { plain, escaped } });
  return value;
}

/** The text of an object that has no members but stands for one that has. */
export function unparsedText(value: object): string | undefined {
  return (value as Partial<Kept>)[kept]?.escaped;
}

/** Whether `value` is deeply frozen, so that it need not be copied. */
export function isKept(value: object): boolean {
  return kept in value;
}

function freezeDeep<T extends JsonValue>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
}

type PrintString = (text: string) => string;

/** Undefined for a list or an object. */
export function printScalar(value: JsonValue, text: PrintString): string | undefined {
  switch (typeof value) {
    case "string":
      return text(value);
    case "number":
      return Number.isFinite(value) ? `${value}` : "null";
    case "bigint":
    case "boolean":
      return `${value}`;
    default:
      return value === null || value === undefined ? "null" : undefined;
  }
}

function compact(value: JsonValue, text: PrintString): string {
  const plain = printScalar(value, text);
  if (plain !== undefined) return plain;
  let out = "";
  if (Array.isArray(value)) {
    for (const item of value) out += out === "" ? compact(item, text) : `,${compact(item, text)}`;
    return `[${out}]`;
  }
  for (const [key, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    out += `${out === "" ? "" : ","}${text(key)}:${compact(member, text)}`;
  }
  if (out !== "") return `{${out}}`;
  const unread = (value as Partial<Kept>)[kept];
  return (text === printJsonString ? unread?.escaped : unread?.plain) ?? "{}";
}

function pretty(value: JsonValue, text: PrintString, indent: string, newline: string): string {
  const plain = printScalar(value, text);
  if (plain !== undefined) return plain;
  const inner = newline + indent;
  let out = "";
  if (Array.isArray(value)) {
    for (const item of value) out += `${out === "" ? "" : ","}${inner}${pretty(item, text, indent, inner)}`;
    return out === "" ? "[]" : `[${out}${newline}]`;
  }
  for (const [key, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    out += `${out === "" ? "" : ","}${inner}${text(key)}: ${pretty(member, text, indent, inner)}`;
  }
  if (out !== "") return `{${out}${newline}}`;
  const unread = (value as Partial<Kept>)[kept]?.plain ?? "{}";
  return unread === "{}" ? unread : pretty(parseJson(unread), text, indent, newline);
}

import { compareText } from "../collections/compare-text.js";
import { escapeHtmlInJson } from "../json/json-escape.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { jsonText } from "../json/json-values.js";

/**
 * One step of a path into an object, in its canonical written form:
 * - `f:replicas`: a field or a map key;
 * - `k:{"containerPort":80,"protocol":"TCP"}`: the list item with these keys, sorted by name;
 * - `v:"a.example.com/x"`: the set item with this value;
 * - `i:3`: the item at an index.
 */
export type PathElement = string;

/** `fields` must be sorted by name. */
export function keyElement(fields: readonly (readonly [string, JsonValue])[]): PathElement {
  let text = "k:{";
  for (const [name, value] of fields) {
    text += `${text === "k:{" ? "" : ","}${canonicalJson(name)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** The canonical form of an element that a client wrote. Throws an `Error` for malformed ones. */
export function parsePathElement(text: string): PathElement {
  if (text.length < 2) throw new Error("key must be 2 characters long:");
  if (text[1] !== ":") throw new Error(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case "f":
      return text;
    case "k": {
      const fields = parseJson(content);
      if (!isJsonObject(fields)) throw new Error(`not an object of keys: ${text}`);
      return keyElement(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    case "v":
      return valueElement(parseJson(content));
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new Error(`not an index: ${text}`);
      return `i:${Number(content)}`;
    default:
      throw new Error("unknown path element type");
  }
}

const kindOrder = "fkvi";

/** The order of elements in a written set: fields, keys, values, indexes; within each, by content. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = a.charAt(0);
  if (kind !== b.charAt(0)) return kindOrder.indexOf(kind) - kindOrder.indexOf(b.charAt(0));
  switch (kind) {
    case "k":
      return compareAlike(a, b) ?? compareKeys(parseJson(a.slice(2)), parseJson(b.slice(2)));
    case "v":
      return compareAlike(a, b) ?? compareValues(parseJson(a.slice(2)), parseJson(b.slice(2)));
    case "i":
      return Number(a.slice(2)) - Number(b.slice(2));
    default:
      return a < b ? -1 : 1;
  }
}

/**
 * Compares elements that first differ within two plain words or two integers at the same position, as nearly all do. Undefined for the
 * others, which must be parsed.
 */
function compareAlike(a: PathElement, b: PathElement): number | undefined {
  const length = Math.min(a.length, b.length);
  let at = 2;
  let isInText = false;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) {
    const code = a.charCodeAt(at);
    if (code === backslash) return undefined;
    if (code === quote) isInText = !isInText;
    at++;
  }
  if (isInText) {
    // The closing quote sorts before all characters of a plain word, like the end of a string.
    const isPlain = endOrWord.test(a.charAt(at)) && endOrWord.test(b.charAt(at));
    return isPlain ? a.charCodeAt(at) - b.charCodeAt(at) : undefined;
  }
  const left = integerAround(a, at);
  const right = integerAround(b, at);
  return left === undefined || right === undefined ? undefined : left - right;
}

const quote = 0x22;
const backslash = 0x5c;
const endOrWord = /^["\-.\w]$/;

/** The non-negative integer at `at`. */
function integerAround(element: PathElement, at: number): number | undefined {
  let start = at;
  while (isDigitAt(element, start - 1)) start--;
  let end = at;
  while (isDigitAt(element, end)) end++;
  const isWhole =
    element[start - 1] === ":" && (end === element.length || ",}".includes(element.charAt(end)));
  return isWhole && end > start && end - start <= 15 ? Number(element.slice(start, end)) : undefined;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** An element as error messages show it: `.spec`, `[name="a"]`, `[="x"]`, `[3]`. */
export function printPathElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case "k": {
      const fields = parseJson(content);
      if (!isJsonObject(fields)) return element;
      return `[${Object.entries(fields)
        .map(([name, value]) => `${name}=${printValue(value)}`)
        .join(",")}]`;
    }
    case "v":
      return `[=${printValue(parseJson(content))}]`;
    case "i":
      return `[${content}]`;
    default:
      return `.${content}`;
  }
}

export function printPath(path: readonly PathElement[]): string {
  return path.map(printPathElement).join("");
}

function printValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([name, field]) => `${name}=${printValue(field)}`)
      .join("");
  }
  return canonicalJson(value);
}

function compareKeys(a: JsonValue, b: JsonValue): number {
  const left = isJsonObject(a) ? Object.entries(a) : [];
  const right = isJsonObject(b) ? Object.entries(b) : [];
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const rankOfType: Readonly<Record<string, number>> = {
  number: 0,
  bigint: 0,
  string: 1,
  boolean: 2,
  object: 3,
};

function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = (rankOfType[typeof a] ?? 4) - (rankOfType[typeof b] ?? 4);
  if (rank !== 0) return rank;
  if (typeof a === "object" || typeof b === "object") {
    const left = canonicalJson(a);
    const right = canonicalJson(b);
    return compareText(left, right);
  }
  return a === b ? 0 : a < b ? -1 : 1;
}

/** JSON, with the escapes that Kubernetes uses inside an element. */
function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case "number":
      return Object.is(value, -0) ? "0" : String(value);
    case "bigint":
    case "boolean":
      return String(value);
    case "string":
      return plainText.test(value) ? `"${value}"` : escaped(JSON.stringify(value));
    default:
      return escaped(jsonText(value));
  }
}

const plainText = /^[-\w./:]*$/;

function escaped(json: string): string {
  return escapeHtmlInJson(json).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function parseJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

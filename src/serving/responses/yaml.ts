import { parseJson } from "../../apimachinery/json-parse.js";
import { printJsonStringPlain } from "../../apimachinery/json-print.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json-value.js";

/**
 * The document as YAML: keys sorted, lists not indented, as the original prints it. Readers of YAML 1.1 and of 1.2 get the same
 * value from it. `json` is valid JSON. A pod takes 0.02 ms; with the YAML library it is 1.8 ms, and a long list 18 s.
 */
export function jsonToYaml(json: string | Uint8Array): string {
  const value = parseJson(json);
  const text = hasMembers(value) ? block(value, "\n").slice(1) : scalar(value, "\n");
  return `${text}\n`;
}

function hasMembers(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** The lines of a list or an object with members. `newline` is a line break and the indentation, and comes before each. */
function block(value: JsonValue, newline: string): string {
  const deeper = `${newline}  `;
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) {
      // The first line of an item stands behind its dash.
      const shown = hasMembers(item) ? block(item, deeper).slice(deeper.length) : scalar(item, newline);
      text += `${newline}- ${shown}`;
    }
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value).sort()) {
      const item = value[name] ?? null;
      if (!hasMembers(item)) text += `${newline}${key(name, newline)} ${scalar(item, newline)}`;
      else text += newline + key(name, newline) + block(item, Array.isArray(item) ? newline : deeper);
    }
  }
  return text;
}

/** YAML finds the colon of a key within 1024 characters only, unless a question mark announces it. */
const plainKeyMax = 1000;

function key(name: string, newline: string): string {
  const text = isPlain(name) ? name : quoted(name);
  return text.length > plainKeyMax ? `? ${text}${newline}:` : `${text}:`;
}

function scalar(value: JsonValue, newline: string): string {
  if (typeof value === "string") return textScalar(value, newline);
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" && value !== null ? "{}" : String(value);
}

function textScalar(text: string, newline: string): string {
  if (isPlain(text)) return text;
  return isLiteral(text) ? literal(text, newline) : quoted(text);
}

/** Begins like a word or a version, and has neither the end of a key nor the beginning of a comment in it. */
const plain = /^(?:[A-Za-z_/]|\d+\.\d+\.\d)(?:[!-9;-~]|:(?=[!-~])| +(?=[!-"$-~]))*$/;
/** Words that some reader takes for something else than text. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|[eE][-+]?\d+)$/i;

function isPlain(text: string): boolean {
  return plain.test(text) && !reserved.test(text);
}

/** A JSON string is a YAML one; but what YAML 1.1 takes for line breaks, or forbids, is escaped too. */
function quoted(text: string): string {
  return printJsonStringPlain(text).replace(
    /[\x7f-\x9f\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Several lines that can be shown as they are: printable, not indented at first, without spaces before a line break. */
function isLiteral(text: string): boolean {
  return (
    text.includes("\n") &&
    /^[^\s]/.test(text) &&
    !/[ \t]\n|[ \t]$|[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff]/.test(text)
  );
}

function literal(text: string, newline: string): string {
  const lines = text.split("\n");
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  const chomping = !hasEnd ? "-" : lines.at(-1) === "" ? "+" : "";
  return `|${chomping}${lines.map((line) => (line === "" ? "\n" : `${newline}  ${line}`)).join("")}`;
}

import { compareText } from "../collections/compare-text.js";
import { parseJson } from "../json/json-parse.js";
import { printJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import type { Tags } from "./yaml-library.js";

/**
 * The document as YAML: keys sorted, lists not indented, as Kubernetes prints it. `json` is valid JSON. Values nested deeper than the
 * library's recursion allows stay JSON, which is also YAML.
 */
export async function jsonToYaml(json: string | Uint8Array): Promise<string> {
  const { Document, visit } = await import("./yaml-library.js");
  const value = parseJson(json);
  if (isDeeper(value, nestingMax)) return flowText(value);
  const document = new Document(value, {
    sortMapEntries: byCodeUnits,
    aliasDuplicateObjects: false,
    // Quotes `yes`, `on` and the like, which YAML 1.1 readers treat as booleans.
    version: "1.1",
    customTags: (tags) => tags.map(plainDot),
  });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === "string" && isMisread(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  const options = {
    indentSeq: false,
    lineWidth: 0,
    // Folded over several lines, some texts would not be read back unchanged.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  };
  return document.toString(options).replace(unprintable, escaped);
}

/** The library takes a lone dot for a number and would quote it. Managed fields are full of dots. */
function plainDot(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.collection !== undefined || !tag.test?.test(".")) return tag;
  return { ...tag, test: /^[-+]?(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*)$/ };
}

/** The document as JSON on one line, or one line per item of a list. It is valid YAML, and takes less time and memory to print. */
export function jsonToFlowYaml(json: Uint8Array): string {
  return flowText(parseJson(json));
}

/** Characters that Go's reader rejects in a document (YAML 1.2, production 1) and the library does not escape. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Whether the text would not be read back unchanged in the style that the library chooses. */
function isMisread(text: string): boolean {
  return (
    // Numbers to Go's reader.
    /^[-+]?(?:0o[0-7_]+|(?:[\d_]+(?:\.(?:[\d_]+\.?)?)?|\.[\d_]+\.?)(?:[eE][-+]?[\d_]+)?)$/.test(text) ||
    // Blocks lose spaces at the ends of lines.
    /[ \t](\n|$)|^\s/.test(text) ||
    text.search(unprintable) >= 0
  );
}

/** These characters are only allowed in double quotes. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * The library takes 1 KiB of stack per level, and the engine ends the process when a regular expression overflows the stack.
 */
const nestingMax = 250;

function isDeeper(value: JsonValue, max: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return max === 0 || Object.values(value).some((member: JsonValue) => isDeeper(member, max - 1));
}

/**
 * On one line: indentation would grow with the square of the nesting. One item of a list at a time, so that more may follow.
 */
function flowText(value: JsonValue): string {
  if (!Array.isArray(value)) return `${printJson(value)}\n`;
  return value.map((item: JsonValue) => `- ${printJson(item)}\n`).join("");
}

function byCodeUnits(a: { key: unknown }, b: { key: unknown }): number {
  return compareText(keyText(a.key), keyText(b.key));
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}

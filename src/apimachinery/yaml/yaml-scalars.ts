import type { Scalar } from "yaml";
import type { JsonValue } from "../json/json-value.js";
import { isIntegerText, plainNumber } from "./plain-number.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";

/** `binary` is left to the converter, which makes text of it. */
export function isForeign(tag: { tag?: string; format?: string }): boolean {
  return tag.format === "TIME" || /:(?:timestamp|binary|omap|pairs)$/.test(tag.tag ?? "");
}

export const explicitNumbers = ["int", "float"].map((type) => ({
  tag: `tag:yaml.org,2002:${type}`,
  resolve(text: string, onError: (message: string) => void): unknown {
    const number = plainNumber(text);
    if (number === undefined) onError(`cannot decode !!str \`${text}\` as a !!${type}`);
    return number;
  },
}));

/** Without a tag, `plainNumber` recognizes these. */
export function isNumber(tag: { tag?: string; test?: RegExp }): boolean {
  const isSpecial = tag.test?.test(".inf") === true;
  return (tag.tag?.endsWith(":int") === true || tag.tag?.endsWith(":float") === true) && !isSpecial;
}

export function scalarValue(node: Scalar): JsonValue {
  const { value } = node;
  switch (typeof value) {
    case "bigint": {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    case "number":
      if (!Number.isFinite(value)) throw new YamlSyntaxError("a number must be finite");
      return value;
    case "boolean":
      return value;
    case "string":
      if (node.tag === binaryTag) return decodedText(value);
      if (!value.isWellFormed()) throw new YamlSyntaxError("found invalid Unicode character escape code");
      return (node.type === "PLAIN" && node.tag === undefined ? plainNumber(value) : undefined) ?? value;
    default:
      // The merge key `<<` is a symbol to the library.
      return typeof value === "symbol" ? (node.source ?? "<<") : null;
  }
}

/** The name that Kubernetes' reader makes of a key: fractions have the precision of 32 bits, and no integer is beyond 64. */
export function keyText(node: Scalar): string {
  const { value: read, source } = node;
  if (typeof read === "number" && !Number.isFinite(read)) return singleText(read);
  const value = scalarValue(node);
  if (value === null) throw new YamlSyntaxError("a map key must not be null");
  if (typeof value === "bigint" && value >= 2n ** 63n && value < 2n ** 64n)
    throw new YamlSyntaxError("unsupported map key of type: uint64");
  const isSingle =
    typeof value === "bigint"
      ? value >= 2n ** 64n || value < -(2n ** 63n)
      : typeof value === "number" && source !== undefined && !isIntegerText(source);
  return isSingle ? singleText(Number(value)) : String(value);
}

/** The fewest digits that identify a 32-bit float, as Go prints it. */
function singleText(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return ".nan";
  if (!Number.isFinite(single)) return single < 0 ? "-.inf" : ".inf";
  if (single === 0) return Object.is(single, -0) ? "-0" : "0";
  let digits = 1;
  while (Math.fround(Number(single.toExponential(digits - 1))) !== single) digits++;
  const [mantissa = "", power = ""] = single.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return single.toFixed(Math.max(digits - 1 - exponent, 0));
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const binaryTag = "tag:yaml.org,2002:binary";

/** As in Go's reader: the bytes are a string. */
function decodedText(base64: string): string {
  const digits = base64.replace(/[\r\n]/g, "");
  const bytes = Buffer.from(digits, "base64");
  if (bytes.toString("base64") !== digits) {
    throw new YamlSyntaxError("!!binary value contains invalid base64 data");
  }
  return bytes.toString("utf8");
}

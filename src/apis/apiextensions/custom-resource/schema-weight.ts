import { patternSize } from "../../../apimachinery/values/pattern-size.js";

/** Parsing this many bytes of schema takes as long as compiling a rule. */
const bytesPerRule = 8 * 1024;
/** As `bytesPerRule`, for each unit of a pattern's size. */
const bytesPerPatternUnit = 50;

/** The cost of using a schema for the first time: how many bytes of schema take as long to parse. `text` is its stored JSON. */
export function schemaWeight(text: Buffer): number {
  let weight = text.length;
  for (const [, name, value = ""] of text
    .toString("latin1")
    .matchAll(/"(rule|pattern)":"((?:[^"\\]|\\.)*)"/g)) {
    weight += name === "rule" ? bytesPerRule : bytesPerPatternUnit * patternSize(value);
  }
  return weight;
}

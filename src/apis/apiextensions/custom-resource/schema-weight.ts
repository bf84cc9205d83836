import { patternSize } from "../../../apimachinery/values/pattern-size.js";

/** As many bytes of a schema take as long to parse as a rule takes to compile. */
const bytesPerRule = 8 * 1024;
/** The same for each unit of a pattern's size. */
const bytesPerPatternUnit = 50;

/** What it costs to use a schema for the first time, in bytes of a schema that take as long to parse. `text` is its JSON as it is stored. */
export function schemaWeight(text: Buffer): number {
  let weight = text.length;
  for (const [, name, value = ""] of text
    .toString("latin1")
    .matchAll(/"(rule|pattern)":"((?:[^"\\]|\\.)*)"/g)) {
    weight += name === "rule" ? bytesPerRule : bytesPerPatternUnit * patternSize(value);
  }
  return weight;
}

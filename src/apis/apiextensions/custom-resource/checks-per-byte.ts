import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";

/** The shortest values have a digit and a comma. */
const valueBytesMin = 2;
/** An empty object in a list. */
const itemBytesMin = 3;
/** Quotes, colon and comma of a member, and its value. */
const memberBytesMin = 5;
/** In checks: a default is copied, and written with the object. */
const perDefault = 20;
/** A pattern of up to this size counts as one check per byte. */
const simplePatternSize = 16;

/**
 * The most checks, of some 100 ns each, that a byte of an object may cost: a schema with 500 alternatives for an item makes a few bytes
 * expensive. An upper bound: every byte is counted at the costliest place of the schema.
 */
export function checksPerByte(schema: StructuralSchema): number {
  const { pattern, properties, additional, items, allOf, anyOf, oneOf, not } = schema;
  const size = pattern?.size ?? 0;
  let checks = 1 / valueBytesMin + (size > simplePatternSize ? size : Math.sign(size));
  for (const branches of [allOf, anyOf, oneOf]) {
    for (const branch of branches) checks += checksPerByte(branch);
  }
  if (not !== undefined) checks += checksPerByte(not);
  let below = items === undefined ? 0 : checksPerByte(items) + defaultsPerByte(items);
  if (typeof additional === "object") {
    below = Math.max(below, checksPerByte(additional) + defaultsPerByte(additional));
  }
  for (const property of properties.values()) below = Math.max(below, checksPerByte(property));
  return checks + below;
}

/** The checks for the defaults of an item, for each of its bytes. */
function defaultsPerByte({ defaultedProperties, required }: StructuralSchema): number {
  const given = required.reduce((bytes, name) => bytes + name.length + memberBytesMin, itemBytesMin);
  return (perDefault * defaultedProperties.length) / given;
}

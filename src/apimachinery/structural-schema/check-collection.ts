import { hasErrorTextsOf } from "../errors/error-texts.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import type { StructuralSchema } from "./structural-schema.js";
import { fieldOf, type Place, type Result, requiredProblem, tooFew, tooMany } from "./value-problem.js";

export function checkLength(
  items: readonly JsonValue[],
  { minItems, maxItems }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  if (minItems !== undefined && items.length < minItems) {
    result.add(() => tooFew(at, { count: items.length, min: minItems, what: "items" }));
  }
  if (maxItems !== undefined && items.length > maxItems)
    result.add(() => tooMany(at, { count: items.length, max: maxItems, what: "items" }));
}

/** Whether the members of an object are to be checked: before 1.28 not if it has too few or too many. */
export function checkCount(
  object: JsonObject,
  { minProperties, maxProperties }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): boolean {
  if (minProperties === undefined && maxProperties === undefined) return true;
  const count = countMembers(object);
  if (minProperties !== undefined && count < minProperties) {
    result.add(() => tooFew(at, { count, min: minProperties, what: "properties" }));
    return hasErrorTextsOf(28);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    result.add(() => tooMany(at, { count, max: maxProperties, what: "properties" }));
    return hasErrorTextsOf(28);
  }
  return true;
}

export function checkRequired(
  object: JsonObject,
  { required }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  for (const name of required) {
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    // Each of many items may lack many members, so stop at the limit of errors.
    if (!result.mayHaveMore) return;
    result.add(() => requiredProblem(fieldOf({ parent: at, step: name })));
  }
}

function countMembers(object: JsonObject): number {
  let count = 0;
  for (const name in object) if (object[name] !== undefined) count++;
  return count;
}

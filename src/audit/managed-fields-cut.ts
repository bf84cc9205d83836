import { memberOf } from "../apimachinery/json/json-member.js";
import type { JsonPieces } from "./audit-event.js";

/**
 * Cuts `metadata.managedFields` out of an object's bytes: compact JSON without the opening brace. For a row of a table, cuts it out of
 * the row's object.
 */
export function withoutManagedFields(body: Uint8Array, isRow = false): JsonPieces {
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const object = isRow ? memberOf(whole, "object")?.subarray(1) : whole;
  const metadata = object && memberOf(object, "metadata");
  const managed = metadata && memberOf(metadata.subarray(1), "managedFields");
  if (managed === undefined) return [whole];
  let start = managed.byteOffset - whole.byteOffset - memberName.length;
  let end = managed.byteOffset - whole.byteOffset + managed.length;
  // Removes one comma too: the one after it, or the one before when it is the last member.
  if (whole[end] === comma) end++;
  else if (whole[start - 1] === comma) start--;
  return [whole.subarray(0, start), whole.subarray(end)];
}

const memberName = '"managedFields":';
const comma = 0x2c;

import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual, ownField } from "../json/json-values.js";
import type { MergeType, StructType } from "../schema/merge-type.js";

/**
 * Whether two atomic values are equal. Stored values lack fields that Kubernetes prints as null (`creationTimestamp` of a claim
 * template), so a client that sends back what it read must not count as changing them.
 */
export function atomicValuesEqual(left: JsonValue, right: JsonValue, type: MergeType): boolean {
  return left === right || typedEqual(left, right, type);
}

function typedEqual(left: JsonValue | undefined, right: JsonValue | undefined, type: MergeType): boolean {
  if (type.kind === "list" && isJsonArray(left) && isJsonArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => typedEqual(item, right[index], type.element))
    );
  }
  if (type.kind === "struct" && isJsonObject(left) && isJsonObject(right)) {
    return fieldsEqual(left, right, type);
  }
  return jsonEqual(left, right);
}

/** Compares each field once: to compare the structs both ways would double the work at every level. */
function fieldsEqual(left: JsonObject, right: JsonObject, type: StructType): boolean {
  const isEqual = (name: string): boolean => {
    const field = type.field(name);
    const absent = field?.implicit === null ? null : undefined;
    const ours = ownField(left, name) ?? absent;
    const theirs = ownField(right, name) ?? absent;
    return field === undefined ? jsonEqual(ours, theirs) : typedEqual(ours, theirs, field.type);
  };
  return (
    Object.keys(right).every(isEqual) &&
    Object.keys(left).every((name) => Object.hasOwn(right, name) || isEqual(name))
  );
}

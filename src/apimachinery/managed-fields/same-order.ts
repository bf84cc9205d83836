import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, ownField } from "../json/json-values.js";
import { deducedType, type MergeType } from "../schema/merge-type.js";
import { itemElement } from "./list-items.js";

/** Whether the items of all sets and associative lists are in the same order. The values may differ in nothing else. */
export function inSameOrder(left: JsonValue, right: JsonValue | undefined, type: MergeType): boolean {
  if (left === right || type.kind === "scalar" || type.kind === "deduced") return true;
  if (type.kind === "list") {
    if (type.relation === "atomic" || !isJsonArray(left) || !isJsonArray(right)) return true;
    return left.every(
      (item, index) =>
        itemElement(item, type) === itemElement(right[index], type) &&
        inSameOrder(item, right[index], type.element),
    );
  }
  if (type.atomic || !isJsonObject(left) || !isJsonObject(right)) return true;
  return Object.entries(left).every(([name, value]) => {
    const declared = type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others);
    return inSameOrder(value, ownField(right, name), declared ?? deducedType);
  });
}

import { CelBudget } from "../../apimachinery/cel/cel-error.js";
import { toJson } from "../../apimachinery/cel/cel-json.js";
import { CelList, CelMap, type CelValue } from "../../apimachinery/cel/cel-value.js";
import { misnamedLiterals } from "../../apimachinery/cel/literal-names.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray } from "../../apimachinery/json/json-values.js";
import { checkTyped } from "../../apimachinery/managed-fields/check-typed.js";
import { mergeTyped } from "../../apimachinery/managed-fields/merge-typed.js";
import { applyJsonPatch, parseJsonPatch } from "../../apimachinery/patch/json-patch.js";
import { PatchError } from "../../apimachinery/patch/patch-error.js";
import type { MergeType } from "../../apimachinery/schema/merge-type.js";

/** A mutation that cannot be applied to the object. */
export class MutationError extends Error {}

/** As many values as an object in a request may have. */
const valuesMax = 100_000;

export interface MutatedObject {
  readonly object: JsonObject;
  readonly mergeType: MergeType | undefined;
}

/** The object after a mutation; `made` is the result of its expression. Throws `MutationError`. */
export function applyMutation(made: CelValue, isApplied: boolean, target: MutatedObject): JsonValue {
  // A value that is JSON is small enough to be looked through.
  const json = asJson(made);
  const misnamed = isApplied ? misnamedLiterals(made, "Object") : operandsOf(made).flatMap(misnamedOperand);
  if (misnamed.length > 0) throw new MutationError(`type mismatch: ${misnamed.join("\n")}`);
  return isApplied ? applyConfiguration(json, target) : applyPatch(json, target.object);
}

function asJson(made: CelValue): JsonValue {
  try {
    return toJson(made, new CelBudget(valuesMax));
  } catch (error) {
    throw new MutationError(messageOf(error), { cause: error });
  }
}

/** The values of the operations of a patch. */
function operandsOf(patch: CelValue): CelValue[] {
  const operations = patch instanceof CelList ? [...patch.values()] : [];
  return operations.map((operation) =>
    operation instanceof CelMap ? (operation.get("value") ?? null) : null,
  );
}

/** The type of the field that an operation changes is unknown here, so only the fields below it are checked. */
function misnamedOperand(operand: CelValue): string[] {
  const typeName = operand instanceof CelMap ? operand.typeName : undefined;
  return typeName === undefined ? [] : misnamedLiterals(operand, typeName);
}

function applyPatch(patch: JsonValue, object: JsonObject): JsonValue {
  try {
    return applyJsonPatch(object, parseJsonPatch(patch));
  } catch (error) {
    // An object that does not pass the patch's own test stays as it is.
    if (error instanceof PatchError && error.isFailedTest) return object;
    throw new MutationError(`JSON Patch: ${messageOf(error)}`, { cause: error });
  }
}

function applyConfiguration(applied: JsonValue, { object, mergeType }: MutatedObject): JsonValue {
  if (!isJsonObject(applied) || mergeType === undefined) {
    throw new MutationError("error applying patch: the object cannot be merged");
  }
  const { kind, apiVersion, ...live } = object;
  try {
    checkTyped(applied, mergeType);
  } catch (error) {
    const why = messageOf(error);
    throw new MutationError(`error applying patch: failed to convert patch object to typed object: ${why}`, {
      cause: error,
    });
  }
  const atomic = atomicParts(applied, mergeType, "");
  if (atomic.length > 0) {
    throw new MutationError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(", ")}`,
    );
  }
  return {
    ...(kind !== undefined && { kind }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...mergeTyped(live, applied, mergeType),
  };
}

/** Parts that an apply configuration would replace entirely, although it may mean to change only some of them. */
function atomicParts(value: JsonValue | undefined, type: MergeType, path: string): string[] {
  if (isJsonObject(value) && (type.kind === "struct" || type.kind === "map")) {
    const found = type.atomic ? [path] : [];
    for (const [name, member] of Object.entries(value)) {
      const inner = type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others);
      if (inner !== undefined) found.push(...atomicParts(member, inner, `${path}.${name}`));
    }
    return found;
  }
  if (isJsonArray(value) && type.kind === "list") {
    const found = type.relation === "atomic" ? [path] : [];
    for (const [index, item] of value.entries()) {
      found.push(...atomicParts(item, type.element, `${path}[${index}]`));
    }
    return found;
  }
  return [];
}

import { CelBudget } from "../../apimachinery/cel/cel-error.js";
import { toJson } from "../../apimachinery/cel/cel-json.js";
import { CelDuration, CelTimestamp } from "../../apimachinery/cel/cel-times.js";
import {
  CelList,
  CelMap,
  CelOptional,
  type CelValue,
  typeOfValue,
} from "../../apimachinery/cel/cel-value.js";
import { misnamedLiterals } from "../../apimachinery/cel/literal-names.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray } from "../../apimachinery/json/json-values.js";
import { checkTyped } from "../../apimachinery/managed-fields/check-typed.js";
import { mergeTyped } from "../../apimachinery/managed-fields/merge-typed.js";
import { applyJsonPatch, parseJsonPatch } from "../../apimachinery/patch/json-patch.js";
import { PatchError } from "../../apimachinery/patch/patch-error.js";
import { type MergeType, memberType } from "../../apimachinery/schema/merge-type.js";

/** A mutation that cannot be applied to the object. */
export class MutationError extends Error {}

/** As many values as an object in a request may have. */
const valuesMax = 100_000;

export interface MutatedObject {
  readonly object: JsonObject;
  /** Undefined for an object that cannot be merged. */
  readonly mergeType: MergeType | undefined;
}

/** The object after a mutation; `made` is the result of its expression. Throws `MutationError`. */
export function applyMutation(made: CelValue, isApplied: boolean, target: MutatedObject): JsonValue {
  // A JSON value is small enough to be walked.
  const json = asJson(made);
  const misnamed = isApplied ? misnamedLiterals(made, "Object") : operandsOf(made).flatMap(misnamedOperand);
  if (misnamed.length > 0) throw new MutationError(`type mismatch: ${misnamed.join("\n")}`);
  return isApplied ? applyConfiguration(made, json, target) : applyPatch(json, target.object);
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
    // If a patch's own `test` operation fails, the object stays unchanged.
    if (error instanceof PatchError && error.isFailedTest) return object;
    throw new MutationError(`JSON Patch: ${messageOf(error)}`, { cause: error });
  }
}

function applyConfiguration(
  made: CelValue,
  json: JsonValue,
  { object, mergeType }: MutatedObject,
): JsonValue {
  const { kind, apiVersion, ...live } = object;
  // The kind of the object is that of the configuration, too.
  const { kind: _kind, apiVersion: _apiVersion, ...applied } = isJsonObject(json) ? json : {};
  try {
    if (mergeType === undefined) throw new Error(`no corresponding type for ${apiVersion}, Kind=${kind}`);
    checkTyped(applied, mergeType);
    const problem = untypedPart(made, mergeType, "");
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    const why = messageOf(error);
    throw new MutationError(`error applying patch: failed to convert patch object to typed object: ${why}`, {
      cause: error,
    });
  }
  const atomic = [...atomicParts(applied, mergeType, "")];
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

/**
 * The error about the first value that Kubernetes does not convert to JSON in an apply configuration, although it does in a patch: a
 * null, a time, or a map in a list.
 */
function untypedPart(value: CelValue, type: MergeType | undefined, path: string): string | undefined {
  if (value instanceof CelOptional) return untypedPart(value.value ?? null, type, path);
  if (value instanceof CelMap) return value.isJson ? undefined : untypedMember(value, type, path);
  if (value instanceof CelList) return value.isJson ? undefined : untypedItem(value, type, path);
  const got = goTypeOf(value);
  return got === undefined ? undefined : `${path}: expected ${wordOf(type)}, got ${got}`;
}

function untypedMember(map: CelMap, type: MergeType | undefined, path: string): string | undefined {
  const isObject = type?.kind === "map" || type?.kind === "struct";
  for (const key of map.keys()) {
    if (typeof key !== "string") return `${path}: expected map, got a key of ${typeOfValue(key)}`;
    const member = map.get(key) ?? null;
    if (isUnset(member)) continue;
    const found = untypedPart(member, isObject ? memberType(type, key) : undefined, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function untypedItem(list: CelList, type: MergeType | undefined, path: string): string | undefined {
  const element = type?.kind === "list" ? type.element : undefined;
  const isKeyed = type?.kind === "list" && type.relation !== "atomic";
  let index = 0;
  for (const item of list.values()) {
    const itemPath = `${path}[${index}]`;
    if (item instanceof CelMap && item.typeName === undefined && !item.isJson) {
      return isKeyed
        ? `${path}: element ${index}: associative list with keys may not have non-map elements`
        : `${itemPath}: expected map, got &{${typeOfValue(item)}}`;
    }
    const found = untypedPart(item, element, itemPath);
    if (found !== undefined) return found;
    index++;
  }
  return undefined;
}

function isUnset(value: CelValue): boolean {
  return value instanceof CelOptional && value.value === undefined;
}

function goTypeOf(value: CelValue): string | undefined {
  if (value === null) return "structpb.NullValue";
  if (value instanceof CelTimestamp) return "time.Time";
  return value instanceof CelDuration ? "time.Duration" : undefined;
}

function wordOf(type: MergeType | undefined): string {
  if (type?.kind !== "scalar") return type?.kind === "list" ? "list" : "map";
  if (type.scalar === "numeric") return "numeric (int or float)";
  return type.scalar === "untyped" || type.scalar === "opaque" ? "any scalar" : type.scalar;
}

/** Parts that an apply configuration would replace entirely, although it may mean to change only some of them. */
function* atomicParts(value: JsonValue | undefined, type: MergeType, path: string): Generator<string> {
  if (isJsonObject(value) && (type.kind === "struct" || type.kind === "map")) {
    if (type.atomic) yield path;
    for (const [name, member] of Object.entries(value)) {
      const inner = memberType(type, name);
      if (inner !== undefined) yield* atomicParts(member, inner, `${path}.${name}`);
    }
  } else if (isJsonArray(value) && type.kind === "list") {
    if (type.relation === "atomic") yield path;
    for (const [index, item] of value.entries()) yield* atomicParts(item, type.element, `${path}[${index}]`);
  }
}

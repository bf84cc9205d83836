import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isDeeperThan, isJsonArray, jsonDepthMax, jsonEqual, jsonText, ownField } from "./json-values.js";
import { PatchError } from "./patch-error.js";

/** Source: the original's limit. */
const jsonPatchOperationsMax = 10_000;
/** Bytes that all `copy` operations of one patch may add; the original's limit, that of a request's body. */
export const jsonPatchCopyBytesMax = 3 * 1024 * 1024;

export type JsonPatchOperation = JsonObject;

/** Checks the form only: what an operation lacks shows when it is its turn. */
export function parseJsonPatch(patch: JsonValue): readonly JsonPatchOperation[] {
  if (patch === null) return [];
  if (!isJsonArray(patch)) throw mistyped(patch, "Patch");
  if (patch.length > jsonPatchOperationsMax) {
    throw new PatchError(
      "tooLarge",
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${patch.length}`,
    );
  }
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isJsonObject(operation)) throw mistyped(operation, "Operation");
    return operation;
  });
}

/** In the words of the original's decoder. */
function mistyped(value: JsonValue, expected: string): PatchError {
  const kind = isJsonArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  const actual = kind === "bigint" ? "number" : kind;
  return new PatchError(
    "malformed",
    `json: cannot unmarshal ${actual} into Go value of type jsonpatch.${expected}`,
  );
}

/**
 * RFC 6902, as the original understands it: a missing `value` is null, and so is a missing field that is copied; a missing field may be
 * replaced; indexes may be negative (from the end), and what stands before the first slash of a path is ignored. Returns a new document that may share parts
 * with the old one. Throws `PatchError` of kind "rejected".
 */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  let result = document;
  let copiedBytes = 0;
  for (const operation of operations) {
    switch (operation.op) {
      case "add":
        result = add(result, pathOf(operation), operandOf(operation), "add");
        break;
      case "remove":
        result = remove(result, pathOf(operation), "remove");
        break;
      case "replace":
        result = replace(result, pathOf(operation), operandOf(operation));
        break;
      case "move": {
        const from = fromOf(operation);
        const moved = read(result, from, "move");
        result = add(remove(result, from, "move"), pathOf(operation), moved ?? null, "move");
        break;
      }
      case "copy": {
        const copied = read(result, fromOf(operation), "copy") ?? null;
        copiedBytes += Buffer.byteLength(jsonText(copied));
        if (copiedBytes > jsonPatchCopyBytesMax) {
          throw reject(
            `Unable to complete the copy, the accumulated size increase of copy is ${copiedBytes}, exceeding the limit ${jsonPatchCopyBytesMax}`,
          );
        }
        result = add(result, pathOf(operation), copied, "copy");
        break;
      }
      case "test":
        test(result, pathOf(operation), operandOf(operation));
        break;
      default:
        throw reject(`Unexpected kind: ${typeof operation.op === "string" ? operation.op : "unknown"}`);
    }
  }
  return result;
}

function pathOf(operation: JsonPatchOperation): string {
  if (typeof operation.path !== "string") throw reject("operation missing path field");
  return operation.path;
}

function fromOf(operation: JsonPatchOperation): string {
  if (typeof operation.from !== "string") throw reject("operation, missing from field");
  return operation.from;
}

function operandOf(operation: JsonPatchOperation): JsonValue {
  return ownField(operation, "value") ?? null;
}

function add(document: JsonValue, path: string, value: JsonValue, what: string): JsonValue {
  const keys = keysOf(path);
  if (keys.length === 0) throw missing(what, path);
  if (isDeeperThan(value, jsonDepthMax - keys.length)) {
    throw reject(`the result would be nested more than ${jsonDepthMax} levels deep`);
  }
  return edit(document, keys, path, what, (parent, key) => {
    if (!isJsonArray(parent)) return { ...parent, [key]: value };
    if (key === "-") return [...parent, value];
    return parent.toSpliced(indexOf(key, parent.length + 1, path), 0, value);
  });
}

function remove(document: JsonValue, path: string, what: string): JsonValue {
  return edit(document, keysOf(path), path, what, (parent, key) => {
    if (isJsonArray(parent)) return parent.toSpliced(indexOf(key, parent.length, path), 1);
    if (ownField(parent, key) === undefined) {
      throw reject(`error in ${what} for path: '${path}': Unable to remove nonexistent key: ${key}`);
    }
    const { [key]: _, ...rest } = parent;
    return rest;
  });
}

function replace(document: JsonValue, path: string, value: JsonValue): JsonValue {
  const keys = keysOf(path);
  if (isDeeperThan(value, jsonDepthMax - keys.length)) {
    throw reject(`the result would be nested more than ${jsonDepthMax} levels deep`);
  }
  // No document is a scalar: such a replacement does nothing.
  if (path === "") return isContainer(value) ? value : document;
  return edit(document, keys, path, "replace", (parent, key) =>
    isJsonArray(parent) ? parent.with(indexOf(key, parent.length, path), value) : { ...parent, [key]: value },
  );
}

/** Undefined for a field that its object does not have. */
function read(document: JsonValue, from: string, what: string): JsonValue | undefined {
  const keys = keysOf(from);
  const parent = lookUp(document, keys.slice(0, -1));
  const found = lookUp(document, keys);
  if (keys.length === 0 || !isContainer(parent) || (found === undefined && isJsonArray(parent))) {
    throw reject(`${what} operation does not apply: doc is missing from path: ${from}`);
  }
  return found;
}

/** A missing value passes a test for null. */
function test(document: JsonValue, path: string, expected: JsonValue): void {
  const keys = keysOf(path);
  if (path !== "" && keys.length === 0) throw missing("test", path);
  const parent = lookUp(document, keys.slice(0, -1));
  if (typeof parent !== "object" || parent === null) throw missing("test", path);
  const actual = keys.length === 0 ? document : lookUp(document, keys);
  if (actual === undefined && isJsonArray(parent)) throw missing("test", path);
  if (!jsonEqual(actual ?? null, expected)) throw reject(`testing value ${path} failed`);
}

/** Replaces the container at the path's last step, copying those above it. */
function edit(
  node: JsonValue,
  keys: readonly string[],
  path: string,
  what: string,
  change: (parent: JsonObject | readonly JsonValue[], key: string) => JsonValue,
): JsonValue {
  const parents: (JsonObject | readonly JsonValue[])[] = [];
  let current: JsonValue | undefined = node;
  for (const key of keys) {
    if (!isContainer(current)) throw missing(what, path);
    parents.push(current);
    current = childOf(current, key);
  }
  let result: JsonValue | undefined;
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const parent = parents[depth];
    const key = keys[depth];
    if (parent === undefined || key === undefined) break;
    if (result === undefined) result = change(parent, key);
    else if (isJsonArray(parent)) result = parent.with(indexOf(key, parent.length, path), result);
    else result = { ...parent, [key]: result };
  }
  if (result === undefined) throw missing(what, path);
  return result;
}

function lookUp(document: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = document;
  for (const key of keys) {
    if (!isContainer(current)) return undefined;
    current = childOf(current, key);
  }
  return current;
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

function childOf(parent: JsonObject | readonly JsonValue[], key: string): JsonValue | undefined {
  if (!isJsonArray(parent)) return ownField(parent, key);
  const index = parseIndex(key);
  return index === undefined ? undefined : parent.at(index);
}

/** `length` is the number of valid places; throws when `key` is none of them. */
function indexOf(key: string, length: number, path: string): number {
  const index = parseIndex(key);
  if (index === undefined) {
    throw reject(`error for path: '${path}': value was not a proper array index: '${key}'`);
  }
  if (index >= length || index < -length) {
    throw reject(`error for path: '${path}': Unable to access invalid index: ${index}`);
  }
  return index < 0 ? index + length : index;
}

function parseIndex(key: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(key) ? Number(key) : undefined;
}

function keysOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replace(/~[01]/g, (code) => (code === "~1" ? "/" : "~")));
}

function missing(what: string, path: string): PatchError {
  return reject(`${what} operation does not apply: doc is missing path: ${JSON.stringify(path)}`);
}

function reject(message: string): PatchError {
  return new PatchError("rejected", message);
}

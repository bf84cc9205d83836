import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonDepthMax, jsonEqual, jsonText, ownField } from "../json/json-values.js";
import { unmarshalProblem } from "../json/unmarshal-problem.js";
import {
  type DraftContainer,
  type DraftNode,
  isContainer,
  isDraftDeeperThan,
  isList,
  JsonDraft,
  parseIndex,
  plain,
} from "./json-draft.js";
import { PatchError } from "./patch-error.js";

/** As in Kubernetes. */
const jsonPatchOperationsMax = 10_000;
/** Bytes that all `copy` operations of one patch may add: Kubernetes' limit, the same as for a request's body. */
export const jsonPatchCopyBytesMax = 3 * 1024 * 1024;

export type JsonPatchOperation = JsonObject;

/** Checks the syntax only: missing members surface when the operation runs. */
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

function mistyped(value: JsonValue, expected: string): PatchError {
  return new PatchError("malformed", unmarshalProblem(value, `jsonpatch.${expected}`));
}

/**
 * RFC 6902, as Kubernetes understands it: a missing `value` is null, and so is a missing field that is copied; a missing field may be
 * replaced; indexes may be negative (from the end), and what stands before the first slash of a path is ignored. Returns a new document
 * that may share parts with the old one. Throws `PatchError` of kind "rejected".
 */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  const draft = new JsonDraft(document);
  let copiedBytes = 0;
  for (const operation of operations) {
    switch (operation.op) {
      case "add":
        add(draft, pathOf(operation), operandOf(operation), "add");
        break;
      case "remove":
        remove(draft, pathOf(operation), "remove");
        break;
      case "replace":
        replace(draft, pathOf(operation), operandOf(operation));
        break;
      case "move": {
        const from = fromOf(operation);
        const moved = read(draft, from, "move");
        remove(draft, from, "move");
        add(draft, pathOf(operation), moved ?? null, "move");
        break;
      }
      case "copy": {
        const copied = unchanging(read(draft, fromOf(operation), "copy") ?? null);
        copiedBytes += Buffer.byteLength(jsonText(copied));
        if (copiedBytes > jsonPatchCopyBytesMax) {
          throw reject(
            `Unable to complete the copy, the accumulated size increase of copy is ${copiedBytes}, exceeding the limit ${jsonPatchCopyBytesMax}`,
          );
        }
        add(draft, pathOf(operation), copied, "copy");
        break;
      }
      case "test":
        test(draft, pathOf(operation), operandOf(operation));
        break;
      default:
        throw reject(`Unexpected kind: ${typeof operation.op === "string" ? operation.op : "unknown"}`);
    }
  }
  return unchanging(draft.root);
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

function add(draft: JsonDraft, path: string, value: DraftNode, what: string): void {
  const { parent, key } = place(draft, path, what);
  if (parent instanceof Map) parent.set(key, value);
  else parent.insert(key === "-" ? parent.length : indexOf(key, parent.length + 1, path), value);
}

function remove(draft: JsonDraft, path: string, what: string): void {
  const { parent, key } = place(draft, path, what);
  if (!(parent instanceof Map)) parent.remove(indexOf(key, parent.length, path));
  else if (!parent.delete(key)) {
    throw reject(`error in ${what} for path: '${path}': Unable to remove nonexistent key: ${key}`);
  }
}

function replace(draft: JsonDraft, path: string, value: JsonValue): void {
  if (path === "") {
    // A document is never a scalar, so such a replacement does nothing.
    if (isContainer(value)) draft.root = value;
    return;
  }
  const { parent, key } = place(draft, path, "replace");
  if (parent instanceof Map) parent.set(key, value);
  else parent.set(indexOf(key, parent.length, path), value);
}

/** Undefined when the object does not have the field. */
function read(draft: JsonDraft, from: string, what: string): DraftNode | undefined {
  const keys = keysOf(from);
  const parent = keys && draft.find(keys.slice(0, -1));
  const found = keys && draft.find(keys);
  if (keys?.length === 0 || !isContainer(parent) || (found === undefined && isList(parent))) {
    throw reject(`${what} operation does not apply: doc is missing from path: ${from}`);
  }
  return found;
}

/** A missing value passes a test for null. */
function test(draft: JsonDraft, path: string, expected: JsonValue): void {
  const keys = keysOf(path);
  if (keys === undefined || (path !== "" && keys.length === 0)) throw missing("test", path);
  const parent = draft.find(keys.slice(0, -1));
  if (!isContainer(parent)) throw missing("test", path);
  const actual = draft.find(keys);
  if (actual === undefined && isList(parent)) throw missing("test", path);
  if (!jsonEqual(unchanging(actual ?? null), expected)) throw reject(`testing value ${path} failed`);
}

/** The target of a change: the container that the path leads to, and the last step. */
function place(
  draft: JsonDraft,
  path: string,
  what: string,
): { readonly parent: DraftContainer; readonly key: string } {
  const keys = keysOf(path);
  const key = keys?.pop();
  const parent = keys && draft.container(keys);
  if (parent === undefined || key === undefined) throw missing(what, path);
  return { parent, key };
}

function unchanging(node: DraftNode): JsonValue {
  if (isDraftDeeperThan(node, jsonDepthMax)) {
    throw reject(`the result would be nested more than ${jsonDepthMax} levels deep`);
  }
  return plain(node);
}

/** `length` is the number of valid positions; throws when `key` is not one of them. */
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

/** Undefined for a path with more steps than a document may have levels. */
function keysOf(path: string): string[] | undefined {
  const steps = path.split("/", jsonDepthMax + 2).slice(1);
  if (steps.length > jsonDepthMax) return undefined;
  return path.includes("~") ? steps.map(unescaped) : steps;
}

const tilde = 0x7e;
const zero = 0x30;
const one = 0x31;
const slash = 0x2f;

/** `~0` stands for a tilde and `~1` for a slash. Loops over the units, because a function for each of a million escapes takes a tenth of a second. */
function unescaped(key: string): string {
  if (!key.includes("~")) return key;
  const units = new Uint16Array(key.length);
  let length = 0;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    const next = unit === tilde ? key.charCodeAt(at + 1) : 0;
    const isEscape = next === zero || next === one;
    if (isEscape) at++;
    units[length++] = isEscape ? (next === one ? slash : tilde) : unit;
  }
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le");
}

function missing(what: string, path: string): PatchError {
  return reject(`${what} operation does not apply: doc is missing path: ${JSON.stringify(path)}`);
}

function reject(message: string): PatchError {
  return new PatchError("rejected", message);
}

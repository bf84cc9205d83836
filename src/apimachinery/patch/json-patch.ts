import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonDepthMax, jsonEqual, jsonText, ownField } from "../json/json-values.js";
import { unmarshalProblem } from "../json/unmarshal-problem.js";
import {
  type DraftContainer,
  type DraftNode,
  isContainer,
  isDraftDeeperThan,
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
      case "add": {
        const path = shortlyDecoded(operation, "add");
        const place = placeOf(draft, path, `add operation does not apply: doc is missing path: "${path}"`);
        add(place, operandOf(operation), `error in add for path: '${path}'`);
        break;
      }
      case "remove": {
        const path = shortlyDecoded(operation, "remove");
        const place = placeOf(draft, path, `remove operation does not apply: doc is missing path: "${path}"`);
        remove(place, `error in remove for path: '${path}'`);
        break;
      }
      case "replace":
        replace(draft, decoded(operation, "path", "replace"), operandOf(operation));
        break;
      case "move":
        move(draft, operation);
        break;
      case "copy":
        copiedBytes = copy(draft, operation, copiedBytes);
        break;
      case "test":
        test(draft, decoded(operation, "path", "test"), operandOf(operation));
        break;
      default:
        throw reject(`Unexpected kind: ${typeof operation.op === "string" ? operation.op : "unknown"}`);
    }
  }
  return unchanging(draft.root);
}

/** The path of an operation. The error says what is wrong with it. */
function decoded(operation: JsonPatchOperation, field: "path" | "from", what: string): string {
  const text = operation[field] ?? null;
  if (typeof text === "string") return text;
  const problem =
    text !== null
      ? unmarshalProblem(text, "string")
      : field === "path"
        ? "operation missing path field: missing value"
        : "operation, missing from field: missing value";
  throw reject(`${what} operation failed to decode ${field}: ${problem}`);
}

/** Like `decoded`, for operations whose error does not say what is wrong with the path. */
function shortlyDecoded({ path }: JsonPatchOperation, what: string): string {
  if (typeof path === "string") return path;
  throw reject(`${what} operation failed to decode path: missing value`);
}

function noDestination(what: string, path: string): string {
  return `${what} operation does not apply: doc is missing destination path: ${path}`;
}

function operandOf(operation: JsonPatchOperation): JsonValue {
  return ownField(operation, "value") ?? null;
}

/** The container at the end of a path, and the last step. */
interface Place {
  readonly parent: DraftContainer;
  readonly key: string;
}

function add({ parent, key }: Place, value: DraftNode, failed: string): void {
  if (parent instanceof Map) {
    parent.set(key, value);
    return;
  }
  const index = key === "-" ? parent.length : indexIn(parent.length + 1, key);
  if (typeof index === "number") parent.insert(index, value);
  else {
    const improper = parseIndex(key) === undefined ? `value was not a proper array index: '${key}': ` : "";
    throw reject(`${failed}: ${improper}${index.problem}`);
  }
}

function remove({ parent, key }: Place, failed: string): void {
  if (parent instanceof Map) {
    if (parent.delete(key)) return;
    throw reject(`${failed}: Unable to remove nonexistent key: ${key}: missing value`);
  }
  const index = indexIn(parent.length, key);
  if (typeof index !== "number") throw reject(`${failed}: ${index.problem}`);
  parent.remove(index);
}

function replace(draft: JsonDraft, path: string, value: JsonValue): void {
  if (path === "") {
    // A document is never a scalar, so such a replacement does nothing.
    if (isContainer(value)) draft.root = value;
    return;
  }
  const does = "replace operation does not apply: doc is missing";
  const { parent, key } = placeOf(draft, path, `${does} path: ${path}`);
  if (parent instanceof Map) {
    parent.set(key, value);
    return;
  }
  const index = indexIn(parent.length, key);
  if (typeof index !== "number") throw reject(`${does} key: ${path}: missing value`);
  parent.set(index, value);
}

/** Undefined when the object does not have the field. */
function read({ parent, key }: Place, failed: string): DraftNode | undefined {
  if (parent instanceof Map) return parent.get(key);
  const index = indexIn(parent.length, key);
  if (typeof index !== "number") throw reject(`${failed}: ${index.problem}`);
  return parent.at(index);
}

function move(draft: JsonDraft, operation: JsonPatchOperation): void {
  const from = decoded(operation, "from", "move");
  const source = placeOf(draft, from, `move operation does not apply: doc is missing from path: ${from}`);
  const failed = `error in move for path: '${source.key}'`;
  const moved = read(source, failed);
  remove(source, failed);
  const path = decoded(operation, "path", "move");
  const target = placeOf(draft, path, noDestination("move", path));
  add(target, moved ?? null, `error in move for path: '${path}'`);
}

/** Returns how many bytes the operations so far have copied. */
function copy(draft: JsonDraft, operation: JsonPatchOperation, copiedBefore: number): number {
  const from = decoded(operation, "from", "copy");
  const source = placeOf(draft, from, `copy operation does not apply: doc is missing from path: ${from}`);
  const copied = unchanging(read(source, `error in copy for from: '${from}'`) ?? null);
  const path = shortlyDecoded(operation, "copy");
  const target = placeOf(draft, path, noDestination("copy", path));
  const copiedBytes = copiedBefore + Buffer.byteLength(jsonText(copied));
  if (copiedBytes > jsonPatchCopyBytesMax) {
    throw reject(
      `Unable to complete the copy, the accumulated size increase of copy is ${copiedBytes}, exceeding the limit ${jsonPatchCopyBytesMax}`,
    );
  }
  add(target, copied, "error while adding value during copy");
  return copiedBytes;
}

/** A missing value passes a test for null. */
function test(draft: JsonDraft, path: string, expected: JsonValue): void {
  const lacking = `test operation does not apply: is missing path: ${path}`;
  const actual =
    path === "" ? draft.root : read(placeOf(draft, path, lacking), `error in test for path: '${path}'`);
  if (!jsonEqual(unchanging(actual ?? null), expected)) {
    throw new PatchError("rejected", `testing value ${path} failed: test failed`, true);
  }
}

function placeOf(draft: JsonDraft, path: string, lacking: string): Place {
  const keys = keysOf(path);
  const key = keys?.pop();
  const parent = keys && draft.container(keys);
  if (parent === undefined || key === undefined) throw reject(`${lacking}: missing value`);
  return { parent, key };
}

function unchanging(node: DraftNode): JsonValue {
  if (isDraftDeeperThan(node, jsonDepthMax)) {
    throw reject(`the result would be nested more than ${jsonDepthMax} levels deep`);
  }
  return plain(node);
}

/** The position in a list of `length` positions that a key names, which may count from the end. */
function indexIn(length: number, key: string): number | { readonly problem: string } {
  const index = parseIndex(key);
  if (index === undefined) {
    const what = /^[+-]?\d+$/.test(key) ? "value out of range" : "invalid syntax";
    return { problem: `strconv.Atoi: parsing ${JSON.stringify(key)}: ${what}` };
  }
  if (index >= length || index < -length) {
    return { problem: `Unable to access invalid index: ${index}: invalid index referenced` };
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

function reject(message: string): PatchError {
  return new PatchError("rejected", message);
}

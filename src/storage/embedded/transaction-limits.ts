import { isInRange } from "../key-order.js";
import type { Operation, Transaction } from "../kv.js";
import { StorageError } from "../storage-error.js";
import { keyBytesMax } from "./lmdb-tables.js";
import { escapeKey } from "./record-layout.js";

/** etcd's default `--max-request-bytes`. */
const requestBytesMax = 1.5 * 1024 * 1024;

/** Throws `TooLarge`, and `RangeError` for an empty key and for a key that is written twice. */
export function checkTransaction(transaction: Transaction): void {
  checkSize(transaction);
  checkWrittenOnce(transaction.success);
  checkWrittenOnce(transaction.failure);
}

function checkSize(transaction: Transaction): void {
  let bytes = 0;
  for (const compare of transaction.compare) bytes += compare.key.length;
  for (const operation of [...transaction.success, ...transaction.failure]) {
    if (operation.kind !== "put") continue;
    const { key, value } = operation;
    if (key === "") throw new RangeError("a key is not empty");
    if (escapeKey(key).length > keyBytesMax) {
      throw new StorageError("TooLarge", `a key has at most ${keyBytesMax} bytes`, { key });
    }
    bytes += key.length + value.length;
  }
  if (bytes > requestBytesMax) {
    throw new StorageError("TooLarge", `the request has ${bytes} bytes, more than ${requestBytesMax}`);
  }
}

function checkWrittenOnce(operations: readonly Operation[]): void {
  if (operations.length < 2) return;
  const puts = new Set<string>();
  for (const operation of operations) {
    if (operation.kind !== "put") continue;
    if (puts.has(operation.key)) throw new RangeError(`a transaction writes ${operation.key} twice`);
    puts.add(operation.key);
  }
  for (const operation of operations) {
    if (operation.kind !== "delete") continue;
    for (const key of puts) {
      if (isInRange(key, operation.range)) throw new RangeError(`a transaction writes and deletes ${key}`);
    }
  }
}

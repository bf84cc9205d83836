import { currentSpan, traced } from "../../telemetry/span.js";
import { forwarding } from "../forwarding-store.js";
import {
  hasLocalCommits,
  type KeyValueStore,
  type LocalCommits,
  noRevision,
  type RangeRequest,
  type Transaction,
} from "../kv.js";

/** The operations of a resource on its store. */
export type StoreOperation = "get" | "list" | "listWithCount" | "create" | "update" | "delete";

/** Wraps the store to report how long reads and writes take, successful or not. */
export function observeStore(
  kv: KeyValueStore,
  observe: (operation: StoreOperation, milliseconds: number) => void,
): KeyValueStore {
  const timed = <R>(operation: StoreOperation, work: () => Promise<R>): Promise<R> => {
    const startedAt = performance.now();
    const done = (): void => observe(operation, performance.now() - startedAt);
    const result = currentSpan() === undefined ? work() : traced(`store ${operation}`, work, "client");
    result.then(done, done);
    return result;
  };
  const observed: KeyValueStore = {
    ...forwarding(kv),
    range: (request) => timed(operationOfRange(request), () => kv.range(request)),
    transact: (transaction) => timed(operationOf(transaction), () => kv.transact(transaction)),
  };
  if (!hasLocalCommits(kv)) return observed;
  const local: KeyValueStore & LocalCommits = {
    ...observed,
    onCommit: (listener) => kv.onCommit(listener),
    compactedRevision: () => kv.compactedRevision(),
  };
  return local;
}

function operationOfRange({ end, countOnly }: RangeRequest): StoreOperation {
  if (end === undefined) return "get";
  return countOnly === true ? "listWithCount" : "list";
}

/** The operation of a compare-and-set of one key, the only transaction of object stores. */
function operationOf({ compare, success }: Transaction): StoreOperation {
  if (success[0]?.kind === "delete") return "delete";
  const expected = compare[0];
  return expected?.target === "mod" && expected.revision === noRevision ? "create" : "update";
}

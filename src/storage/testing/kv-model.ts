import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { isInRange } from "../key-order.js";
import {
  type KeyRange,
  type KeyValue,
  type KvEvent,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  type Revision,
  type Transaction,
  type TransactionResult,
  toRevision,
} from "../kv.js";

/** The contract in the simplest code: a log of events, replayed for every question. No leases. */
export class KvModel {
  revision: Revision;
  readonly #log: KvEvent[] = [];

  constructor(revision: Revision) {
    this.revision = revision;
  }

  transact(transaction: Transaction): TransactionResult {
    const succeeded = transaction.compare.every((compare) => {
      const kv = this.#state(this.revision).get(compare.key);
      return compare.target === "mod"
        ? (kv?.modRevision ?? 0) === compare.revision
        : (kv?.version ?? 0) === compare.version;
    });
    const next = toRevision(this.revision + 1);
    const logged = this.#log.length;
    const results = (succeeded ? transaction.success : transaction.failure).map(
      (operation): OperationResult => {
        const state = this.#state(next);
        if (operation.kind === "range") {
          const now = this.#log.length > logged ? next : this.revision;
          return { kind: "range", result: this.#rangeOf(state, operation.range, now) };
        }
        if (operation.kind === "put") {
          const previous = state.get(operation.key);
          const kv: KeyValue = {
            key: operation.key,
            value: operation.value,
            modRevision: next,
            createRevision: previous?.createRevision ?? next,
            version: (previous?.version ?? 0) + 1,
            lease: 0n,
          };
          this.#log.push({ type: "put", kv, previous });
          return { kind: "put" };
        }
        const deleted = this.#rangeOf(state, operation.range, next).kvs;
        for (const previous of deleted) {
          const kv = { ...previous, value: Buffer.alloc(0), modRevision: next };
          this.#log.push({ type: "delete", kv, previous });
        }
        return { kind: "delete", deleted: deleted.length };
      },
    );
    if (this.#log.length > logged) this.revision = next;
    return { succeeded, revision: this.revision, results };
  }

  range(request: RangeRequest): RangeResult {
    return this.#rangeOf(this.#state(request.revision ?? this.revision), request, this.revision);
  }

  events(range: KeyRange): readonly KvEvent[] {
    return this.#log.filter((event) => isInRange(event.kv.key, range));
  }

  modRevision(key: string): number {
    return this.#state(this.revision).get(key)?.modRevision ?? 0;
  }

  #rangeOf(state: ReadonlyMap<string, KeyValue>, range: KeyRange, revision: Revision): RangeResult {
    const kvs = [...state.values()].filter((kv) => isInRange(kv.key, range));
    kvs.sort((a, b) => compareUtf8(a.key, b.key));
    return { kvs, revision, count: kvs.length, more: false };
  }

  #state(revision: Revision): Map<string, KeyValue> {
    const state = new Map<string, KeyValue>();
    for (const { type, kv } of this.#log) {
      if (kv.modRevision > revision) break;
      if (type === "put") state.set(kv.key, kv);
      else state.delete(kv.key);
    }
    return state;
  }
}

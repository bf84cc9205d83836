import type { KeyValueStore } from "./kv.js";

/** Exposes a store through its plain interface, so that a wrapper can override some of its methods. */
export function forwarding(kv: KeyValueStore): KeyValueStore {
  return {
    range: (request) => kv.range(request),
    transact: (transaction) => kv.transact(transaction),
    watch: (request, signal) => kv.watch(request, signal),
    requestProgress: () => kv.requestProgress(),
    currentRevision: () => kv.currentRevision(),
    compact: (revision) => kv.compact(revision),
    grantLease: (ttlSeconds) => kv.grantLease(ttlSeconds),
    keepLeaseAlive: (lease) => kv.keepLeaseAlive(lease),
    revokeLease: (lease) => kv.revokeLease(lease),
    status: () => kv.status(),
    close: () => kv.close(),
  };
}

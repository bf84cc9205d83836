import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { forwarding } from "../forwarding-store.js";
import type { KeyValueStore, KvEvent, LocalCommits, Revision } from "../kv.js";
import type { FromStore } from "./store-messages.js";
import { ThreadStore } from "./thread-store.js";

export interface FollowedStore extends KeyValueStore, LocalCommits {
  /** Applies all commits that the other thread had acknowledged before the call: listeners have seen them when it returns. */
  catchUp(): void;
}

type CommitListener = Parameters<LocalCommits["onCommit"]>[0];

/**
 * The store of another thread, which reports every commit before its writer learns of the success. After `catchUp`, caches over it are as
 * recent as those of the other thread. Events lack `previous`.
 */
export async function followStore(port: MessagePort): Promise<FollowedStore> {
  const sent = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const count = new Int32Array(sent);
  const listeners = new Set<CommitListener>();
  let taken = 0;
  let compacted: Revision;
  const committed = (events: readonly KvEvent[], revision: Revision): void => {
    for (const listener of listeners) listener(events, revision);
  };
  const store = new ThreadStore(port, {
    committed: (commit) => {
      // Both counts wrap around.
      taken = (taken + 1) | 0;
      compacted = commit.compacted;
      committed(commit.events, commit.revision);
    },
  });
  store.follow(sent);
  ({ compactedRevision: compacted } = await store.status());
  return {
    ...forwarding(store),
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    compactedRevision: () => compacted,
    close() {
      listeners.clear();
      return store.close();
    },
    catchUp() {
      while (taken !== Atomics.load(count, 0)) {
        const received = receiveMessageOnPort(port);
        if (received === undefined) return; // the port is closed
        store.receive(received.message as FromStore); // only serveStore writes to the port
      }
    },
  };
}

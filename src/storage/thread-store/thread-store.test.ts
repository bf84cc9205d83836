import { MessageChannel } from "node:worker_threads";
import { describeKvContract } from "../testing/kv-contract.js";
import type { KvSubject } from "../testing/kv-ground.js";
import { MemoryStore } from "../testing/memory-store.js";
import { serveStore } from "./serve-store.js";
import { ThreadStore } from "./thread-store.js";

async function openSubject(): Promise<KvSubject> {
  let now = 0;
  const kv = new MemoryStore({ now: () => now });
  const connect = (): ThreadStore => {
    const { port1, port2 } = new MessageChannel();
    serveStore(kv, port1);
    return new ThreadStore(port2);
  };
  let store = connect();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = connect();
      return store;
    },
    async advance(milliseconds) {
      // Earlier calls reach the store before its clock moves, as if the thread had its own clock.
      await store.status();
      now += milliseconds;
      await store.status();
    },
    close: async () => {
      await store.close();
      await kv.close();
    },
  };
}

describeKvContract("thread store", openSubject);

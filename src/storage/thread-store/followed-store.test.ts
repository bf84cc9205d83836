import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import type { KvEvent, Operation, Revision } from "../kv.js";
import { describeKvContract } from "../testing/kv-contract.js";
import type { KvSubject } from "../testing/kv-ground.js";
import { MemoryStore } from "../testing/memory-store.js";
import { type FollowedStore, followStore } from "./followed-store.js";
import { serveStore } from "./serve-store.js";

async function openSubject(): Promise<KvSubject> {
  let now = 0;
  const kv = new MemoryStore({ now: () => now });
  const connect = (): Promise<FollowedStore> => {
    const { port1, port2 } = new MessageChannel();
    serveStore(kv, port1);
    return followStore(port2);
  };
  let store = await connect();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await connect();
      return store;
    },
    async advance(milliseconds) {
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

describeKvContract("followed store", openSubject);

describe("commits of the followed store", () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function open() {
    const kv = new MemoryStore();
    const { port1, port2 } = new MessageChannel();
    serveStore(kv, port1);
    const followed = await followStore(port2);
    const told: { events: readonly KvEvent[]; revision: Revision }[] = [];
    followed.onCommit((events, revision) => void told.push({ events, revision }));
    closing.push(
      () => followed.close(),
      () => kv.close(),
    );
    return { kv, followed, told };
  }

  function put(key: string, value: string): Operation {
    return { kind: "put", key, value: Buffer.from(value) };
  }

  test("are told by catching up, without waiting, and once", async () => {
    const { kv, followed, told } = await open();
    const first = await kv.transact({ compare: [], success: [put("/a", "1")], failure: [] });
    const second = await kv.transact({ compare: [], success: [put("/b", "2")], failure: [] });
    followed.catchUp();
    expect(
      told.map(({ events, revision }) => [events[0]?.kv.key, String(events[0]?.kv.value), revision]),
    ).toEqual([
      ["/a", "1", first.revision],
      ["/b", "2", second.revision],
    ]);
    followed.catchUp();
    await followed.status();
    expect(told).toHaveLength(2);
  });

  test("are told without catching up, before a writer of this thread learns of its success", async () => {
    const { followed, told } = await open();
    const { revision } = await followed.transact({ compare: [], success: [put("/a", "1")], failure: [] });
    expect(told.map((one) => one.revision)).toEqual([revision]);
  });

  test("tell how far history was compacted", async () => {
    const { kv, followed } = await open();
    await kv.transact({ compare: [], success: [put("/a", "1")], failure: [] });
    const { revision } = await kv.transact({ compare: [], success: [put("/a", "2")], failure: [] });
    await kv.compact(revision);
    await kv.transact({ compare: [], success: [put("/a", "3")], failure: [] });
    followed.catchUp();
    expect(followed.compactedRevision()).toBe(revision);
  });

  test("end when the port does", async () => {
    const { kv, followed, told } = await open();
    await followed.close();
    await kv.transact({ compare: [], success: [put("/a", "1")], failure: [] });
    followed.catchUp();
    expect(told).toEqual([]);
  });
});

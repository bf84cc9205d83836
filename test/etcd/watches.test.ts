import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Revision, toRevision, type WatchBatch } from "../../src/storage/kv.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `large watches${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;
    let store: Store3;

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
      store = await openStore3({ endpoints: cluster.endpoints });
    });

    afterAll(async () => {
      await store.close();
      await cluster.close();
    });

    async function put(...keys: string[]): Promise<Revision> {
      const success = keys.map((key) => ({ kind: "put", key, value: Buffer.alloc(20_000, key) }) as const);
      return (await store.transact({ compare: [], success, failure: [] })).revision;
    }

    function watch(start: string, startRevision: Revision): AsyncIterator<WatchBatch> {
      const range = { start, end: `${start}~`, startRevision };
      return store.watch(range, AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
    }

    test("a revision too large for one message comes in one batch, and its events in order", async () => {
      // More than etcd's 2 MiB, which it sends in fragments, by way of a lease that takes its keys with it.
      const lease = await store.grantLease(1000);
      const keys = Array.from({ length: 180 }, (_, index) => `/large/${String(index).padStart(3, "0")}`);
      for (const key of keys) {
        const value = Buffer.alloc(20_000, key);
        await store.transact({ compare: [], success: [{ kind: "put", key, value, lease }], failure: [] });
      }
      const before = await store.currentRevision();
      const large = watch("/large/", toRevision(before + 1));
      await store.revokeLease(lease);
      const { value } = await large.next();
      if (value.kind !== "events") throw new Error("expected events");
      expect(value.revision).toBe(before + 1);
      expect([...value.events].map((event) => event.kv.key).sort()).toEqual(keys);
      for (const { type, previous } of value.events) {
        expect(type).toBe("delete");
        expect(previous?.value.length).toBe(20_000);
      }
    });

    test("history larger than what a watch may leave unread comes whole", async () => {
      const first = await put("/slow/0");
      let last = first;
      // Half as much again as that.
      for (let round = 0; round < 40; round++) {
        last = await put(...Array.from({ length: 60 }, (_, index) => `/slow/${index}`));
      }
      const slow = watch("/slow/", first);
      let events = 0;
      for (let revision = toRevision(first - 1); revision < last; ) {
        const { value } = await slow.next();
        if (value.kind !== "events") continue;
        expect(value.revision).toBe(revision + 1);
        events += value.events.length;
        revision = value.revision;
      }
      expect(events).toBe(1 + 40 * 60);
    });
  },
);

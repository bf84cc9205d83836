import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Revision, toRevision, type WatchBatch } from "../../src/storage/kv.js";
import { ConnectionPool } from "../../src/storage/store3/connection-pool.js";
import { EtcdWatch } from "../../src/storage/store3/etcd-watch.js";
import { RangeFeed } from "../../src/storage/store3/range-feed.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { systemClock } from "../../src/time/clock.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `a watch for each${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;
    let store: Store3;
    let pool: ConnectionPool;
    let feed: RangeFeed;

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
      store = await openStore3({ endpoints: cluster.endpoints });
      pool = new ConnectionPool(cluster.endpoints, systemClock, undefined);
      feed = new RangeFeed((options) => new EtcdWatch({ ...options, pool, clock: systemClock }));
    });

    afterAll(async () => {
      pool.close();
      await store.close();
      await cluster.close();
    });

    async function put(...keys: string[]): Promise<Revision> {
      const success = keys.map((key) => ({ kind: "put", key, value: Buffer.alloc(20_000, key) }) as const);
      return (await store.transact({ compare: [], success, failure: [] })).revision;
    }

    function watch(start: string, from: Revision): AsyncIterator<WatchBatch> {
      const signal = AbortSignal.timeout(60_000);
      return feed
        .subscribe({ start, end: `${start}~` }, from)
        .batches(signal)
        [Symbol.asyncIterator]();
    }

    test("delivers its range alone, and progress when asked", async () => {
      const first = await put("/a/1");
      const a = watch("/a/", first);
      const b = watch("/b/", first);
      await put("/b/1");
      const last = await put("/a/2");
      expect((await a.next()).value).toMatchObject({ kind: "events", revision: first });
      expect((await a.next()).value).toMatchObject({ kind: "events", revision: last });
      expect((await b.next()).value).toMatchObject({ kind: "events", events: [{ kv: { key: "/b/1" } }] });
      feed.requestProgress();
      expect((await a.next()).value).toEqual({ kind: "progress", revision: last });
      expect((await b.next()).value).toEqual({ kind: "progress", revision: last });
    });

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

    test("one that nobody reads is held back, and misses nothing", async () => {
      const first = await put("/slow/0");
      const slow = watch("/slow/", first);
      let last = first;
      // Twice what may be left unread.
      for (let round = 0; round < 40; round++) {
        last = await put(...Array.from({ length: 60 }, (_, index) => `/slow/${index}`));
      }
      let events = 0;
      for (let revision = first; revision < last; ) {
        const { value } = await slow.next();
        expect(value.revision).toBe(revision === first && events === 0 ? first : revision + 1);
        if (value.kind === "events") events += value.events.length;
        revision = value.revision;
      }
      expect(events).toBe(1 + 40 * 60);
    });

    test("is refused on an etcd whose progress runs ahead", async () => {
      const [status] = await store.endpointStatuses();
      const opened = openStore3({ endpoints: cluster.endpoints, watchScope: "range" });
      if (/^3\.4\.(\d|1\d|2[0-4])$/.test(status?.version ?? "")) {
        await expect(opened).rejects.toMatchObject({ code: "Unavailable" });
      } else {
        await (await opened).close();
      }
    });
  },
);

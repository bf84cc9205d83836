import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KeyValueStore, type Revision, toRevision } from "../../src/storage/kv.js";
import { startSharedCompaction } from "../../src/storage/store3/shared-compaction.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import type { Clock } from "../../src/time/clock.js";
import { ManualClock } from "../../src/time/manual-clock.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `compaction${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;
    const stores: Store3[] = [];

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
      for (let index = 0; index < 2; index++) stores.push(await openStore3({ endpoints: cluster.endpoints }));
    });

    afterAll(async () => {
      for (const store of stores) await store.close();
      await cluster.close();
    });

    async function put(store: KeyValueStore): Promise<Revision> {
      const operation = { kind: "put", key: "/a", value: Buffer.from("x") } as const;
      return (await store.transact({ compare: [], success: [operation], failure: [] })).revision;
    }

    test("two servers compact once an interval, to the revision of the interval before", async () => {
      const compactions: string[] = [];
      const clocks = stores.map(() => new ManualClock());
      /** How often each server has put its next turn on its clock, which is when one is over. */
      const planned = stores.map(() => 0);
      const stops = stores.map((store, index) => {
        const clock: Clock = {
          now: () => clocks[index]?.now() ?? 0,
          schedule(delayMs, callback) {
            planned[index] = (planned[index] ?? 0) + 1;
            return clocks[index]?.schedule(delayMs, callback) ?? (() => undefined);
          },
          every: () => () => undefined,
          track() {},
          pause: async (delayMs) => clocks[index]?.pause(delayMs),
        };
        const recorded: KeyValueStore = new Proxy(store, {
          get(target, name) {
            if (name === "compact") {
              return async (revision: Revision) => {
                compactions.push(`${index}: ${revision}`);
                await target.compact(revision);
              };
            }
            const member: unknown = Reflect.get(target, name);
            return typeof member === "function" ? member.bind(target) : member;
          },
        });
        const onFailure = (reason: unknown): void => {
          throw reason;
        };
        return startSharedCompaction({ store: recorded, clock, intervalMs: 300_000, onFailure });
      });
      const [store] = stores;
      if (store === undefined) throw new Error("no store");
      const turn = async (index: number): Promise<void> => {
        const before = compactions.length;
        const revision = await store.currentRevision();
        const version = await compactionKeyVersion(store);
        const turns = planned[index] ?? 0;
        await clocks[index]?.advance(300_000);
        await expect.poll(() => planned[index]).toBe(turns + 1);
        const now = await compactionKeyVersion(store);
        told.push({ server: index, revision, raised: now > version, compacted: compactions.slice(before) });
      };
      const told: { server: number; revision: number; raised: boolean; compacted: string[] }[] = [];
      await put(store);
      for (const index of [0, 1, 0, 1, 0, 1]) {
        await put(store);
        await turn(index);
      }
      for (const stop of stops) stop();

      // 0 begins; 1 learns the time; then 0 and 1, alternating, find the other's time and learn it, or take the turn.
      expect(told.map((each) => each.raised)).toEqual([true, false, true, false, true, false]);
      expect(told.map((each) => each.compacted.length)).toEqual([0, 0, 1, 0, 1, 0]);
      const { compactedRevision } = await store.status();
      expect(compactions.at(-1)).toBe(`0: ${compactedRevision}`);
      // The newest turn of 0 compacted to the revision that its turn before ended at.
      expect(compactedRevision).toBeGreaterThan(told[2]?.revision ?? 0);
      expect(compactedRevision).toBeLessThan(told[4]?.revision ?? 0);
      await expect(
        store.range({ start: "/a", revision: toRevision(compactedRevision - 1) }),
      ).rejects.toMatchObject({ code: "Compacted" });
    });

    async function compactionKeyVersion(store: KeyValueStore): Promise<number> {
      return (await store.range({ start: "compact_rev_key" })).kvs[0]?.version ?? 0;
    }

    test("a store opened with an interval compacts by itself", async () => {
      const clock = new FastClock();
      const store = await openStore3({
        endpoints: cluster.endpoints,
        compactionIntervalMs: 300_000,
        clock,
        onBackgroundFailure: (reason) => {
          throw reason;
        },
      });
      try {
        const old = await put(store);
        for (;;) {
          await put(store);
          const { compactedRevision } = await store.status();
          if (compactedRevision > old) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      } finally {
        await store.close();
      }
    });

    test("watches that are up to date do not notice, those behind are ended", async () => {
      const [store] = stores;
      if (store === undefined) throw new Error("no store");
      const old = await put(store);
      const controller = new AbortController();
      const live = store.watch({ start: "/a" }, controller.signal)[Symbol.asyncIterator]();
      const newest = await put(store);
      expect((await live.next()).value).toMatchObject({ revision: newest });
      await store.compact(newest);
      const next = await put(store);
      expect((await live.next()).value).toMatchObject({ revision: next });

      // Another process has no recent history in memory: it must ask etcd.
      const fresh = await openStore3({ endpoints: cluster.endpoints });
      const behind = fresh
        .watch({ start: "/a", startRevision: old }, controller.signal)
        [Symbol.asyncIterator]();
      await expect(behind.next()).rejects.toMatchObject({ code: "Compacted", revision: newest });
      const justRight = fresh.watch(
        { start: "/a", startRevision: toRevision(newest + 1) },
        controller.signal,
      );
      expect((await justRight[Symbol.asyncIterator]().next()).value).toMatchObject({ revision: next });
      controller.abort();
      await fresh.close();
    });
  },
);

/** Real time, but the long intervals of compaction are shortened. */
class FastClock {
  now(): number {
    return Date.now();
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs === 300_000 ? 50 : delayMs);
    return () => clearTimeout(timer);
  }

  every(): () => void {
    return () => undefined;
  }

  track(): void {}

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KeyValueStore, type Revision, toRevision } from "../../src/storage/kv.js";
import { isStorageError } from "../../src/storage/storage-error.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `three members${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;
    let store: Store3;

    beforeAll(async () => {
      cluster = await EtcdCluster.start({ members: 3 });
      store = await openStore3({ endpoints: cluster.endpoints, requestTimeoutMs: 30_000 });
    });

    afterAll(async () => {
      await store.close();
      await cluster.close();
    });

    async function put(into: KeyValueStore, key: string, value: string): Promise<Revision> {
      const operation = { kind: "put", key, value: Buffer.from(value) } as const;
      return (await into.transact({ compare: [], success: [operation], failure: [] })).revision;
    }

    /** As clients must do: looks up a write of unknown fate before trying it again. */
    async function putSurely(key: string): Promise<Revision> {
      for (;;) {
        try {
          return await put(store, key, key);
        } catch (error) {
          if (!isStorageError(error, "Unavailable")) throw error;
          const found = (await store.range({ start: key })).kvs[0];
          if (found !== undefined) return found.modRevision;
        }
      }
    }

    test("tells the status of every member", async () => {
      const statuses = await store.endpointStatuses();
      expect(statuses.map((status) => status.endpoint)).toEqual(cluster.endpoints);
      for (const status of statuses) expect(status.dbBytes).toBeGreaterThan(0);
    });

    test("an endpoint that nobody listens on is skipped", async () => {
      const [first = ""] = cluster.endpoints;
      const other = await openStore3({ endpoints: ["http://127.0.0.1:1", first, "127.0.0.1:2"] });
      try {
        for (let round = 0; round < 10; round++) await put(other, "/passed", String(round));
      } finally {
        await other.close();
      }
    });

    test("reads, writes and a watch go on while members are killed, one after the other", async () => {
      const total = 600;
      const first = await putSurely("/killed/start");
      const controller = new AbortController();
      const seen: string[] = [];
      const watching = (async () => {
        const request = { start: "/killed/", end: "/killed0", startRevision: first };
        for await (const batch of store.watch(request, controller.signal)) {
          if (batch.kind !== "events") continue;
          for (const event of batch.events) seen.push(`${event.kv.modRevision} ${event.kv.key}`);
          if (seen.length > total) return;
        }
      })();
      watching.catch(() => undefined); // reported where it is awaited

      const written: string[] = [`${first} /killed/start`];
      let next = 0;
      let failedReads = 0;
      const writing = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (next < total) {
            const key = `/killed/${next++}`;
            const revision = await putSurely(key);
            written.push(`${revision} ${key}`);
            const read = await store.range({ start: key }).catch((error: unknown) => {
              failedReads += 1;
              return Promise.reject(error);
            });
            expect(read.kvs[0]?.modRevision).toBe(revision);
          }
        }),
      );
      const disturbing = (async () => {
        for (const member of [0, 1, 2]) {
          await until(() => next >= (member + 1) * 150);
          await cluster.kill(member);
          await until(() => next >= (member + 1) * 150 + 60);
          cluster.restart(member);
          await until(() => isHealthy(cluster.endpoints[member] ?? ""));
        }
      })();
      await Promise.all([writing, disturbing]);
      await watching;
      controller.abort();

      const order = (a: string, b: string): number => Number.parseInt(a, 10) - Number.parseInt(b, 10);
      expect(seen).toEqual([...written].sort(order));
      expect(failedReads).toBe(0);
    });

    test("a member that hangs is given up", async () => {
      await cluster.suspend(1);
      try {
        const watch = store.watch({ start: "/hung/", end: "/hung0" }, AbortSignal.timeout(60_000));
        const iterator = watch[Symbol.asyncIterator]();
        const revisions: Revision[] = [];
        for (let round = 0; round < 20; round++) revisions.push(await putSurely(`/hung/${round}`));
        for (const revision of revisions) expect((await iterator.next()).value).toMatchObject({ revision });
      } finally {
        cluster.resume(1);
      }
    });

    test("without a majority nothing is answered, and afterwards everything is", async () => {
      await until(() => isHealthy(cluster.endpoints[1] ?? ""));
      const before = await putSurely("/majority");
      const watch = store.watch(
        { start: "/majority", startRevision: toRevision(before + 1) },
        AbortSignal.timeout(100_000),
      );
      await cluster.kill(0);
      await cluster.kill(1);
      await expect(store.health(1500)).rejects.toMatchObject({ name: "StorageError", code: "Unavailable" });
      const impatient = openStore3({ endpoints: cluster.endpoints, requestTimeoutMs: 1500 });
      await expect(impatient).rejects.toMatchObject({ code: "Unavailable" });
      cluster.restart(0);
      cluster.restart(1);
      await until(() =>
        store.health(2000).then(
          () => true,
          () => false,
        ),
      );
      const after = await putSurely("/majority");
      expect((await watch[Symbol.asyncIterator]().next()).value).toMatchObject({ revision: after });
    });

    async function isHealthy(endpoint: string): Promise<boolean> {
      const one = await openStore3({ endpoints: [endpoint], requestTimeoutMs: 2000 }).catch(() => undefined);
      await one?.close();
      return one !== undefined;
    }

    async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
      while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
);

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toRevision } from "../../src/storage/kv.js";
import { isStorageError } from "../../src/storage/storage-error.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { TestAuthority } from "./certificates.js";
import { EtcdCluster, type EtcdClusterOptions, etcdMissing } from "./etcd-cluster.js";

const maps = "/api/v1/namespaces/default/configmaps";
const events = "/api/v1/namespaces/default/events";
const involvedObject = { kind: "Pod", name: "p", namespace: "default" };

describe.skipIf(etcdMissing)(
  `options of the backing store${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    let other: EtcdCluster;
    let kv: Store3;
    const clusters: EtcdCluster[] = [];
    const started: { server: ServerHere; api: ApiClient }[] = [];

    beforeAll(async () => {
      [etcd, other] = await Promise.all([EtcdCluster.start(), EtcdCluster.start()]);
      kv = await openStore3({ endpoints: etcd.endpoints });
    });

    afterAll(async () => {
      await kv.close();
      await Promise.all([etcd.close(), other.close()]);
    });

    afterEach(async () => {
      for (const { server, api } of started.splice(0)) {
        await api.close();
        await server.dispose();
      }
      await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
    });

    /** One for this test alone, stopped after the servers. */
    async function startEtcd(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
      const cluster = await EtcdCluster.start(options);
      clusters.push(cluster);
      return cluster;
    }

    async function start(args: readonly string[], servers = etcd.endpoints) {
      const server = await startServerHere({ args: [`--etcd-servers=${servers.join()}`, ...args] });
      const each = { server, api: new ApiClient(server) };
      started.push(each);
      return each;
    }

    async function keys(of: Store3, prefix: string): Promise<string[]> {
      const { kvs } = await of.range({ start: `/${prefix}/`, end: `/${prefix}0`, keysOnly: true });
      return kvs.map(({ key }) => key);
    }

    test("--store-prefix, with and without slashes, is where everything goes", async () => {
      for (const [given, prefix] of [
        ["plain", "plain"],
        ["/slashes/", "slashes"],
        ["/two//levels", "two/levels"],
      ] as const) {
        const { api } = await start([`--store-prefix=${given}`]);
        await api.post(maps, { metadata: { name: "m" } });
        expect(await keys(kv, prefix)).toContain(`/${prefix}/configmaps/default/m`);
        expect(await keys(kv, prefix)).toContain(`/${prefix}/ranges/serviceips`);
      }
      expect(await keys(kv, "registry")).toEqual([]);
      const { api } = await start(["--store-prefix="]);
      await api.post(maps, { metadata: { name: "m" } });
      expect(await keys(kv, "configmaps")).toContain("/configmaps/default/m");
    });

    test("--store-servers-overrides keeps resources on servers of their own", async () => {
      const { api } = await start([
        "--etcd-prefix=/overrides",
        `--etcd-servers-overrides=/events#${other.endpoints.join(";")},apps/deployments#${other.endpoints.join(";")}`,
      ]);
      await api.post(maps, { metadata: { name: "m" } });
      const created = await api.post(events, { metadata: { name: "e" }, involvedObject });
      expect(created.status).toBe(201);
      expect((await api.get(`${events}/e`)).body).toEqual(created.body);
      const elsewhere = await openStore3({ endpoints: other.endpoints });
      expect(await keys(elsewhere, "overrides")).toEqual(["/overrides/events/default/e"]);
      await elsewhere.close();
      expect(await keys(kv, "overrides")).not.toContain("/overrides/events/default/e");
      expect((await api.get("/metrics")).text).toContain(`endpoint="${other.endpoints.join(";")}"`);
    });

    test("--event-ttl and --lease-reuse-duration-seconds: events share a lease that ends", async () => {
      const { api } = await start(["--etcd-prefix=/ttl", "--event-ttl=2s"]);
      const long = await start(["--etcd-prefix=/reuse", "--lease-reuse-duration-seconds=7"]);
      for (const name of ["a", "b"]) {
        expect((await api.post(events, { metadata: { name }, involvedObject })).status).toBe(201);
        expect((await long.api.post(events, { metadata: { name }, involvedObject })).status).toBe(201);
      }
      const { kvs } = await kv.range({ start: "/reuse/events/", end: "/reuse/events0" });
      expect(kvs).toHaveLength(2);
      expect(kvs[0]?.lease).toBe(kvs[1]?.lease);
      expect(await kv.keepLeaseAlive(kvs[0]?.lease ?? 0n)).toBe(3607);
      for (;;) {
        if ((await api.get(events)).body.items.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(await keys(kv, "ttl/events")).toEqual([]);
    });

    test("--watch-cache options decide who answers while the store hangs", async () => {
      const hanging = await startEtcd();
      const servers = [
        { args: [], maps: true, pods: true },
        { args: ["--watch-cache=false"], maps: false, pods: false },
        { args: ["--default-watch-cache-size=0"], maps: false, pods: true },
        { args: ["--watch-cache-sizes=configmaps#0"], maps: false, pods: true },
      ];
      const running = await Promise.all(
        servers.map(async ({ args, ...answered }, index) => {
          const { api } = await start([`--etcd-prefix=/cache-${index}`, ...args], hanging.endpoints);
          // A cache is filled when it is first used.
          await api.get(`${maps}?resourceVersion=0`);
          await api.get("/api/v1/pods?resourceVersion=0");
          return { api, answered };
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await hanging.suspend(0);
      for (const { api, answered } of running) {
        await expectAnswer(api, `${maps}?resourceVersion=0`, answered.maps);
        await expectAnswer(api, "/api/v1/pods?resourceVersion=0", answered.pods);
      }
      hanging.resume(0);
    });

    test("--store-healthcheck-timeout: health fails while the store hangs, and heals", async () => {
      const hanging = await startEtcd();
      const { api } = await start(["--etcd-healthcheck-timeout=300ms"], hanging.endpoints);
      await expect.poll(async () => (await api.get("/readyz")).status).toBe(200);
      await hanging.suspend(0);
      const failed = await api.get("/readyz");
      expect(failed.status).toBe(500);
      expect(failed.text).toContain("[-]etcd failed: reason withheld");
      expect((await api.get("/healthz/ping")).status).toBe(200);
      hanging.resume(0);
      while ((await api.get("/readyz")).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 50));
    });

    test("--store-compaction-interval: two servers, started at once, compact their etcd", async () => {
      const compacting = await startEtcd();
      const store = await openStore3({ endpoints: compacting.endpoints });
      try {
        const args = ["--etcd-compaction-interval=1s"];
        const [first] = await Promise.all([
          start(args, compacting.endpoints),
          start(args, compacting.endpoints),
        ]);
        const { resourceVersion } = (await first.api.post(maps, { metadata: { name: "m" } })).body.metadata;
        for (;;) {
          await first.api.post(maps, { metadata: { generateName: "m" } });
          const old = await store.range({ start: "/", revision: toRevision(Number(resourceVersion)) }).then(
            () => "there",
            (error: unknown) => isStorageError(error, "Compacted") && "compacted",
          );
          if (old === "compacted") break;
          expect(old).toBe("there");
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
        // The key with which Kubernetes' servers take turns at compaction.
        expect((await store.range({ start: "compact_rev_key" })).count).toBe(1);
      } finally {
        await store.close();
      }
    });

    test("a store that needs certificates: --store-cafile, --store-certfile and --store-keyfile", async () => {
      const directory = mkdtempSync(join(tmpdir(), "etcd-tls-"));
      const authority = new TestAuthority(directory, "authority");
      const client = authority.issue("client");
      const secured = await startEtcd({
        tls: { caFile: authority.caFile, ...authority.issue("server") },
      });
      try {
        const args = [
          `--etcd-cafile=${authority.caFile}`,
          `--etcd-certfile=${client.certFile}`,
          `--etcd-keyfile=${client.keyFile}`,
        ];
        const { api } = await start(args, secured.endpoints);
        expect((await api.post(maps, { metadata: { name: "m" } })).status).toBe(201);
        expect((await api.get("/readyz")).text).toBe("ok");
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
  },
);

/** That a request is answered with the former state, or not within a second. */
async function expectAnswer(api: ApiClient, path: string, isAnswered: boolean): Promise<void> {
  const asked = api.get(path).catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 1000, undefined));
  const answer = await (isAnswered ? asked : Promise.race([asked, late]));
  expect(answer?.status === 200).toBe(isAnswered);
}

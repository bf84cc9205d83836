import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { startServer, type TestServer } from "../support/server-process.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const naming = createNaming("kubernetes");
const endpointsPath = `/api/v1/namespaces/default/endpoints/${naming.apiServiceName}`;
const slicePath = `/apis/${naming.group("discovery")}/v1/namespaces/default/endpointslices/${naming.apiServiceName}`;
const leasesPath = `/apis/${naming.group("coordination")}/v1/namespaces/${naming.systemNamespace}/leases`;

describe.skipIf(etcdMissing)(
  `several servers on one etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    let prefix = 0;
    const started: { server: TestServer; api: ApiClient }[] = [];

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
    });

    afterAll(async () => {
      await etcd.close();
    });

    afterEach(async () => {
      for (const { server, api } of started.splice(0)) {
        await api.close();
        await server.dispose();
      }
      prefix++;
    });

    function argsOf(address: string, args: readonly string[]): readonly string[] {
      return [
        `--etcd-servers=${etcd.endpoints.join()}`,
        `--etcd-prefix=/several-${prefix}`,
        `--advertise-address=${address}`,
        ...args,
      ];
    }
    function opened<Server extends TestServer>(server: Server) {
      const each = { server, api: new ApiClient(server) };
      started.push(each);
      return each;
    }
    const start = async (address: string, args: readonly string[] = []) =>
      opened(await startServerHere({ args: argsOf(address, args) }));
    /** One that can be killed, or starts beside others. */
    const startProcess = async (address: string, args: readonly string[] = []) =>
      opened(await startServer({ args: argsOf(address, args) }));

    test("a data directory that does not exist is made", async () => {
      const directory = mkdtempSync(join(tmpdir(), "several-"));
      const dataDirectory = join(directory, "a", "b");
      const server = await startServer({
        dataDirectory,
        args: [`--etcd-servers=${etcd.endpoints.join()}`, `--etcd-prefix=/several-${prefix}`],
      });
      await server.stop();
      expect(readFileSync(server.kubeconfig, "utf8")).toContain("client-certificate-data");
      rmSync(directory, { recursive: true, force: true });
    });

    async function addresses(api: ApiClient): Promise<string[]> {
      const { subsets = [] } = (await api.get(endpointsPath)).body;
      return subsets.flatMap((subset: { addresses?: { ip: string }[] }) =>
        (subset.addresses ?? []).map(({ ip }) => ip),
      );
    }

    async function until(reached: () => Promise<boolean>): Promise<void> {
      while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 100));
    }

    test("lease: both are endpoints, one that stops leaves at once, one that is killed when its lease ends", async () => {
      const first = await startProcess("10.7.0.1");
      const second = await startProcess("10.7.0.2");
      expect(await addresses(first.api)).toEqual(["10.7.0.1", "10.7.0.2"]);
      const slice = (await first.api.get(slicePath)).body;
      expect(slice.endpoints.map((each: { addresses: string[] }) => each.addresses[0])).toEqual([
        "10.7.0.1",
        "10.7.0.2",
      ]);
      await second.server.stop("SIGTERM");
      expect(await addresses(first.api)).toEqual(["10.7.0.1"]);

      const third = await startProcess("10.7.0.3");
      expect(await addresses(first.api)).toEqual(["10.7.0.1", "10.7.0.3"]);
      await third.server.stop("SIGKILL");
      expect(await addresses(first.api)).toContain("10.7.0.3");
      await until(async () => (await addresses(first.api)).length === 1);
      expect(await addresses(first.api)).toEqual(["10.7.0.1"]);
    });

    test("servers that start at once on an empty store all come up, without a word of trouble", async () => {
      for (let round = 0; round < 3; round++) {
        const servers = await Promise.all(
          ["10.7.0.1", "10.7.0.2", "10.7.0.3"].map((each) => startProcess(each)),
        );
        for (const { server, api } of servers) {
          expect((await api.get("/readyz")).text).toBe("ok");
          expect(server.output()).not.toMatch(/^E /m);
        }
        await until(async () => (await addresses(servers[0]?.api ?? raise())).length === 3);
        for (const { server } of servers) await server.stop("SIGTERM");
        prefix++;
      }
    });

    test("master-count: as many as the cluster has servers", async () => {
      const args = ["--endpoint-reconciler-type=master-count", "--apiserver-count=2"];
      const first = await start("10.7.0.1", args);
      await start("10.7.0.2", args);
      expect(await addresses(first.api)).toEqual(["10.7.0.1", "10.7.0.2"]);
      const third = await start("10.7.0.3", args);
      expect(await addresses(first.api)).toEqual(["10.7.0.2", "10.7.0.3"]);
      await third.server.stop();
      expect(await addresses(first.api)).toEqual(["10.7.0.2"]);
    });

    test("none: the service is there, its endpoints are somebody else's to write", async () => {
      const { api } = await start("10.7.0.1", ["--endpoint-reconciler-type=none"]);
      expect((await api.get(endpointsPath)).status).toBe(404);
      expect((await api.get(endpointsPath.replace("/endpoints/", "/services/"))).status).toBe(200);
    });

    test("each has an identity lease; that of one that was killed is collected when it has expired", async () => {
      const args = [
        "--feature-gates=APIServerIdentity=true",
        "--identity-lease-duration-seconds=6",
        "--identity-lease-renew-interval-seconds=1",
      ];
      const first = await startProcess("10.7.0.1", args);
      const second = await startProcess("10.7.0.2", args);
      const leases = async () => {
        const { items } = (await first.api.get(leasesPath)).body;
        return items as { metadata: { name: string; labels: object }; spec: { renewTime: string } }[];
      };
      const before = await leases();
      expect(before).toHaveLength(2);
      for (const { metadata, spec } of before) {
        expect(metadata.name).toMatch(new RegExp(`^${naming.commandName}-[0-9a-f-]{36}$`));
        expect(metadata.labels).toEqual({ [`${naming.groupDomain}/component`]: naming.commandName });
        expect(spec).toMatchObject({ holderIdentity: metadata.name, leaseDurationSeconds: 6 });
      }
      await second.server.stop("SIGKILL");
      await until(async () => (await leases()).length === 1);
      const [left] = await leases();
      await until(async () => (await leases())[0]?.spec.renewTime !== left?.spec.renewTime);
      expect((await leases())[0]?.metadata.name).toBe(left?.metadata.name);
    });

    test("what one writes the other reads at once, and watches deliver it", async () => {
      const first = await start("10.7.0.1");
      const second = await start("10.7.0.2");
      const maps = "/api/v1/namespaces/default/configmaps";
      const seen: string[] = [];
      const aborted = new AbortController();
      const watching = (async () => {
        for await (const { object } of second.api.watch(`${maps}?watch=1`, aborted.signal)) {
          seen.push(object.metadata.name);
        }
      })().catch(() => undefined);
      for (let i = 0; i < 20; i++) {
        const created = await first.api.post(maps, { metadata: { name: `m-${i}` } });
        const read = await second.api.get(`${maps}/m-${i}`);
        expect(read.body).toEqual(created.body);
        expect((await second.api.get(maps)).body.items.length).toBeGreaterThan(i);
      }
      await until(async () => seen.includes("m-19"));
      expect(seen.filter((name) => name.startsWith("m-"))).toEqual(
        Array.from({ length: 20 }, (_, i) => `m-${i}`),
      );
      aborted.abort();
      await watching;
    });

    test("a namespace that one makes can be used through all at once, and one that one deletes through none", async () => {
      const first = await start("10.7.0.1");
      const second = await start("10.7.0.2");
      for (let i = 0; i < 20; i++) {
        const name = `n-${i}`;
        const maps = `/api/v1/namespaces/${name}/configmaps`;
        expect((await first.api.post("/api/v1/namespaces", { metadata: { name } })).status).toBe(201);
        const [near, far] = await Promise.all([
          first.api.post(maps, { metadata: { name: "near" } }),
          second.api.post(maps, { metadata: { name: "far" } }),
        ]);
        expect([near.status, far.status]).toEqual([201, 201]);
        await first.api.delete(`/api/v1/namespaces/${name}`);
        expect((await first.api.post(maps, { metadata: { name: "late" } })).status).toBeOneOf([403, 404]);
      }
    });
  },
);

function raise(): never {
  throw new Error("no server");
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = "/apis/example.com/v1/namespaces/default/boats";
/** How far servers on one store may be apart. */
const agreeing = { timeout: 1000, interval: 10 };

describe.skipIf(etcdMissing)(
  `custom resources of three servers on one etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    const servers: ServerHere[] = [];
    let apis: ApiClient[];

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
      for (const last of [1, 2, 3]) {
        const endpoints = `--etcd-servers=${etcd.endpoints.join()}`;
        // One collects garbage, whoever writes.
        const controllers = last === 1 ? "*" : "*,-garbagecollector";
        const args = [endpoints, `--advertise-address=10.1.1.${last}`, `--controllers=${controllers}`];
        servers.push(await startServerHere({ args }));
      }
      apis = servers.map((server) => new ApiClient(server));
    });

    afterAll(async () => {
      for (const api of apis) await api.close();
      await disposeAll(servers);
      await etcd.close();
    });

    const onAll = async <T>(read: (api: ApiClient) => Promise<T>): Promise<T[]> =>
      await Promise.all(apis.map(read));

    test("all serve what one was given, change with it, and let go of it", async () => {
      const [first, second, third] = apis as [ApiClient, ApiClient, ApiClient]; // as many as servers
      expect((await first.post(definitions, boatDefinition())).status).toBe(201);
      await expect
        .poll(async () => {
          const { body } = await second.get(`${definitions}/boats.example.com`);
          const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
          return conditions.some(({ type, status }) => type === "Established" && status === "True");
        }, agreeing)
        .toBe(true);
      await expect
        .poll(() => onAll(async (api) => (await api.get(boats)).status), agreeing)
        .toEqual([200, 200, 200]);

      expect((await third.post(boats, boat("one", { sails: 2 }))).status).toBe(201);
      await expect
        .poll(() => onAll(async (api) => (await api.get(`${boats}/one`)).body.spec?.sails))
        .toEqual([2, 2, 2]);

      const current = (await second.get(`${definitions}/boats.example.com`)).body;
      const { spec, status } = boatVersion.schema.openAPIV3Schema.properties;
      const sails = { ...spec.properties.sails, maximum: 3 };
      current.spec.versions[0].schema.openAPIV3Schema.properties = {
        spec: { ...spec, properties: { ...spec.properties, sails } },
        status,
      };
      expect((await second.put(`${definitions}/boats.example.com`, current)).status).toBe(200);
      const refused = (api: ApiClient) => api.post(`${boats}?dryRun=All`, boat("two", { sails: 9 }));
      await expect
        .poll(() => onAll(async (api) => (await refused(api)).status), agreeing)
        .toEqual([422, 422, 422]);

      await first.delete(`${definitions}/boats.example.com`);
      await expect.poll(async () => (await first.get(`${definitions}/boats.example.com`)).status).toBe(404);
      await expect
        .poll(() => onAll(async (api) => (await api.get(boats)).status), agreeing)
        .toEqual([404, 404, 404]);
      await expect
        .poll(() => onAll(async (api) => (await api.get("/apis/example.com")).status), agreeing)
        .toEqual([404, 404, 404]);
    });

    test("of two definitions for the same names, made on two servers at once, one is established", async () => {
      const rival = boatDefinition();
      rival.metadata.name = "ships.example.com";
      rival.spec.names = {
        plural: "ships",
        singular: "ship",
        kind: "Boat",
        shortNames: ["bt"],
        categories: [],
      };
      const [first, second] = apis as [ApiClient, ApiClient, ApiClient]; // as many as servers
      await Promise.all([first.post(definitions, boatDefinition()), second.post(definitions, rival)]);
      const established = async (api: ApiClient): Promise<string[]> => {
        const { items } = (await api.get(definitions)).body;
        return items
          .filter(({ status }: { status: { conditions?: { type: string; status: string }[] } }) =>
            status.conditions?.some((one) => one.type === "Established" && one.status === "True"),
          )
          .map(({ metadata }: { metadata: { name: string } }) => metadata.name);
      };
      await expect.poll(() => onAll(async (api) => (await established(api)).length)).toEqual([1, 1, 1]);
      const [names] = await onAll(established);
      expect(await onAll(established)).toEqual([names, names, names]);
    });

    test("the garbage collector of one sees what others own, in resources that it had no cache of", async () => {
      const [first, second, third] = apis as [ApiClient, ApiClient, ApiClient]; // as many as servers
      const made = async (api: ApiClient, path: string, object: object): Promise<string> => {
        const { status, body, text } = await api.post(path, object);
        expect(status, text).toBe(201);
        return body.metadata.uid;
      };
      const definition = boatDefinition({ group: "owned.example.com" });
      const path = "/apis/owned.example.com/v1/namespaces/default/boats";
      const boatOf = (name: string, ownerReferences: readonly object[] = []) => ({
        ...boat(name),
        apiVersion: "owned.example.com/v1",
        metadata: { name, ownerReferences },
      });
      await first.post(definitions, definition);
      await expect.poll(async () => (await third.get(path)).status).toBe(200);
      const cachesOfFirst = async (): Promise<boolean> =>
        (await first.get("/metrics")).text.includes('watch_cache_capacity{resource="*owned.Boat"}');
      expect(await cachesOfFirst()).toBe(false);

      const uid = await made(third, path, boatOf("fleet"));
      const ownerReferences = [{ apiVersion: "owned.example.com/v1", kind: "Boat", name: "fleet", uid }];
      const maps = "/api/v1/namespaces/default/configmaps";
      await made(second, maps, { metadata: { name: "log", ownerReferences } });
      await made(third, path, boatOf("dinghy", ownerReferences));
      expect((await second.delete(`${path}/fleet`)).status).toBe(200);
      await expect.poll(async () => (await second.get(`${maps}/log`)).status).toBe(404);
      await expect.poll(async () => (await third.get(`${path}/dinghy`)).status).toBe(404);
      expect(await cachesOfFirst()).toBe(true);

      // Deleted with its dependents at the moment of its creation.
      const brief = boatDefinition({ group: "brief.example.com" });
      await second.post(definitions, brief);
      const briefs = "/apis/brief.example.com/v1/namespaces/default/boats";
      await expect.poll(async () => (await third.get(briefs)).status).toBe(200);
      const raft = { ...boat("raft"), apiVersion: "brief.example.com/v1" };
      const raftUid = await made(third, briefs, raft);
      const owner = { apiVersion: "brief.example.com/v1", kind: "Boat", name: "raft", uid: raftUid };
      await Promise.all([
        made(second, maps, { metadata: { name: "raft-log", ownerReferences: [owner] } }),
        third.delete(`${briefs}/raft`),
      ]);
      await expect.poll(async () => (await second.get(`${maps}/raft-log`)).status).toBe(404);
    });
  },
);

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LabServer, labOf, startLab } from "../support/lab-server.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const maps = "/api/v1/namespaces/default/configmaps";

describe.skipIf(etcdMissing)(
  `the lab of a server on etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    let lab: LabServer;

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
      lab = await startLab({ options: { storeServers: [...etcd.endpoints] } });
    });
    afterAll(async () => {
      await lab.dispose();
      await etcd.close();
    });

    const names = async ({ api }: LabServer) =>
      (await api.get(maps)).body.items
        .map(({ metadata }: { metadata: { name: string } }) => metadata.name)
        .filter((name: string) => !name.startsWith("kube-root"));

    test("is led back to a snapshot, and forked into stores of their own", async () => {
      const { api, server } = lab;
      const { body: kept } = await api.post(maps, { metadata: { name: "kept" } });
      await server.snapshot("start");
      await api.post(maps, { metadata: { name: "new" } });
      await api.delete(`${maps}/kept`);
      await api.post(maps, { metadata: { name: "kept" } });
      const old = labOf(await server.fork("start"));
      expect(await names(old)).toEqual(["kept"]);
      await old.api.post(maps, { metadata: { name: "elsewhere" } });
      await old.dispose();
      await server.rewind("start");
      expect(await names(lab)).toEqual(["kept"]);
      expect((await api.get(`${maps}/kept`)).body.metadata.uid).toBe(kept.metadata.uid);
      for (let round = 0; round < 3; round++) {
        await api.post(maps, { metadata: { name: "same" } });
        expect(await server.rewind("start")).toEqual({ created: 0, updated: 0, deleted: 1 });
      }
    });
  },
);

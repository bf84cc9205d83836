import { afterAll, beforeAll, describe } from "vitest";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { describeKvContract } from "../../src/storage/testing/kv-contract.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(`etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`, () => {
  let cluster: EtcdCluster;

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });

  afterAll(() => cluster.close());

  describeKvContract("store3", async () => {
    const open = (): Promise<Store3> => openStore3({ endpoints: cluster.endpoints });
    let store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      close: () => store.close(),
    };
  });
});

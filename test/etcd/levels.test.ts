import { afterAll, beforeAll, describe } from "vitest";
import { describeLevelStores } from "../support/level-stores.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `a store at other levels${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
    });

    afterAll(() => cluster.close());

    describeLevelStores(() => [`--store-servers=${cluster.endpoints.join()}`]);
  },
);

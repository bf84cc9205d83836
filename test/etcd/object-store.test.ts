import { afterAll, beforeAll, describe } from "vitest";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { describeObjectStoreContract } from "../../src/storage/testing/object-store-contract.js";
import {
  type OpenedKv,
  openCachedSubject,
  openPlainSubject,
} from "../../src/storage/testing/object-store-subjects.js";
import { ManualClock } from "../../src/time/manual-clock.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `objects in etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;
    let kv: Store3;
    let count = 0;

    beforeAll(async () => {
      cluster = await EtcdCluster.start({ members: 1 });
      kv = await openStore3({ endpoints: cluster.endpoints });
    });

    afterAll(async () => {
      await kv.close();
      await cluster.close();
    });

    const open = async (): Promise<OpenedKv> => ({
      kv,
      clock: new ManualClock(),
      answersWithinMs: 10,
      close: async () => undefined,
    });

    describeObjectStoreContract("the store over etcd", () => openPlainSubject(open, `/objects/${++count}/`));
    describeObjectStoreContract("the cache over etcd", () =>
      openCachedSubject(open, {}, `/objects/${++count}/`),
    );
  },
);

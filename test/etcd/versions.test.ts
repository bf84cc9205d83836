import { afterAll, beforeAll, describe } from "vitest";
import { describeVersions } from "../support/version-tables.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `versions${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let cluster: EtcdCluster;

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
    });

    afterAll(() => cluster.close());

    let prefixes = 0;
    const args = (...more: readonly string[]): readonly string[] => [
      `--store-servers=${cluster.endpoints.join()}`,
      `--store-prefix=/versions-${prefixes++}`,
      ...more,
    ];
    describeVersions("with watch caches", () => args());
    describeVersions("without watch caches", () => args("--watch-cache=false"));
    describeVersions("without one of the resource's own", () => args("--watch-cache-sizes=configmaps#0"));
  },
);

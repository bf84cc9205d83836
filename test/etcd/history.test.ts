import { afterEach, describe, expect, test } from "vitest";
import { EtcdGround } from "../robustness/etcd-ground.js";
import { Random } from "../robustness/random.js";
import { runRound, summary } from "../robustness/run-round.js";
import { etcdMissing } from "./etcd-cluster.js";

/** The history checker (docs/robustness.md) on three servers and three etcd members. `HISTORY_SEED` repeats a plan. */
const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000);

describe.skipIf(etcdMissing)(
  `three servers on three members${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let ground: EtcdGround | undefined;

    afterEach(async () => {
      await ground?.close();
    });

    test(`clients of all see one history while servers, members and connections fail (seed ${seed})`, async () => {
      ground = await EtcdGround.start({
        servers: 3,
        members: 3,
        args: [
          "--controllers=-root-ca-cert-publisher,-serviceaccount,namespace",
          "--store-compaction-interval=5s",
          "--watch-cache-sizes=configmaps#500",
        ],
      });
      const [first, ...others] = ground.nodes;
      const result = await runRound({
        name: "history",
        endpoints: [first.endpoint, ...others.map((node) => node.endpoint)],
        random: new Random(seed),
        clients: 6,
        keys: 6,
        durationMs: 20_000,
        calmMs: [200, 1_000],
        faults: ground.faults,
        log: process.env.HISTORY_LOG === undefined ? undefined : console.log,
      });
      if (process.env.HISTORY_LOG !== undefined) console.log(summary(result));
      expect(result.violations, `HISTORY_SEED=${seed}\n${summary(result)}`).toEqual([]);
      expect(result.history.operations.length).toBeGreaterThan(100);
      expect(result.faults.length).toBeGreaterThan(0);
    });
  },
);

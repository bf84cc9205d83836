import { afterEach, expect, test } from "vitest";
import { Random } from "../robustness/random.js";
import { runRound, summary } from "../robustness/run-round.js";
import { serverFaults } from "../robustness/server-faults.js";
import { ServerNode } from "../robustness/server-node.js";

/** The short run of the history checker (docs/robustness.md) on the embedded store. `HISTORY_SEED` repeats a plan. */
const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000);
let node: ServerNode | undefined;

afterEach(async () => {
  await node?.close();
});

test(`clients see one history while a server is killed, paused and cut off (seed ${seed})`, async () => {
  const random = new Random(seed);
  node = await ServerNode.start(0, {
    args: [
      "--controllers=-root-ca-cert-publisher,-serviceaccount,namespace",
      "--store-compaction-interval=1s",
      "--watch-cache-sizes=configmaps#500",
    ],
  });
  const faults = serverFaults([node]);
  const [kill] = faults;
  const common = {
    endpoints: [node.endpoint],
    random,
    clients: 5,
    keys: 6,
    calmMs: [200, 700],
    operationsMin: 21,
  } as const;
  const results = [
    await runRound({ ...common, name: "history-killed", durationMs: 1_500, faults: [kill] }),
    await runRound({ ...common, name: "history-disturbed", durationMs: 3_000, faults }),
  ];
  for (const result of results) {
    expect(result.violations, `HISTORY_SEED=${seed}\n${summary(result)}`).toEqual([]);
    expect(result.history.operations.length).toBeGreaterThanOrEqual(common.operationsMin);
    expect(result.faults.length).toBeGreaterThan(0);
  }
});

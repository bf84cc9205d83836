import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { etcdMissing } from "../etcd/etcd-cluster.js";
import { AuditCheck } from "./audit-check.js";
import { EtcdGround } from "./etcd-ground.js";
import { Random } from "./random.js";
import { Rewinds } from "./rewinds.js";
import { type RoundResult, runRound, summary } from "./run-round.js";
import { serverFaults } from "./server-faults.js";
import { ServerNode } from "./server-node.js";

/**
 * `npm run torture -- [--minutes N] [--seed S] [--store embedded|store3] [--audit] [--rewinds] [--threads N]`: rounds of the history checker
 * until the time is over or something is wrong, which ends it with status 1 and the history in a file. With `--audit`, all rounds are on the
 * embedded store with an audit log, with `--rewinds` with a lab, whose snapshots are rewound to, with `--threads` on a server of as many
 * threads. See docs/robustness.md.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    store: { type: "string" },
    audit: { type: "boolean", default: false },
    rewinds: { type: "boolean", default: false },
    threads: { type: "string", default: "1" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const threads = Number(values.threads);
if (!(minutes > 0) || !Number.isInteger(seed) || !(threads >= 1)) {
  throw new RangeError("--minutes, --seed and --threads want numbers");
}
if (threads > 1 && values.rewinds) throw new RangeError("a server with a lab has one thread");
const wantedStore = values.audit || values.rewinds || threads > 1 ? "embedded" : values.store;
const stores = (["embedded", "store3"] as const).filter((store) => (wantedStore ?? store) === store);
const [firstStore, ...otherStores] = stores.filter(
  (store) => store !== "store3" || etcdMissing === undefined,
);
if (firstStore === undefined) throw new RangeError(`--store is embedded or store3; ${etcdMissing ?? ""}`);
if (otherStores.length < stores.length - 1) console.log(`only the embedded store: ${etcdMissing}`);

const roundsPerGround = 3;
const end = performance.now() + minutes * 60_000;
const random = new Random(seed);
console.log(`torture for ${minutes} minutes with --seed ${seed}`);
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

let round = 0;
let failed = false;
while (performance.now() < end && !failed) {
  const store = random.pick([firstStore, ...otherStores]);
  const args = serverArguments();
  console.log(`${store} ${args.join(" ")}`);
  const ground = store === "embedded" ? await embeddedGround(args) : await etcdGround(args);
  try {
    for (let count = 0; count < roundsPerGround && performance.now() < end && !failed; count++) {
      round++;
      const name = `history-${round}`;
      const rewinds = ground.lab && new Rewinds(ground.lab, name);
      const result = await runRound({
        name,
        endpoints: ground.endpoints,
        random: random.fork(),
        clients: random.between(2, 10),
        keys: random.between(2, 8),
        durationMs: Math.min(random.between(5_000, 25_000), Math.max(1_000, end - performance.now())),
        calmMs: [100, random.between(300, 2_000)],
        // A crash forgets the snapshots: with as many of each, few were rewound to.
        faults: [...ground.faults, ...(rewinds?.faults ?? []), ...(rewinds?.faults ?? [])],
        rewinds: rewinds?.records,
      });
      console.log(`round ${round}: ${summary(result)}`);
      const audit = ground.audit?.check(result.history);
      if (audit !== undefined) {
        console.log(`audit: ${audit.answered} writes were answered, ${audit.problems.length} problems`);
        for (const problem of audit.problems.slice(0, 10)) console.log(`audit: ${problem}`);
      }
      failed = result.violations.length > 0 || (audit?.problems.length ?? 0) > 0;
      if (failed) console.log(`--seed ${seed}; the history is in ${save(result)}`);
    }
  } catch (error) {
    failed = true;
    console.error(`--seed ${seed}:`, error);
  } finally {
    if (failed) for (const node of ground.nodes) console.log(node.output());
    await ground.close();
    ground.audit?.dispose();
  }
}
process.exit(failed ? 1 : 0);

function serverArguments(): string[] {
  return [
    "--controllers=-root-ca-cert-publisher,-serviceaccount,namespace",
    `--store-compaction-interval=${random.pick(["1s", "2s", "10s", "5m"])}`,
    // Half of these keep less history than a watcher misses during a fault.
    random.pick([
      "--watch-cache-sizes=configmaps#1000",
      "--watch-cache-sizes=configmaps#100",
      "--watch-cache-sizes=configmaps#20",
      "--watch-cache-sizes=configmaps#0",
    ]),
  ];
}

interface Battlefield extends Pick<EtcdGround, "nodes" | "faults" | "close"> {
  readonly endpoints: Parameters<typeof runRound>[0]["endpoints"];
  readonly audit?: AuditCheck | undefined;
  /** A server with snapshots to rewind to. */
  readonly lab?: ServerNode | undefined;
}

async function embeddedGround(args: readonly string[]): Promise<Battlefield> {
  const audit = random.pick([true, false]) || values.audit ? new AuditCheck() : undefined;
  if (audit !== undefined) console.log("with an audit log that answers wait for");
  const hasLab = threads === 1 && (random.pick([true, false]) || values.rewinds);
  if (hasLab) console.log("with snapshots and rewinds");
  const further = hasLab ? ["--lab"] : [`--serving-threads=${threads}`];
  const node = await ServerNode.start(0, { args: [...args, ...further, ...(audit?.options ?? [])] });
  return {
    audit,
    lab: hasLab ? node : undefined,
    nodes: [node],
    endpoints: [node.endpoint],
    faults: serverFaults([node]),
    close: () => node.close(),
  };
}

async function etcdGround(args: readonly string[]): Promise<Battlefield> {
  const ground = await EtcdGround.start({ servers: random.pick([1, 3, 3]), members: 3, args });
  const [first, ...others] = ground.nodes;
  return {
    nodes: ground.nodes,
    endpoints: [first.endpoint, ...others.map((node) => node.endpoint)],
    faults: ground.faults,
    close: () => ground.close(),
  };
}

function save({ history }: RoundResult): string {
  const file = join(mkdtempSync(join(tmpdir(), "history-")), "history.json");
  writeFileSync(
    file,
    JSON.stringify(
      history,
      (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value),
      1,
    ),
  );
  return file;
}

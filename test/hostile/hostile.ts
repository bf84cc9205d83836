import { parseArgs } from "node:util";
import { observedServer } from "./observed-server.js";
import { describeMemory } from "./report.js";
import { runHostile } from "./run-hostile.js";

/**
 * `npm run hostile -- [--minutes N] [--seed S] [--only CASE] [--kind KIND] [--profile] [--observed] [--quiet SECONDS]
 * [--heap-snapshot FILE]`: sends what held the server up before, and random requests over everything it serves. Then prints what held the
 * event loop of the serving thread longest, and how long a client of small requests waited while the lanes were full
 * (`--only "full lanes"`). Ends with status 1 when a request made the server crash, hang, fail without a reason or lose what it held.
 *
 * `npm run hostile -- --writes MINUTES [--rate N] [--quiet SECONDS]`: 600 small config maps written 2,000 times a second instead. Ends
 * with status 1 when a write fails or the server keeps more than 150 MB of it, without the pages of mapped files.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    objects: { type: "string", default: "5000" },
    // A case of the corpus; the random requests are left out then, unless `--minutes` is given too.
    only: { type: "string" },
    // Selects the requests, of the cases and random ones, whose kind contains this text.
    kind: { type: "string", default: "" },
    profile: { type: "boolean", default: false },
    // The server logs, audits and traces every request.
    observed: { type: "boolean", default: false },
    minutes: { type: "string" },
    // Written at the end, when memory has been read.
    "heap-snapshot": { type: "string" },
    quiet: { type: "string", default: "120" },
    writes: { type: "string" },
    rate: { type: "string", default: "2000" },
  },
});
const { only } = values;
const minutes = Number(values.minutes ?? (only === undefined ? 5 : 0));
const seed = Number(values.seed);
const objects = Number(values.objects);
const quiet = Number(values.quiet);
if (!(minutes >= 0) || !(quiet >= 0) || !Number.isInteger(seed) || !Number.isInteger(objects)) {
  throw new RangeError("--minutes, --seed, --objects and --quiet want numbers");
}
/** The longest that one request may hold the event loop, on a quiet machine. */
const goalMs = 50;
const kindsShown = 40;
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

if (values.writes !== undefined) process.exit(await writeLoad(Number(values.writes), Number(values.rate)));

console.log(`hostile requests for ${minutes} minutes with --seed ${seed}`);
const observed = values.observed ? observedServer() : undefined;
const report = await runHostile({
  seed,
  durationMs: minutes * 60_000,
  objects,
  // More than the places of eight lanes.
  fullLanes: { requests: 40, ms: 10_000 },
  quietMs: quiet * 1000,
  connections: only === undefined ? 300 : 0,
  wants: (name) => only === undefined || name === only || name === "many objects",
  wantsKind: (kind) => kind.includes(values.kind),
  profile: values.profile,
  serverArgs: observed?.args ?? [],
  heapSnapshot: values["heap-snapshot"],
  progress: (line) => console.log(`… ${line}`),
});
console.log(`\n${report.table(kindsShown)}\n`);
const over = report.over(goalMs);
if (over.length > 0) console.log(`held for more than ${goalMs} ms:\n${over.join("\n")}\n`);
for (const { what, count } of report.violations)
  console.log(`WRONG (${count} times): ${what.slice(0, 2500)}\n`);
if (report.cuts.length > 0) console.log(`cut without a whole answer:\n${report.cuts.join("\n")}\n`);
console.log(report.summary());
observed?.dispose();
process.exit(report.violations.length === 0 ? 0 : 1);

/** The exit status. */
async function writeLoad(writeMinutes: number, writesPerSecond: number): Promise<number> {
  const keptMax = 150;
  const { runWriteLoad } = await import("./write-load.js");
  const result = await runWriteLoad({
    durationMs: writeMinutes * 60_000,
    writesPerSecond,
    objects: 600,
    quietMs: quiet * 1000,
    progress: (line) => console.log(`… ${line}`),
  });
  const { writes, failures, perSecond, objectBytes, before, loaded, after } = result;
  console.log(`${writes} writes of ${objectBytes} bytes, ${perSecond.toFixed(0)}/s, ${failures} failed`);
  console.log(`memory before: ${describeMemory(before)}`);
  console.log(`memory loaded: ${describeMemory(loaded)}`);
  console.log(`memory after:  ${describeMemory(after)}`);
  // The pages of the database are the system's to take.
  const kept = (after.privateBytes - before.privateBytes) / 2 ** 20;
  console.log(`kept without mapped files: ${kept.toFixed(0)} MB (goal: at most ${keptMax})`);
  return failures === 0 && kept <= keptMax ? 0 : 1;
}

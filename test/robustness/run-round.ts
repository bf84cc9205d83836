import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { checkHistory } from "./check-history.js";
import type { Answer, History, RewindRecord, Violation } from "./history.js";
import type { Random } from "./random.js";
import { type Endpoint, type Recorder, RecordingClient } from "./recording-client.js";
import { type Ground, runClient, runWatcher, sides, type WatcherPlan } from "./workload.js";

/** A fault that is over by the time its promise resolves. */
export interface Fault {
  readonly name: string;
  run(random: Random): Promise<void>;
}

export interface RoundOptions {
  /** Of the namespace, which no other round uses. */
  readonly name: string;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly random: Random;
  readonly clients: number;
  readonly keys: number;
  /** How long faults continue. */
  readonly durationMs: number;
  /** The least number of operations: on a busy machine clients go on after the faults until they reach it. Default 0. */
  readonly operationsMin?: number | undefined;
  /** Undisturbed time before each. */
  readonly calmMs: readonly [number, number];
  readonly faults: readonly [Fault, ...Fault[]];
  /** What those among the faults record. */
  readonly rewinds?: readonly RewindRecord[] | undefined;
  /** Called with each fault as it comes. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface RoundResult {
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly faults: readonly string[];
}

const settleTimeoutMs = 30_000;

const watcherPlans: readonly WatcherPlan[] = [
  { start: "base", bookmarks: true, breaks: false },
  { start: "base", bookmarks: false, breaks: true },
  { start: "list", bookmarks: true, breaks: true },
  { start: "list", side: "left", bookmarks: true, breaks: true },
  { start: "base", side: "right", bookmarks: false, breaks: false },
  { start: "past", bookmarks: true, breaks: true },
  { start: "past", side: "left", bookmarks: true, breaks: true },
  { start: "any", bookmarks: true, breaks: true },
  { start: "recent", bookmarks: false, breaks: true },
  { start: "recent", side: "left", bookmarks: true, breaks: true },
];

/** Runs clients and watchers in a new namespace while faults happen, and checks what they saw. */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const writing = new AbortController();
  const watching = new AbortController();
  try {
    return await runUntilSettled(options, writing, watching);
  } finally {
    // Also when a server could not be restarted: no client keeps asking it.
    writing.abort();
    watching.abort();
  }
}

async function runUntilSettled(
  options: RoundOptions,
  writing: AbortController,
  watching: AbortController,
): Promise<RoundResult> {
  const { name, endpoints, random } = options;
  const record: Recorder = { operations: [], lists: [], watches: [] };
  let finalRevision: number | undefined;
  const [firstKey = "key-0", ...otherKeys] = Array.from(
    { length: options.keys },
    (_, index) => `key-${index}`,
  );
  const ground: Ground = {
    endpoints,
    keys: [firstKey, ...otherKeys],
    baseRevision: await createNamespace(endpoints[0], name),
    writing: writing.signal,
    watching: watching.signal,
    finalRevision: () => finalRevision,
  };

  const clients = Array.from({ length: options.clients }, (_, index) => {
    const client = `${name}-client-${index}`;
    return runClient(client, new RecordingClient(client, name, record), ground, random.fork());
  });
  const stalled: string[] = [];
  const watchers = watcherPlans.map(async (plan, index) => {
    const watcher = `${name}-watcher-${index}`;
    const reached = await runWatcher(new RecordingClient(watcher, name, record), plan, ground, random.fork());
    if (!reached) stalled.push(watcher);
  });

  let faults: readonly string[];
  try {
    faults = await disturb(options);
    while (record.operations.length < (options.operationsMin ?? 0)) await sleep(50);
  } finally {
    writing.abort();
    await Promise.all(clients);
  }

  // Those that every watcher must reach, and some after them, which show it that it has.
  const closing = new RecordingClient(`${name}-closing`, name, record);
  finalRevision = await createOfEachSide(closing, endpoints, "final");
  await createOfEachSide(closing, endpoints, "after");
  const timer = setTimeout(() => watching.abort(), settleTimeoutMs);
  await Promise.all(watchers);
  clearTimeout(timer);
  for (const endpoint of endpoints)
    for (const read of ["recent", "any"] as const)
      if (!(await listsAtLast(closing, endpoint, read)))
        stalled.push(`a list (${read}) of server ${endpoint.index}`);

  const { rewinds } = options;
  const history: History = { baseRevision: ground.baseRevision, finalRevision, stalled, rewinds, ...record };
  return { history, violations: checkHistory(history), faults };
}

/** Whether a list is answered in the time that watches have, which is longer than a client waits for one request. */
async function listsAtLast(
  client: RecordingClient,
  endpoint: Endpoint,
  read: "recent" | "any",
): Promise<boolean> {
  for (const until = performance.now() + settleTimeoutMs; performance.now() < until; await sleep(100)) {
    if ((await client.list(endpoint, { read })) !== undefined) return true;
  }
  return false;
}

/** Faults, one after the other, for the time of the round; returns their names. */
async function disturb({ random, durationMs, calmMs, faults, log }: RoundOptions): Promise<string[]> {
  const names: string[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    await sleep(random.between(...calmMs));
    const fault = faults[random.between(0, faults.length - 1)] ?? faults[0];
    const choices = random.fork();
    names.push(fault.name);
    log?.(fault.name);
    await fault.run(choices);
  }
  await sleep(random.between(...calmMs));
  return names;
}

/** A summary for people: how much was checked, and what was wrong. */
export function summary({ history, violations, faults }: RoundResult): string {
  const count = (kind: string): number =>
    history.operations.filter((operation) => operation.answer.kind === kind).length;
  const events = history.watches.reduce((sum, watch) => sum + watch.events.length, 0);
  const bookmarks = history.watches.reduce(
    (sum, watch) => sum + watch.events.filter((event) => event.type === "BOOKMARK").length,
    0,
  );
  const expired = history.watches.filter((watch) => watch.end === "expired").length;
  const lines = [
    `${history.operations.length} operations (${count("unknown")} of unknown outcome, ${count("conflict")} conflicts), ` +
      `${history.lists.length} lists, ${history.watches.length} watches (${expired} expired) with ${events} events ` +
      `(${bookmarks} bookmarks); faults: ${faults.join(", ") || "none"}`,
    ...violations.slice(0, 20).map(({ kind, message }) => `  ${kind}: ${message.slice(0, 2_000)}`),
  ];
  if (violations.length > 20) lines.push(`  and ${violations.length - 20} more`);
  return lines.join("\n");
}

/** The revision at which the empty namespace began. */
async function createNamespace(endpoint: Endpoint, name: string): Promise<number> {
  for (const until = performance.now() + settleTimeoutMs; performance.now() < until; await sleep(100)) {
    try {
      const answer = await request(`${endpoint.url}/api/v1/namespaces`, {
        method: "POST",
        dispatcher: endpoint.agent,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ metadata: { name } }),
        signal: AbortSignal.timeout(5_000),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 201) return Number(JSON.parse(text).metadata.resourceVersion);
      // Left by an earlier attempt whose answer was lost; still empty.
      if (answer.statusCode === 409) {
        const found = await request(`${endpoint.url}/api/v1/namespaces/${name}`, {
          dispatcher: endpoint.agent,
        });
        return Number(JSON.parse(await found.body.text()).metadata.resourceVersion);
      }
    } catch {
      // Still recovering from the faults of the last round.
    }
  }
  throw new Error(`the namespace ${name} could not be created`);
}

/** Creates an object in each selection; returns the lowest of their revisions. */
async function createOfEachSide(
  client: RecordingClient,
  endpoints: RoundOptions["endpoints"],
  key: string,
): Promise<number> {
  const revisions: number[] = [];
  for (const side of sides) revisions.push(await createSurely(client, endpoints, `${key}-${side}`, side));
  return Math.min(...revisions);
}

async function createSurely(
  client: RecordingClient,
  endpoints: readonly [Endpoint, ...Endpoint[]],
  key: string,
  side: string,
): Promise<number> {
  let answer: Answer = { kind: "unknown" };
  for (let attempt = 0; attempt < 100; attempt++) {
    const endpoint = endpoints[attempt % endpoints.length] ?? endpoints[0];
    const value = `${key}-${attempt}`;
    answer = await client.perform(endpoint, key, { kind: "create", value, side });
    if (answer.kind === "object") return answer.object.revision;
    const found = await client.perform(endpoint, key, { kind: "get", read: "recent" });
    if (found.kind === "object") return found.object.revision;
    await sleep(200);
  }
  throw new Error(`${key} could not be created after the faults ended: ${JSON.stringify(answer)}`);
}

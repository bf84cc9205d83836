import type { HeapProfiler, Profiler, Session } from "node:inspector";
import { setTimeout as delay } from "node:timers/promises";
import type { CallNode, PprofParts } from "./pprof-profile.js";

/** The sampling rate of Go's profiler. */
const cpuIntervalUs = 10_000;
/** One allocation per this many bytes is sampled; V8 scales the result. */
const heapIntervalBytes = 32 * 1024;

/** CPU time by location. Ends early, with the signal's reason, when the client is gone. */
export async function cpuProfile(durationMs: number, signal: AbortSignal): Promise<PprofParts> {
  const startedAt = new Date();
  const { profile } = await withSession(async (session) => {
    await post((done) => session.post("Profiler.enable", done));
    await post((done) => session.post("Profiler.setSamplingInterval", { interval: cpuIntervalUs }, done));
    await post((done) => session.post("Profiler.start", done));
    await delay(durationMs, undefined, { signal });
    return await post<Profiler.StopReturnType>((done) => session.post("Profiler.stop", done));
  });
  const nanos = cpuIntervalUs * 1000;
  return {
    kinds: [
      { type: "samples", unit: "count" },
      { type: "cpu", unit: "nanoseconds" },
    ],
    period: { kind: { type: "cpu", unit: "nanoseconds" }, value: nanos },
    startedAt,
    durationMs,
    root: cpuTree(profile, nanos),
  };
}

/**
 * Memory allocated during the profile, by location: what is still in use at the end, or with `all` also garbage. Does not read the heap
 * itself, so a profile contains no object contents.
 */
export async function heapProfile(
  durationMs: number,
  signal: AbortSignal,
  all: boolean,
): Promise<PprofParts> {
  const startedAt = new Date();
  const { profile } = await withSession(async (session) => {
    const parameters = {
      samplingInterval: heapIntervalBytes,
      includeObjectsCollectedByMajorGC: all,
      includeObjectsCollectedByMinorGC: all,
    };
    await post((done) => session.post("HeapProfiler.startSampling", parameters, done));
    await delay(durationMs, undefined, { signal });
    return await post<HeapProfiler.StopSamplingReturnType>((done) =>
      session.post("HeapProfiler.stopSampling", done),
    );
  });
  return {
    kinds: [{ type: all ? "alloc_space" : "inuse_space", unit: "bytes" }],
    period: { kind: { type: "space", unit: "bytes" }, value: heapIntervalBytes },
    startedAt,
    durationMs,
    root: heapTree(profile.head),
  };
}

/** Interval of the timer that detects long turns. */
const loopTickMs = 5;
/** Longer turns delay other requests noticeably. */
const longTurnMs = 10;
/** Sampling interval of the profile. */
const loopIntervalUs = 1000;

/**
 * Calls that held the event loop for more than 10 ms, by location. All requests share one event loop, so they contend for it as they
 * do for locks elsewhere.
 */
export async function loopDelayProfile(durationMs: number, signal: AbortSignal): Promise<PprofParts> {
  const startedAt = new Date();
  const ticks = new LoopTicks();
  const { profile } = await withSession(async (session) => {
    await post((done) => session.post("Profiler.enable", done));
    await post((done) => session.post("Profiler.setSamplingInterval", { interval: loopIntervalUs }, done));
    await post((done) => session.post("Profiler.start", done));
    ticks.start();
    try {
      await delay(durationMs, undefined, { signal });
    } finally {
      ticks.stop();
    }
    return await post<Profiler.StopReturnType>((done) => session.post("Profiler.stop", done));
  });
  const held = heldTimes(profile, ticks.longTurns);
  return {
    kinds: [
      { type: "contentions", unit: "count" },
      { type: "delay", unit: "nanoseconds" },
    ],
    period: { kind: { type: "contentions", unit: "count" }, value: 1 },
    startedAt,
    durationMs,
    root: treeOf(profile, ({ id }) => held.get(id) ?? [0, 0]),
  };
}

/** What the process waits for now, by kind: the nearest that this runtime has to goroutines. */
export function waits(): readonly (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

export function waitsProfile(): PprofParts {
  const node = (functionName: string, count: number, children: readonly CallNode[] = []): CallNode => ({
    callFrame: { functionName, url: "", lineNumber: -1 },
    values: [count],
    children,
  });
  const kind = { type: "goroutine", unit: "count" };
  return {
    kinds: [kind],
    period: { kind, value: 1 },
    startedAt: new Date(),
    durationMs: 0,
    root: node(
      "(root)",
      0,
      waits().map(([name, count]) => node(name, count)),
    ),
  };
}

/** Further events are dropped. */
const traceEventsMax = 300_000;
/** About 200 bytes each: printing them takes a fraction of a millisecond. */
const eventsPerPiece = 100;
/** Garbage collection, requests, and samples of the processor, as Chrome's tracing shows them. */
const traceCategories = [
  "v8",
  "node.http",
  "node.perf",
  "disabled-by-default-v8.gc",
  "disabled-by-default-v8.cpu_profiler",
];

/** What happened, in order. */
export async function traceEvents(durationMs: number, signal: AbortSignal): Promise<readonly object[]> {
  const events: object[] = [];
  await withSession(async (session) => {
    session.on("NodeTracing.dataCollected", ({ params }) => {
      const room = traceEventsMax - events.length;
      for (const event of params.value.slice(0, room)) events.push(event);
    });
    const complete = new Promise((resolve) => session.once("NodeTracing.tracingComplete", resolve));
    const traceConfig = { includedCategories: traceCategories };
    await post((done) => session.post("NodeTracing.start", { traceConfig }, done));
    try {
      await delay(durationMs, undefined, { signal });
    } finally {
      await post((done) => session.post("NodeTracing.stop", done));
    }
    await complete;
  });
  return events;
}

/** A trace in Chrome's trace event format, for Perfetto and speedscope. */
export function* traceDocument(events: readonly object[]): Generator<Buffer> {
  yield Buffer.from('{"traceEvents":[');
  for (let from = 0; from < events.length; from += eventsPerPiece) {
    const some = events.slice(from, from + eventsPerPiece).map((event) => JSON.stringify(event));
    yield Buffer.from(`${from === 0 ? "" : ","}${some.join(",")}`);
  }
  yield Buffer.from("]}");
}

interface Turn {
  /** Microseconds, on the clock of V8's profiles. */
  readonly from: number;
  readonly to: number;
}

/** Records long turns of the event loop by a timer that comes late. */
class LoopTicks {
  readonly longTurns: Turn[] = [];
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    let last = process.hrtime.bigint();
    this.#timer = setInterval(() => {
      const now = process.hrtime.bigint();
      const turn = { from: Number(last / 1000n), to: Number(now / 1000n) };
      if (turn.to - turn.from > (loopTickMs + longTurnMs) * 1000) this.longTurns.push(turn);
      last = now;
    }, loopTickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** By node of the profile: the number of long turns in which it ran, and its nanoseconds in them. */
function heldTimes(
  { samples = [], timeDeltas = [], startTime, nodes }: Profiler.Profile,
  turns: readonly Turn[],
): ReadonlyMap<number, readonly [number, number]> {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  const held = new Map<number, [number, number]>();
  let seen = new Set<number>();
  let turn = 0;
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    while (turn < turns.length && at > (turns[turn]?.to ?? 0)) {
      turn++;
      seen = new Set();
    }
    if (at < (turns[turn]?.from ?? Number.POSITIVE_INFINITY) || idle.has(id)) continue;
    const times = held.get(id) ?? [0, 0];
    if (!seen.has(id)) times[0]++;
    seen.add(id);
    times[1] += Math.max(0, delta) * 1000;
    held.set(id, times);
  }
  return held;
}

function cpuTree(profile: Profiler.Profile, nanosPerHit: number): CallNode {
  return treeOf(profile, ({ hitCount = 0 }) => [hitCount, hitCount * nanosPerHit]);
}

function treeOf(
  { nodes }: Profiler.Profile,
  valuesOf: (node: Profiler.ProfileNode) => readonly number[],
): CallNode {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const view = (node: Profiler.ProfileNode): CallNode => ({
    callFrame: node.callFrame,
    values: valuesOf(node),
    get children() {
      return (node.children ?? []).flatMap((id) => byId.get(id) ?? []).map(view);
    },
  });
  const [root] = nodes;
  if (root === undefined) throw new Error("a CPU profile without a root");
  return view(root);
}

function heapTree(node: HeapProfiler.SamplingHeapProfileNode): CallNode {
  return {
    callFrame: node.callFrame,
    values: [node.selfSize],
    get children() {
      return node.children.map(heapTree);
    },
  };
}

function post<Answer = unknown>(
  send: (done: (error: Error | null, answer?: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The inspector's answer conforms to its protocol unless it is an error.
    send((error, answer) => (error === null ? resolve(answer as Answer) : reject(error)));
  });
}

async function withSession<R>(work: (session: Session) => Promise<R>): Promise<R> {
  const { Session: InspectorSession } = await import("node:inspector");
  const session = new InspectorSession();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}

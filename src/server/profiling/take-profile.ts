import type { HeapProfiler, Profiler, Session } from "node:inspector";
import { setTimeout as delay } from "node:timers/promises";
import type { CallNode, PprofParts } from "./pprof-profile.js";

/** As often as Go's profiler looks. */
const cpuIntervalUs = 10_000;
/** One allocation in about so many bytes is looked at; V8 scales what it saw. */
const heapIntervalBytes = 32 * 1024;

/** Where the processor's time went. Ends early, with the signal's reason, when nobody waits for it any longer. */
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
 * What is allocated meanwhile, by where: what is still in use at the end, or with `all` also what is garbage by then. The heap
 * itself is not read, so that a profile has nothing of what objects hold.
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

function cpuTree({ nodes }: Profiler.Profile, nanosPerHit: number): CallNode {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const view = (node: Profiler.ProfileNode): CallNode => ({
    callFrame: node.callFrame,
    values: [node.hitCount ?? 0, (node.hitCount ?? 0) * nanosPerHit],
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
    // The inspector answers what its protocol says where it gives no error.
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

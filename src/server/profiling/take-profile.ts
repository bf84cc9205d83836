import type { HeapProfiler } from "node:inspector";
import { setTimeout as delay } from "node:timers/promises";
import { post, withSession } from "./inspector-session.js";
import type { CallNode, PprofParts } from "./pprof-profile.js";
import { callTree, sampledCalls } from "./sampled-calls.js";

/** The sampling rate of Go's profiler. */
const cpuIntervalUs = 10_000;
/** One allocation per this many bytes is sampled; V8 scales the result. */
const heapIntervalBytes = 32 * 1024;

/** CPU time by location. Ends early, with the signal's reason, when the client is gone. */
export async function cpuProfile(durationMs: number, signal: AbortSignal): Promise<PprofParts> {
  const startedAt = new Date();
  const profile = await sampledCalls(cpuIntervalUs, () => delay(durationMs, undefined, { signal }));
  const nanos = cpuIntervalUs * 1000;
  return {
    kinds: [
      { type: "samples", unit: "count" },
      { type: "cpu", unit: "nanoseconds" },
    ],
    period: { kind: { type: "cpu", unit: "nanoseconds" }, value: nanos },
    startedAt,
    durationMs,
    root: callTree(profile, ({ hitCount = 0 }) => [hitCount, hitCount * nanos]),
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

/** Active resources of the process by kind: the nearest equivalent of goroutines in this runtime. */
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

function heapTree(node: HeapProfiler.SamplingHeapProfileNode): CallNode {
  return {
    callFrame: node.callFrame,
    values: [node.selfSize],
    get children() {
      return node.children.map(heapTree);
    },
  };
}

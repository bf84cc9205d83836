import type { Profiler } from "node:inspector";
import { setTimeout as delay } from "node:timers/promises";
import type { PprofParts } from "./pprof-profile.js";
import { callTree, sampledCalls } from "./sampled-calls.js";

/** Interval of the timer that detects long turns. */
const loopTickMs = 5;
/** Longer turns delay other requests noticeably. */
const longTurnMs = 10;
/** Sampling interval of the profile. */
const loopIntervalUs = 1000;

/**
 * Calls that blocked the event loop for more than 10 ms, by location. Requests contend for the event loop here, as for locks elsewhere.
 */
export async function loopDelayProfile(durationMs: number, signal: AbortSignal): Promise<PprofParts> {
  const startedAt = new Date();
  const ticks = new LoopTicks();
  const profile = await sampledCalls(loopIntervalUs, async () => {
    ticks.start();
    try {
      await delay(durationMs, undefined, { signal });
    } finally {
      ticks.stop();
    }
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
    root: callTree(profile, ({ id }) => held.get(id) ?? [0, 0]),
  };
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

import { openSync, readFileSync, readSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapSpaceStatistics, setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { HoldProfile } from "./hold-profile.mjs";

/**
 * Loaded into a server under test (`--import`): measures how long its event loop is held. Each connection to the Unix socket that
 * ORCH_STALL_SOCKET names is answered with one line of JSON, what was seen since the one before:
 * - `heldMs`: the longest time between two turns in which the main thread had the processor, so that neither a busy machine nor other
 *   threads count against the server; `gapMs`: the same by the clock;
 * - `gcMs`: how much of that longest hold was collection of garbage, and `gc`: of which kinds; `gapUsedMs`, `gapGcMs` and `gapGc` say the
 *   same of the longest by the clock: how long the main thread had the processor, and collected garbage;
 * - `workMs`: the longest hold without the collections in it;
 * - `gcMaxMs`: the longest single pause for garbage;
 * - the memory in bytes, `privateBytes` without the pages of mapped files, `spaces` by space of V8's heap.
 *
 * A connection that sends `g` has garbage collected first; one that sends `p` begins a CPU profile, of which the next answer tells in
 * `profile`, hold by hold. One that sends `h` and a path has a heap snapshot written there afterwards. After one that sends `s` nothing is recorded any more, only memory is told: V8 gives memory back while the
 * process is idle, and with the recorder's timer it never is.
 */
const path = process.env.ORCH_STALL_SOCKET;
const periodMs = 2;
/** Shorter holds are not compared with the pauses for garbage, and no more than so many. */
const keptHoldMs = 4;
const keptHolds = 10_000;

const gcKinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weak callbacks"],
]);

if (isMainThread && path !== undefined) {
  const usedMs = processorClock();
  const pauses = [];
  const collect = (entries) => {
    for (const { startTime, duration, detail } of entries) {
      pauses.push({ from: startTime, to: startTime + duration, kind: gcKinds.get(detail.kind) ?? "other" });
    }
  };
  const observer = new PerformanceObserver((list) => collect(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });

  let longest = { from: 0, to: 0, heldMs: 0 };
  let longestGap = { from: 0, to: 0, heldMs: 0 };
  /** Those long enough to be told of, to be compared with the pauses that become known later. */
  let holds = [];
  let lastTime = performance.now();
  let lastUsed = usedMs();
  let profile;
  const turn = () => {
    const time = performance.now();
    const gap = time - lastTime;
    const used = usedMs();
    const heldMs = Math.min(gap, used - lastUsed);
    const hold = { from: lastTime, to: time, heldMs };
    if (heldMs > longest.heldMs) longest = hold;
    if (gap > longestGap.to - longestGap.from) longestGap = hold;
    if (heldMs >= keptHoldMs && holds.length < keptHolds) holds.push(hold);
    profile?.add(lastTime, time);
    lastTime = time;
    lastUsed = used;
  };
  const recording = setInterval(turn, periodMs).unref();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (bytes) => {
      turn();
      // Node.js tells of a collection in the turn after it.
      await nextTurn();
      await nextTurn();
      collect(observer.takeRecords());
      const inGap = garbageIn(longestGap, pauses);
      const seen = {
        heldMs: longest.heldMs,
        ...garbageIn(longest, pauses),
        gapMs: longestGap.to - longestGap.from,
        gapUsedMs: longestGap.heldMs,
        gapGcMs: inGap.gcMs,
        gapGc: inGap.gc,
        workMs: Math.max(0, ...holds.map((hold) => hold.heldMs - garbageIn(hold, pauses).gcMs)),
        gcMaxMs: Math.max(0, ...pauses.map(({ from, to }) => to - from)),
        profile: await profile?.stop(),
      };
      if (bytes.toString() === "s") {
        clearInterval(recording);
        observer.disconnect();
      }
      profile = bytes.toString() === "p" ? await HoldProfile.start() : undefined;
      if (bytes.toString() === "g") {
        setFlagsFromString("--expose-gc");
        runInNewContext("gc")();
      }
      const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
      const spaces = getHeapSpaceStatistics().map((space) => ({
        name: space.space_name,
        size: space.space_size,
        used: space.space_used_size,
      }));
      const memory = {
        rss,
        privateBytes: privateBytes(rss),
        heapTotal,
        heapUsed,
        external,
        arrayBuffers,
        spaces,
      };
      longest = { from: 0, to: 0, heldMs: 0 };
      longestGap = longest;
      holds = [];
      pauses.length = 0;
      lastTime = performance.now();
      lastUsed = usedMs();
      // After the reading, because it takes several times the memory of the heap.
      const [command, file] = [bytes.toString("utf8", 0, 1), bytes.toString("utf8", 1)];
      if (command === "h") writeHeapSnapshot(file);
      socket.end(`${JSON.stringify({ ...seen, ...memory })}\n`);
    });
  });
  server.on("error", () => {});
  // An earlier server that ended without closing its socket has left it.
  rmSync(path, { force: true });
  server.listen(path).unref();
}

/** Pauses within the hold, summed by kind. */
function garbageIn(hold, pauses) {
  const kinds = new Map();
  let gcMs = 0;
  for (const { from, to, kind } of pauses) {
    const ms = Math.min(to, hold.to) - Math.max(from, hold.from);
    if (ms <= 0) continue;
    gcMs += ms;
    kinds.set(kind, (kinds.get(kind) ?? 0) + ms);
  }
  const gc = [...kinds].map(([kind, ms]) => `${kind} ${ms.toFixed(0)}`).join(", ");
  return { gcMs, gc };
}

/** Milliseconds of the processor that the main thread has used; where the system does not tell, those of the process. */
function processorClock() {
  try {
    // Nanoseconds come first. The entry of the process is that of its main thread.
    const file = openSync("/proc/self/schedstat", "r");
    const text = Buffer.alloc(64);
    return () => {
      const length = readSync(file, text, 0, text.length, 0);
      return Number.parseInt(text.toString("latin1", 0, length), 10) / 1e6;
    };
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
}

/** Linux alone says it. */
function privateBytes(rss) {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
  } catch {
    return rss;
  }
}

/**
 * Loaded into a server before its program (`node --import`): counts what requests make on its main thread, and tells by a local socket,
 * whose path is in the environment. `count` and `allocate` begin, `take` ends and is answered.
 */
import { createHook } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const path = process.env.BUDGET_SOCKET;
if (isMainThread && path !== undefined) serve();

function serve() {
  const counts = { PROMISE: 0, TickObject: 0, Timeout: 0, Immediate: 0 };
  // Counting by itself makes an object for each promise: bytes are measured without it.
  const hook = createHook({
    init(_id, type) {
      if (type in counts) counts[type]++;
    },
  });
  setFlagsFromString("--expose-gc");
  // Code that V8 has optimized allocates less. Beside the program it would be ready sooner or later, as the machine has time for it.
  setFlagsFromString("--no-concurrent-recompilation");
  const gc = runInNewContext("gc");
  let collections = 0;
  new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  }).observe({ entryTypes: ["gc"] });
  let heapBefore = 0;
  let writesBefore = 0;
  const commands = {
    count() {
      for (const type of Object.keys(counts)) counts[type] = 0;
      writesBefore = writeCalls();
      hook.enable();
    },
    async allocate() {
      gc();
      // The observer hears of a collection a round later.
      await setImmediate();
      await setImmediate();
      collections = 0;
      heapBefore = process.memoryUsage().heapUsed;
    },
    async take() {
      const bytes = process.memoryUsage().heapUsed - heapBefore;
      hook.disable();
      const writes = writeCalls() - writesBefore;
      await setImmediate();
      await setImmediate();
      // A collection in between takes away what was allocated.
      return { ...counts, writes, bytes: collections === 0 ? bytes : null };
    },
  };
  createServer((socket) => {
    socket.on("data", async (command) => {
      socket.write(`${JSON.stringify((await commands[command.toString()]()) ?? {})}\n`);
    });
  })
    .listen(path)
    .unref();
}

/** How often the process has called `write` and its like so far: sockets, files and wake-ups of threads. */
function writeCalls() {
  return Number(/syscw: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

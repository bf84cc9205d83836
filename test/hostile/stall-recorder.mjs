import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { HoldProfile } from "./hold-profile.mjs";

/**
 * Loaded into a server under test (`--import`): measures how long its event loop is held. Each connection to the Unix socket that
 * ORCH_STALL_SOCKET names is answered with one line of JSON, what was seen since the one before: `heldMs`, the longest time between
 * two turns in which this process had the processor (so a busy machine does not count against the server), `gapMs`, the same by the
 * clock, and the memory in bytes, `privateBytes` without the pages of mapped files. A connection that sends `g` has garbage collected first;
 * one that sends `p` begins a CPU profile, of which the next answer tells in `profile`, hold by hold.
 */
const path = process.env.ORCH_STALL_SOCKET;
const periodMs = 2;

if (isMainThread && path !== undefined) {
  let heldMs = 0;
  let gapMs = 0;
  let lastTime = performance.now();
  let lastUse = process.cpuUsage();
  let profile;
  const turn = () => {
    const time = performance.now();
    const gap = time - lastTime;
    const use = process.cpuUsage();
    const held = Math.min(gap, (use.user + use.system - lastUse.user - lastUse.system) / 1000);
    heldMs = Math.max(heldMs, held);
    gapMs = Math.max(gapMs, gap);
    profile?.add(lastTime, time);
    lastTime = time;
    lastUse = use;
  };
  setInterval(turn, periodMs).unref();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (bytes) => {
      turn();
      const seen = { heldMs, gapMs, profile: await profile?.stop() };
      profile = bytes.toString() === "p" ? await HoldProfile.start() : undefined;
      if (bytes.toString() === "g") {
        setFlagsFromString("--expose-gc");
        runInNewContext("gc")();
      }
      heldMs = 0;
      gapMs = 0;
      lastTime = performance.now();
      lastUse = process.cpuUsage();
      const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
      const memory = { rss, privateBytes: privateBytes(rss), heapTotal, heapUsed, external };
      socket.end(`${JSON.stringify({ ...seen, ...memory })}\n`);
    });
  });
  server.on("error", () => {});
  server.listen(path).unref();
}

/** Linux alone says it. */
function privateBytes(rss) {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
  } catch {
    return rss;
  }
}

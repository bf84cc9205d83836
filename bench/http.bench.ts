/**
 * The serving layer alone, without an API behind it: responses per second compared with bare Node.js servers in the same run, a list from
 * cached bytes, watch fan-out and the memory of idle watchers. Goals on two cores: at least as fast as bare Node.js; 1,000
 * HTTP/1.1 watchers at 45,000 single events/s and 250,000 in bursts, 1,000 HTTP/2 streams at 250,000; 60 KB per idle watcher;
 * no event-loop block over 20 ms at 5,000 watchers; a list of 10,000 items of 1.5 KB in 30 ms, first byte in 5 ms.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { createServer as createHttps, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type { HttpExchange } from "../src/serving/http/exchange.js";
import { listen } from "../src/serving/http/listener.js";
import { toTlsSettings } from "../src/serving/http/tls-settings.js";
import { GroupBuffers } from "../src/serving/responses/group-buffers.js";
import { sendList } from "../src/serving/responses/list-stream.js";
import { WatchOutbox } from "../src/serving/responses/watch-outbox.js";
import { openWatchStream, type WatchStream } from "../src/serving/responses/watch-stream.js";
import type { Target } from "./load/http1-client.js";
import type { Job, JobResult } from "./load/load-worker.js";
import type { WatchJob, WatchReport } from "./load/watch-worker.js";
import { benchPki } from "./support/bench-pki.js";
import { Figures } from "./support/figures.js";
import { median } from "./support/statistics.js";

const runMs = Number(process.env.BENCH_SECONDS ?? 2) * 1000;
const rounds = 3;
const body = Buffer.alloc(1500, "x");
const figures = new Figures();
const outbox = new WatchOutbox();
const groupBuffers = new GroupBuffers();
const watchers = new Set<WatchStream>();
const listItems = Array.from({ length: 10_000 }, () => Buffer.alloc(1480, "y"));

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "http-bench-"));
  const pki = await benchPki(directory);
  if (pki.admin === undefined) throw new Error("no certificate for the client");
  const listener = await listen(
    {
      host: "127.0.0.1",
      port: 0,
      files: { ...pki.serving, clientCaFiles: [pki.caFile] },
      settings: toTlsSettings(undefined),
      onError: (error) => console.error(error),
      onUnusableFile: (error) => console.error(error),
    },
    handle,
  );
  const admin = await pki.admin;
  const client = { host: "127.0.0.1", ca: pki.caPem, cert: admin.certPem, key: admin.keyPem };
  const own = { ...client, port: listener.port };
  try {
    // Memory is measured as the growth of the process, so the case that frees most comes last.
    await measureWatches(own, "http2", 1000);
    await measureWatches(own, "http1", 1000);
    await measureWatches(own, "http1", 5000);
    await compareGets(own, pki.serving.certPem, pki.serving.keyPem);
    await measureList(own);
  } finally {
    await listener.close(0);
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

function handle(exchange: HttpExchange): void | Promise<void> {
  if (exchange.path === "/watch") {
    const stream = openWatchStream(exchange, {
      outbox,
      contentType: "application/json",
      onEnd: () => watchers.delete(stream),
    });
    watchers.add(stream);
    return;
  }
  if (exchange.path === "/list") {
    const list = {
      head: Buffer.from('{"items":['),
      items: listItems,
      bytesOf: (item: Buffer) => item,
      separator: Buffer.from(","),
      tail: Buffer.from("]}\n"),
    };
    const compress = exchange.query === "gzip";
    return sendList(exchange, {
      status: 200,
      headers: { "Content-Type": "application/json" },
      body: list,
      compress,
      buffers: groupBuffers,
    });
  }
  exchange.respond(200, { "Content-Type": "application/json" }, body);
}

/** This server and the bare one take turns, so that other work on the machine affects both. */
async function compareGets(own: Target, cert: string, key: string): Promise<void> {
  const bareHttp1 = createHttps({ cert, key }, (_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
  const bareHttp2 = createSecureServer({ cert, key });
  bareHttp2.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.respond({ ":status": 200, "content-type": "application/json", "content-length": body.length });
    stream.end(body);
  });
  bareHttp2.on("sessionError", () => {});
  for (const server of [bareHttp1, bareHttp2]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  for (const [protocol, bare] of [
    ["http1", bareHttp1],
    ["http2", bareHttp2],
  ] as const) {
    const bareTarget = { ...own, port: (bare.address() as AddressInfo).port };
    for (const connections of [1, 32]) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < rounds; round++) {
        ours.push(await getsPerSecond(own, protocol, connections));
        theirs.push(await getsPerSecond(bareTarget, protocol, connections));
      }
      const label = `${protocol}, ${connections} at once`;
      figures.record(`answers of 1.5 KB per second, ${label}`, median(ours));
      figures.record(`  bare Node`, median(theirs), `answers per second, bare Node, ${label}`);
      figures.record(`  ratio`, median(ours) / median(theirs), `answers, ratio to bare Node, ${label}`);
    }
  }
  bareHttp1.closeAllConnections();
  bareHttp1.close();
  bareHttp2.close();
}

function getsPerSecond(target: Target, protocol: Job["protocol"], connections: number): Promise<number> {
  const worker = fork(besideThis("load/load-worker.mjs"));
  return new Promise((resolve, reject) => {
    worker.once("message", (result: JobResult) => resolve(result.perSecond));
    worker.once("exit", (code) => code !== 0 && reject(new Error(`the load worker ended with ${code}`)));
    worker.send({
      target,
      protocol,
      connections,
      operation: "get",
      namespace: "default",
      name: "pod",
      count: 1,
      durationMs: runMs / 2,
    } satisfies Job);
  });
}

async function measureList(target: Target): Promise<void> {
  const whole: number[] = [];
  const first: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let round = 0; round < 9; round++) {
    if (round === 2) delay.enable();
    const times = await fetchTimes(target, "/list");
    whole.push(times.wholeMs);
    first.push(times.firstByteMs);
  }
  delay.disable();
  figures.record("list of 10,000 items, 14.8 MB, read in the same process (ms)", median(whole));
  figures.record("  first byte (ms)", median(first), "list, first byte (ms)");
  figures.record("  longest event-loop block (ms)", delay.max / 1e6, "list, longest event-loop block (ms)");
  const compressed = await fetchTimes(target, "/list?gzip");
  figures.record("  compressed (ms)", compressed.wholeMs, "list, compressed (ms)");
}

function fetchTimes(target: Target, path: string): Promise<{ wholeMs: number; firstByteMs: number }> {
  return new Promise((resolve, reject) => {
    let began = 0;
    let firstByteMs = 0;
    const headers = { "accept-encoding": "gzip" };
    const asked = request({ ...target, path, headers, agent: false }, (response) => {
      response.once("data", () => {
        firstByteMs = performance.now() - began;
      });
      response.resume();
      response.once("end", () => resolve({ wholeMs: performance.now() - began, firstByteMs }));
    });
    asked.once("socket", (socket) =>
      socket.once("secureConnect", () => {
        began = performance.now();
      }),
    );
    asked.once("error", reject);
    asked.end();
  });
}

async function measureWatches(target: Target, protocol: WatchJob["protocol"], count: number): Promise<void> {
  const label = `${count} ${protocol} watchers`;
  const before = residentKilobytes();
  const worker = fork(besideThis("load/watch-worker.mjs"));
  try {
    worker.send({ target, protocol, path: "/watch", watchers: count } satisfies WatchJob);
    await reply(worker);
    figures.record(`${label}: memory of an idle one (KB)`, (residentKilobytes() - before) / count);
    // The first run warms up.
    await fanOut(worker, 1);
    const single = await fanOut(worker, 1);
    figures.record(`${label}: single events per second`, single.perSecond);
    figures.record(
      `  longest event-loop block (ms)`,
      single.blockMs,
      `${label}: longest event-loop block (ms)`,
    );
    const burst = await fanOut(worker, 10);
    figures.record(`${label}: events per second in bursts of ten`, burst.perSecond);
  } finally {
    worker.kill();
    while (watchers.size > 0) await turn();
  }
}

/** Sends to every watcher as fast as the sockets accept it, and counts what has arrived at the end. */
async function fanOut(worker: ChildProcess, burst: number): Promise<{ perSecond: number; blockMs: number }> {
  const all = [...watchers];
  const eventBytes = 1500;
  const startBytes = await bytesReceived(worker);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  while (performance.now() - began < runMs) {
    const events = Array.from({ length: burst }, () => Buffer.alloc(eventBytes, "e"));
    for (const watcher of all) watcher.send(events);
    let unsent = 0;
    while (unsent < all.length) {
      if ((all[unsent]?.bufferedBytes ?? 0) === 0) unsent++;
      else await turn();
    }
  }
  delay.disable();
  let bytes = 0;
  for (let previous = -1; bytes !== previous; ) {
    previous = bytes;
    await new Promise((resolve) => setTimeout(resolve, 50));
    bytes = (await bytesReceived(worker)) - startBytes;
  }
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: bytes / eventBytes / seconds, blockMs: delay.max / 1e6 };
}

async function bytesReceived(worker: ChildProcess): Promise<number> {
  worker.send("count");
  const report = await reply(worker);
  return report === "open" ? 0 : report.bytes;
}

function reply(worker: ChildProcess): Promise<WatchReport> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the watch worker ended with ${code}`));
    worker.once("exit", ended);
    worker.once("message", (report: WatchReport) => {
      worker.off("exit", ended);
      resolve(report);
    });
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function besideThis(path: string): string {
  return fileURLToPath(new URL(`./${path}`, import.meta.url));
}

function residentKilobytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024;
}

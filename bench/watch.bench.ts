/**
 * Watches end to end: the built server over TLS, watchers and writers in other processes of the same machine. Goals on two cores:
 * 1,000 HTTP/1.1 watchers at 45,000 single events/s and 250,000 in bursts, 1,000 HTTP/2 streams at 250,000; 60 KB per idle watcher; no
 * event-loop block over 20 ms at 5,000 watchers; 100,000 objects cached in under 3 s from start; a create as cheap among 100,000
 * objects as among 1,000. BENCH_SECONDS changes how long each figure is measured.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Http1Client, type Target } from "./load/http1-client.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const collection = "/api/v1/namespaces/default/configmaps";
const burstObjects = 50;
const streamsPerConnection = 100;
const figures: Record<string, number> = {};

interface WatchJob {
  readonly target: Target;
  readonly protocol: "http1" | "http2";
  readonly watchers: number;
}

/** What the watchers of a process have received since they were last asked. */
interface Received {
  readonly kind: "received";
  readonly events: number;
  readonly lagsMs: readonly number[];
  /** Watches that the server ended. */
  readonly ended: number;
}

type FromWatchers =
  | Received
  | { readonly kind: "open" }
  | { readonly kind: "reached"; readonly turn: number };

const job = process.argv[2];
if (job === "watchers") watchersProcess();
else await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "watch-bench-"));
  const loopFile = join(directory, "loop");
  try {
    const options = { dataDirectory: join(directory, "data"), env: { NODE_OPTIONS: probe(loopFile) } };
    const server = await startServer(options);
    try {
      for (const protocol of ["http1", "http2"] as const)
        for (const watchers of [1, 100, 1000, 5000])
          await measureWatches(server, loopFile, protocol, watchers);
      await measureGrowth(server);
    } finally {
      await server.stop();
    }
    await measureCacheStart(options.dataDirectory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(JSON.stringify(figures));
}

/**
 * Node.js options by which the server writes its longest event-loop delay (ms) into a file, and forgets it, at every SIGUSR2; a
 * collection of garbage comes first in what is measured next.
 */
function probe(file: string): string {
  const code = `
    import { monitorEventLoopDelay } from "node:perf_hooks";
    import { renameSync, writeFileSync } from "node:fs";
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    process.on("SIGUSR2", () => {
      const max = delay.max / 1e6;
      writeFileSync(${JSON.stringify(`${file}.new`)}, String(max));
      renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
      delay.reset();
    });`;
  return `--import=data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
}

async function longestBlockMs(server: ServerProcess, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(server.pid, "SIGUSR2");
  for (let attempt = 0; attempt < 200; attempt++) {
    await sleep(10);
    try {
      return Number(readFileSync(file, "utf8"));
    } catch {
      // Not written yet.
    }
  }
  throw new Error("the server did not tell its event-loop delay");
}

async function measureWatches(
  server: ServerProcess,
  loopFile: string,
  protocol: "http1" | "http2",
  count: number,
): Promise<void> {
  const label = `${protocol}, ${count} watchers`;
  const target = targetOf(server);
  const writers = await Promise.all(Array.from({ length: burstObjects }, () => Http1Client.open(target)));
  let turn = 0;
  const write = async (object: number): Promise<void> => {
    const name = `watched-${object}`;
    const { status } = await (writers[object] as Http1Client).request(
      "PUT",
      `${collection}/${name}`,
      configMap(name, turn++),
    );
    if (status !== 200) throw new Error(`an update was answered ${status}`);
  };
  for (let object = 0; object < burstObjects; object++) {
    const name = `watched-${object}`;
    await (writers[object] as Http1Client).request("POST", collection, configMap(name, 0));
  }

  const before = residentBytes(server.pid);
  const child = fork(fileURLToPath(import.meta.url), ["watchers"]);
  try {
    const opened = message(child, "open");
    child.send({ target, protocol, watchers: count } satisfies WatchJob);
    await opened;
    await sleep(500);
    if (count >= 1000)
      record(`${label}: KB per idle watcher`, (residentBytes(server.pid) - before) / 1024 / count);
    await longestBlockMs(server, loopFile);

    // One event at a time: the next write begins when the slowest watcher has the last.
    for (const objects of [1, burstObjects]) {
      await takeReceived(child);
      const began = performance.now();
      for (const until = began + seconds * 1000; performance.now() < until; ) {
        const wanted = turn + objects - 1;
        const reached = reachedTurn(child, wanted, objects);
        await Promise.all(Array.from({ length: objects }, (_, object) => write(object)));
        await reached;
      }
      const elapsed = (performance.now() - began) / 1000;
      const { events, lagsMs, ended } = await takeReceived(child);
      const what = objects === 1 ? "single events" : `events in bursts of ${objects}`;
      record(`${label}: ${what} per second`, events / elapsed);
      const sorted = [...lagsMs].sort((a, b) => a - b);
      record(`${label}: ${what}, p50 from write sent to event received (ms)`, at(sorted, 0.5));
      record(`${label}: ${what}, p99 (ms)`, at(sorted, 0.99));
      record(`${label}: ${what}, longest event-loop block (ms)`, await longestBlockMs(server, loopFile));
      if (ended > 0) record(`${label}: WATCHES ENDED`, ended);
    }
  } finally {
    child.kill();
    for (const writer of writers) writer.close();
    await sleep(500);
  }
}

/** Fills a collection up to 100,000 objects, and compares what a create costs at both ends. */
async function measureGrowth(server: ServerProcess): Promise<void> {
  const target = targetOf(server);
  const rates: number[] = [];
  for (let total = 0, round = 0; total < 100_000; round++) {
    const result = await runLoad({
      target,
      protocol: "http1",
      connections: 64,
      operation: "create",
      namespace: "default",
      name: `grown-${round}`,
      count: Math.min(4_000, 100_000 - total),
      durationMs: 60_000,
    });
    if (result.failures > 0 || result.operations === 0) throw new Error("creates failed");
    total += result.operations;
    rates.push(result.perSecond);
  }
  // The first round also warms the server up.
  record("pods created per second among 4,000 to 16,000", mean(rates.slice(1, 4)));
  record("pods created per second among 88,000 to 100,000", mean(rates.slice(-3)));
}

async function measureCacheStart(dataDirectory: string): Promise<void> {
  const began = performance.now();
  const server = await startServer({ dataDirectory });
  try {
    record("ready, 100,000 pods in the store (ms)", performance.now() - began);
    const client = await Http1Client.open(targetOf(server));
    const { status } = await client.request(
      "GET",
      "/api/v1/namespaces/default/pods?limit=1&resourceVersion=0",
    );
    if (status !== 200) throw new Error(`a list was answered ${status}`);
    record("from start to a list from cache among 100,000 pods (ms)", performance.now() - began);
    // The pages of the store's file are the system's cache, and given back when others need the memory.
    record("memory of the server's own with 100,000 pods (MB)", privateBytes(server.pid) / 1e6);
    const { bodyBytes } = await client.request("GET", "/api/v1/namespaces/default/pods?resourceVersion=0");
    record("100,000 pods as JSON (MB)", bodyBytes / 1e6);
    client.close();
  } finally {
    await server.stop();
  }
}

/** About 1 KB as an event. `turn` and the time make each version differ. */
function configMap(name: string, turn: number): string {
  const data = { turn: String(turn), sent: now().toFixed(3), text: "0123456789abcdef".repeat(40) };
  return JSON.stringify({ metadata: { name }, data });
}

/** Of one clock for all processes of the machine, in milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function reachedTurn(child: ChildProcess, from: number, count: number): Promise<void> {
  const missing = new Set(Array.from({ length: count }, (_, index) => from - index));
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("the watchers' process ended"));
    const timer = setTimeout(() => reject(new Error("a watcher got no event for 60 s")), 60_000);
    const listen = (received: FromWatchers): void => {
      if (received.kind !== "reached") return;
      missing.delete(received.turn);
      if (missing.size > 0) return;
      clearTimeout(timer);
      child.off("message", listen);
      child.off("exit", ended);
      resolve();
    };
    child.on("message", listen);
    child.once("exit", ended);
  });
}

async function takeReceived(child: ChildProcess): Promise<Received> {
  const answer = message(child, "received");
  child.send("take");
  return await answer;
}

function message<Kind extends FromWatchers["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<FromWatchers, { readonly kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("the watchers' process ended"));
    const listen = (received: FromWatchers): void => {
      if (received.kind !== kind) return;
      child.off("message", listen);
      child.off("exit", ended);
      resolve(received as Extract<FromWatchers, { readonly kind: Kind }>); // just compared
    };
    child.on("message", listen);
    child.once("exit", ended);
  });
}

/**
 * Opens watches and counts events by how they begin. It parses nothing else, but for every twentieth watch, which tells the lag; and it
 * tells of an event when the last watch has it.
 */
function watchersProcess(): void {
  const eventStart = Buffer.from('{"type":"MODIFIED"');
  let events = 0;
  let ended = 0;
  let lagsMs: number[] = [];
  let reachedBy = new Map<string, number>();
  let total = 0;

  const tell = (report: FromWatchers): void => void process.send?.(report);
  const receiver = (index: number): ((bytes: Buffer) => void) => {
    const isSample = index % 20 === 0;
    let carry = Buffer.alloc(0);
    return (bytes) => {
      const whole = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      let last = -1;
      for (let found = whole.indexOf(eventStart); found >= 0; found = whole.indexOf(eventStart, found + 18)) {
        if (last >= 0) take(whole, last, found, isSample);
        last = found;
      }
      // An event counts when it is here to its end.
      if (last >= 0 && whole.at(-1) === 10 && whole.lastIndexOf('"}}}\n') > last) {
        take(whole, last, whole.length, isSample);
        carry = Buffer.alloc(0);
      } else carry = Buffer.from(last >= 0 ? whole.subarray(last) : whole.subarray(-eventStart.length));
    };
  };
  const take = (bytes: Buffer, from: number, to: number, isSample: boolean): void => {
    events++;
    const turnAt = bytes.indexOf('"turn":"', from);
    const turn = bytes.toString("latin1", turnAt + 8, bytes.indexOf('"', turnAt + 8));
    if (isSample) {
      const sentAt = bytes.indexOf('"sent":"', from);
      if (sentAt < to)
        lagsMs.push(now() - Number(bytes.toString("latin1", sentAt + 8, bytes.indexOf('"', sentAt + 8))));
    }
    const count = (reachedBy.get(turn) ?? 0) + 1;
    if (count < total) reachedBy.set(turn, count);
    else {
      reachedBy.delete(turn);
      tell({ kind: "reached", turn: Number(turn) });
    }
  };
  const closed = (): void => {
    ended++;
    total--;
  };

  process.on("message", (sent: WatchJob | "take") => {
    if (sent === "take") {
      tell({ kind: "received", events, lagsMs, ended });
      events = 0;
      ended = 0;
      lagsMs = [];
      reachedBy = new Map();
      return;
    }
    total = sent.watchers;
    openWatches(sent, receiver, closed).then(
      () => tell({ kind: "open" }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

async function openWatches(
  { target, protocol, watchers }: WatchJob,
  receiver: (index: number) => (bytes: Buffer) => void,
  closed: () => void,
): Promise<void> {
  // Only what is written from here on.
  const path = `${collection}?watch=1&resourceVersion=${await newestVersion(target)}`;
  if (protocol === "http1") {
    for (let index = 0; index < watchers; index += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, watchers - index) }, async (_, offset) => {
          const socket = connectTls({ ...target, ALPNProtocols: ["http/1.1"] });
          await once(socket, "secureConnect");
          socket.write(`GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`);
          const [head] = (await once(socket, "data")) as [Buffer];
          if (!head.toString("latin1", 0, 15).includes(" 200")) throw new Error(head.toString());
          socket.on("data", receiver(index + offset));
          socket.on("close", closed);
        }),
      );
    return;
  }
  for (let index = 0; index < watchers; index += streamsPerConnection) {
    const { host, port, ca, cert, key } = target;
    const session = connectHttp2(`https://${host}:${port}`, {
      ca,
      cert,
      key,
      settings: { initialWindowSize: 2 ** 24 },
    });
    await once(session, "connect");
    session.setLocalWindowSize(2 ** 26);
    await Promise.all(
      Array.from({ length: Math.min(streamsPerConnection, watchers - index) }, async (_, offset) => {
        const stream = session.request({ ":path": path });
        stream.on("data", receiver(index + offset));
        stream.on("close", closed);
        const [headers] = await once(stream, "response");
        if (headers[":status"] !== 200) throw new Error(`a watch was answered ${headers[":status"]}`);
      }),
    );
  }
}

async function newestVersion(target: Target): Promise<string> {
  const { host, port, ca, cert, key } = target;
  const session = connectHttp2(`https://${host}:${port}`, { ca, cert, key });
  const stream = session.request({ ":path": `${collection}?limit=1` });
  let text = "";
  stream.setEncoding("utf8");
  for await (const piece of stream) text += String(piece);
  session.close();
  return JSON.parse(text).metadata.resourceVersion;
}

function residentBytes(pid: number): number {
  return memoryBytes(pid, "VmRSS");
}

/** Without what files are mapped. */
function privateBytes(pid: number): number {
  return memoryBytes(pid, "RssAnon");
}

function memoryBytes(pid: number, name: string): number {
  const kilobytes = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? Number.NaN) * 1024;
}

function at(sorted: readonly number[], quantile: number): number {
  return sorted[Math.floor((sorted.length - 1) * quantile)] ?? Number.NaN;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function record(what: string, value: number): void {
  figures[what] = Math.round(value * 1000) / 1000;
  const shown = value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
  console.log(`${shown.padStart(12)}  ${what}`);
}

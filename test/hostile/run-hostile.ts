import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../robustness/random.js";
import { ApiClient } from "../support/api-client.js";
import { credentialsOf, type ServerProcess, startServer } from "../support/server-process.js";
import { holdConnections, sendHellosAtOnce } from "./connection-attacks.js";
import { corpus } from "./corpus.js";
import { describeRequest, type HostileRequest, json, range } from "./hostile-request.js";
import { RandomRequests } from "./random-requests.js";
import { Report } from "./report.js";
import { Senders } from "./senders.js";
import { type HonestReading, ServerProbe } from "./server-probe.js";
import { StoredObjects } from "./stored-objects.js";

export interface HostileRun {
  readonly seed: number;
  /** Random requests go on this long after the corpus. */
  readonly durationMs: number;
  /** Config maps that the corpus' lists meet. */
  readonly objects: number;
  /** Connections of each kind that say nothing. */
  readonly connections: number;
  /** Which cases of the corpus are sent. */
  readonly wants: (name: string) => boolean;
  /** How many large requests fill the lanes, and how long, but once at least. */
  readonly fullLanes: { readonly requests: number; readonly ms: number };
  /** How long the server is left alone before its memory is read again. */
  readonly quietMs: number;
  /** Which kinds of requests are sent, of these cases and of the random ones; all when it is not given. */
  readonly wantsKind?: (kind: string) => boolean;
  /** Tells of each request which functions held the loop. */
  readonly profile?: boolean;
  /** Where a heap snapshot of the server is written at the end. */
  readonly heapSnapshot?: string | undefined;
  readonly serverArgs?: readonly string[];
  readonly progress?: (line: string) => void;
}

/** Off by default: rules in schemas. */
const gates = ["--feature-gates=CustomResourceValidationExpressions=true"];
/** Where no random request goes. */
const canaries = "/api/v1/namespaces/canary/configmaps";
const canary = `${canaries}/canary`;
/** Longer than a request may take, which is 60 s. */
const hangMs = 75_000;
/** Far longer than a definition takes to be served. */
const servedMs = 30_000;
const burst = 16;
const fullLanes = "full lanes";
/** Longer than the server takes to notice that thousands of connections are closed. */
const closingMs = 2000;

/** Sends the corpus and then random requests to a server of its own, and looks at it meanwhile and afterwards. */
export async function runHostile(run: HostileRun): Promise<Report> {
  const probe = new ServerProbe();
  let server: ServerProcess | undefined;
  try {
    server = await startServer({ env: probe.env, args: [...gates, ...(run.serverArgs ?? [])] });
    const attack = new Attack(run, server, probe);
    return await attack.run();
  } finally {
    probe.close();
    await server?.dispose();
  }
}

class Attack {
  readonly #run: HostileRun;
  readonly #server: ServerProcess;
  readonly #probe: ServerProbe;
  readonly #senders: Senders;
  readonly #random: Random;
  readonly #report: Report;

  constructor(run: HostileRun, server: ServerProcess, probe: ServerProbe) {
    this.#run = run;
    this.#server = server;
    this.#probe = probe;
    this.#senders = new Senders(server.url, credentialsOf(server), hangMs);
    this.#random = new Random(run.seed);
    this.#report = new Report(run.seed);
  }

  async run(): Promise<Report> {
    const report = this.#report;
    const api = new ApiClient(this.#server);
    try {
      await api.post("/api/v1/namespaces", { metadata: { name: "canary" } });
      await api.post(canaries, { metadata: { name: "canary" }, data: { a: "b" } });
      const before = await api.get(canary);
      const stored = await StoredObjects.of(api);
      this.#probe.watch(this.#server, canary);
      report.memoryBefore = await this.#probe.loop("collect garbage");
      await this.#corpus();
      await this.#connections();
      if (this.#run.wants(fullLanes)) await this.#fullLanes();
      await this.#randomRequests();
      this.#heard(await this.#probe.honest());
      const after = await api.get(canary);
      if (after.text !== before.text) report.violation(`the canary is ${after.text.slice(0, 300)}`);
      for (const path of ["/livez", "/readyz"]) {
        const { status, text } = await api.get(path);
        if (status !== 200) report.violation(`${path} answers ${status}: ${text.slice(0, 300)}`);
      }
      report.metrics = (await api.get("/metrics")).text;
      report.kept = await stored.restore(api);
      this.#senders.close();
      this.#probe.rest();
      this.#run.progress?.(`quiet for ${this.#run.quietMs / 1000} s`);
      await this.#probe.loop("stop recording");
      await delay(this.#run.quietMs);
      report.memoryAfter = await this.#probe.loop();
      report.memoryCollected = await this.#probe.loop("collect garbage");
      const { heapSnapshot } = this.#run;
      if (heapSnapshot !== undefined) await this.#probe.writeHeapSnapshot(heapSnapshot);
    } catch (error) {
      const state = isRunning(this.#server.pid) ? "does not answer" : "has ended";
      report.violation(
        [
          `the server ${state}: ${reasonOf(error)}`,
          ...report.last.map((request) => `before it: ${request}`),
          this.#server.output().slice(-2000),
        ].join("\n"),
      );
    } finally {
      this.#senders.close();
      await api.close();
    }
    // Once per place in the source: the first lines of a stack are what tells them apart.
    for (const [failure, stack = ""] of this.#server
      .output()
      .matchAll(/^.*request failed.*((?:\n {4}.*){0,3})/gm)) {
      report.violation(`log ${stack}`, `the log says: ${failure.slice(0, 1000)}`);
    }
    return report;
  }

  async #corpus(): Promise<void> {
    for (const { name, before = [], waitsFor, requests, together = false } of corpus(this.#run.objects)) {
      if (!this.#run.wants(name)) continue;
      this.#run.progress?.(name);
      this.#report.begins(`before ${name}`);
      for (let i = 0; i < before.length; i += burst) {
        await Promise.all(before.slice(i, i + burst).map((request) => this.#senders.send(request, "1")));
      }
      if (waitsFor !== undefined) await this.#untilServed(waitsFor);
      await this.#probe.loop();
      if (together) {
        await this.#together(name, requests);
        continue;
      }
      const wanted = requests.filter(({ kind }) => this.#run.wantsKind?.(kind) ?? true);
      for (const request of wanted) await this.#one(request);
    }
  }

  async #untilServed(path: string): Promise<void> {
    const end = performance.now() + servedMs;
    for (;;) {
      const outcome = await this.#senders.send({ kind: "wait", method: "GET", path }, "1");
      if (outcome.kind === "answered" && outcome.status === 200) return;
      if (performance.now() > end) throw new Error(`${path} is not served`);
      await delay(50);
    }
  }

  async #connections(): Promise<void> {
    const { connections } = this.#run;
    if (connections === 0) return;
    this.#report.begins("silent connections");
    const held = await holdConnections(this.#server.port, connections);
    this.#run.progress?.(`${held.open} silent connections`);
    this.#report.addLoop(
      "silent connections open",
      await this.#probe.loop(),
      `${held.open} connections, seven at a time`,
    );
    await this.#one({ kind: "canary beside silent connections", method: "GET", path: canary });
    await this.#one({
      kind: "heap profile beside half a frame",
      method: "GET",
      path: "/debug/pprof/heap?seconds=1",
    });
    held.close();
    await delay(closingMs);
    // Not what the next request holds.
    this.#report.addLoop(
      "silent connections close",
      await this.#probe.loop(),
      `${held.open} connections, all at once`,
    );
    const hellos = await sendHellosAtOnce(this.#server.port, held.open);
    this.#report.addLoop("TLS hellos", await this.#probe.loop(), `${held.open} at once`);
    hellos.close();
    await delay(closingMs);
    this.#report.addLoop("unfinished handshakes close", await this.#probe.loop(), `${held.open} at once`);
  }

  /** What an ordinary client waits while every place in the lanes is taken. */
  async #fullLanes(): Promise<void> {
    this.#run.progress?.(fullLanes);
    this.#heard(await this.#probe.honest());
    await delay(this.#run.fullLanes.ms);
    this.#report.beforeFullLanes = this.#heard(await this.#probe.honest());
    await this.#probe.loop();
    const end = performance.now() + this.#run.fullLanes.ms;
    const sent: HostileRequest[] = Array.from({ length: this.#run.fullLanes.requests }, (_, index) =>
      largePod(`${fullLanes} ${index % 2}`),
    );
    do await this.#together(fullLanes, sent);
    while (performance.now() < end);
    this.#report.besideFullLanes = this.#heard(await this.#probe.honest());
  }

  /** Adds to the totals of the ordinary client. */
  #heard(reading: HonestReading): HonestReading {
    const { honest: before } = this.#report;
    this.#report.honest =
      before === undefined
        ? reading
        : {
            ...reading,
            waits: longest([...before.waits, ...reading.waits], before.waits.length),
            requests: before.requests + reading.requests,
            failures: before.failures + reading.failures,
            failure: before.failure || reading.failure,
          };
    return reading;
  }

  async #randomRequests(): Promise<void> {
    const { durationMs } = this.#run;
    const requests = await RandomRequests.create(this.#random, this.#run.wantsKind);
    const end = performance.now() + durationMs;
    while (performance.now() < end) {
      // Mostly alone, so that a stall has one cause; sometimes many at once.
      if (this.#random.chance(0.02)) {
        await this.#together(
          "burst",
          Array.from({ length: burst }, () => requests.next()),
        );
      } else await this.#one(requests.next());
    }
  }

  async #one(request: HostileRequest): Promise<void> {
    if (this.#run.profile === true) await this.#probe.loop("begin a profile");
    this.#report.begins(request.kind);
    const start = performance.now();
    const outcome = await this.#senders.send(request, request.http ?? (this.#random.chance(0.5) ? "1" : "2"));
    const ms = performance.now() - start;
    const reading = await this.#probe.loop();
    this.#report.add(request, outcome, ms, reading);
    for (const hold of reading.profile ?? []) this.#run.progress?.(`${request.kind}: ${hold}`);
  }

  async #together(kind: string, requests: readonly HostileRequest[]): Promise<void> {
    this.#report.begins(kind);
    const answers = await Promise.all(
      requests.map(async (request) => {
        const start = performance.now();
        const outcome = await this.#senders.send(request, request.http ?? "1");
        return { request, outcome, ms: performance.now() - start };
      }),
    );
    const reading = await this.#probe.loop();
    for (const { request, outcome, ms } of answers) this.#report.add(request, outcome, ms, undefined);
    if (requests.length > 0) {
      this.#report.addLoop(
        `${kind}, ${requests.length} at once`,
        reading,
        [...new Set(requests.map(describeRequest))].join("\n  "),
      );
    }
  }
}

function longest(waits: HonestReading["waits"], count: number): HonestReading["waits"] {
  return [...waits].sort((a, b) => b.ms - a.ms).slice(0, count);
}

/** A body of 1.2 MB, which is not stored. */
function largePod(kind: string): HostileRequest {
  const env = range(45, (index) => ({ name: `NAME_${index}`, value: "v".repeat(20) }));
  const containers = range(500, (index) => ({ name: `c${index}`, image: "image", env }));
  return json(kind, "POST", "/api/v1/namespaces/default/pods?dryRun=All", {
    metadata: { name: "large" },
    spec: { containers },
  });
}

/** With the codes of the errors below it, and where it came from. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException; // undefined for most errors
  const below = error.cause === undefined ? "" : `, because of ${reasonOf(error.cause)}`;
  return `${error.stack ?? error.message} ${code ?? ""}${below}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

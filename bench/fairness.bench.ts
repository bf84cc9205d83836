/**
 * Priority and fairness under load: 50 polite clients with one request per second each, alone, next to one greedy user with 200 connections
 * to a bare server, and next to the same user with connections to this server; health checks, leases and administrators while 500 clients
 * list everything. Goals on two cores, the load on them too: polite p99 within twice that of the idle server; health checks, leases and
 * administrators within 100 ms. The traces of the polite requests show how much of their time was spent in the server.
 *
 * The three phases of the polite clients take turns, so that a machine that becomes slower meanwhile does not change the ratio. Polite
 * clients, greedy clients, and the bare server have a process each; the greedy clients run when nobody else wants the processor. The phase
 * with the bare server shows what an equally busy machine adds by itself: interrupts, caches, waiting for a core. It is not part of the
 * ratio. Before the first phase the polite clients ask ten times as often, so that the server has compiled its code: otherwise it would be
 * slow when idle, and the ratio would look good.
 *
 * BENCH_SECONDS is the time of each kind of phase; BENCH_PARTS names what is measured, `polite` and `everything`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ApiClient } from "../test/support/api-client.js";
import { startServer } from "../test/support/server-process.js";
import { type CollectedSpan, startTraceCollector } from "../test/support/trace-collector.js";
import type { BareJob } from "./load/bare-worker.js";
import type { PacedJob, PacedResult } from "./load/paced-worker.js";
import { Figures } from "./support/figures.js";
import { cpuSeconds, waitedSeconds } from "./support/process-time.js";
import { quantile } from "./support/statistics.js";

const runMs = Number(process.env.BENCH_SECONDS ?? 15) * 1000;
const parts = (process.env.BENCH_PARTS ?? "polite,everything").split(",");
/** How often the phases take turns. */
const rounds = 2;
const phaseMs = runMs / rounds;
/** Time until the greedy clients are connected and have sent requests. */
const leadMs = 1500;
const objects = 500;
const figures = new Figures();

const directory = mkdtempSync(join(tmpdir(), "fairness-"));
const collector = await startTraceCollector();
const tracing = join(directory, "tracing.yaml");
writeFileSync(
  tracing,
  JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: collector.endpoint,
  }),
);
const server = await startServer({
  args: ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${tracing}`],
});
const api = new ApiClient(server);
const bare = fork(fileURLToPath(new URL("./load/bare-worker.mjs", import.meta.url)));
const bareList = fork(fileURLToPath(new URL("./load/bare-worker.mjs", import.meta.url)));
try {
  const data = { text: "x".repeat(2000) };
  for (let i = 0; i < objects; i++) {
    await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: `object-${i}` }, data });
  }
  const { ca, cert, key } = api.tls;
  const target = { host: "127.0.0.1", port: server.port, ca, cert, key };
  const polite = (durationMs = phaseMs, periodMs = 1000): Promise<PacedResult> =>
    load({
      target,
      clients: 50,
      user: "polite-{n}",
      group: "people",
      path: "/api/v1/namespaces/default/configmaps/object-1",
      durationMs,
      periodMs,
      traced: true,
    });
  const crowd = (clients: number, user: string, durationMs: number, at = target): Promise<PacedResult> =>
    load({
      target: at,
      clients,
      user,
      group: "crowd",
      path: "/api/v1/configmaps",
      durationMs,
      periodMs: 0,
    });

  const { text: everything } = await api.get("/api/v1/configmaps");
  const pair = (end: string): string =>
    readFileSync(join(server.dataDirectory, `pki/apiserver.${end}`), "utf8");
  const barePort = await portOf(bare, { answerBytes: 2 });
  const bareListPort = await portOf(bareList, {
    tls: { cert: pair("crt"), key: pair("key") },
    answerBytes: Buffer.byteLength(everything),
  });

  if (parts.includes("polite")) {
    // A server that has just started still compiles its code.
    await polite(3000, 100);
    const idle: PacedResult[] = [];
    const besideBare: PacedResult[] = [];
    const beside: PacedResult[] = [];
    const atBare: PacedResult[] = [];
    const greedy: PacedResult[] = [];
    const phaseBeside = async (
      politeResults: PacedResult[],
      greedyResults: PacedResult[],
      at: typeof target,
    ): Promise<void> => {
      const others = crowd(200, "greedy", leadMs + phaseMs + 1000, at);
      await pause(leadMs);
      politeResults.push(await polite());
      greedyResults.push(await others);
    };
    for (let round = 0; round < rounds; round++) {
      idle.push(await polite());
      await phaseBeside(besideBare, atBare, { ...target, port: bareListPort });
      await phaseBeside(beside, greedy, target);
    }
    bareList.disconnect();
    // The SDK exports its spans every five seconds.
    await pause(5500);
    recordPolite("on an idle server and machine", "idle", idle);
    recordPolite("on an idle server, a greedy user with 200 connections at a bare one", "bare", besideBare);
    recordPolite("beside the greedy user", "greedy", beside);
    figures.record(
      "of 1: polite p99 beside the greedy user to that of the idle server",
      figures.get("polite_greedy_p99_ms") / figures.get("polite_idle_p99_ms"),
      "polite_ratio",
    );
    figures.record(
      "of 1: to that of the idle server on the busy machine",
      figures.get("polite_greedy_p99_ms") / figures.get("polite_bare_p99_ms"),
      "polite_ratio_busy",
    );
    figures.record("of 1: polite requests refused", refusedPart(beside), "polite_refused");
    const greedySeconds = (rounds * (leadMs + phaseMs + 1000)) / 1000;
    figures.record(
      "lists per second of the greedy user",
      answersOf(greedy) / greedySeconds,
      "greedy_per_second",
    );
    figures.record("of the bare server", answersOf(atBare) / greedySeconds, "bare_per_second");
    figures.record("of 1: its requests refused", refusedPart(greedy), "greedy_refused");
  }

  if (parts.includes("everything")) await listEverything(crowd(500, "greedy-{n}", runMs + 5000), barePort);
} finally {
  bare.disconnect();
  if (bareList.connected) bareList.disconnect();
  await api.close();
  await server.dispose();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

/** Health checks, leases and administrators while the crowd lists everything. */
async function listEverything(mob: Promise<PacedResult>, barePort: number): Promise<void> {
  await pause(3000);
  const cpuBefore = cpuSeconds(server.pid);
  const waitedBefore = waitedSeconds(server.pid);
  const beganAt = performance.now();
  for (const [name, ask] of important(barePort)) {
    const latencies: number[] = [];
    const end = performance.now() + runMs / 4;
    while (performance.now() < end) {
      const began = performance.now();
      await ask(latencies.length);
      latencies.push(performance.now() - began);
      await pause(50);
    }
    figures.record(
      `ms, ${name} while 500 clients list everything, p50`,
      quantile(latencies, 0.5),
      `${name}_p50_ms`,
    );
    figures.record("ms, p99", quantile(latencies, 0.99), `${name}_p99_ms`);
  }
  const seconds = (performance.now() - beganAt) / 1000;
  const cpu = (cpuSeconds(server.pid) - cpuBefore) / seconds;
  figures.record("of 1: the part of a core that the server had meanwhile", cpu, "server_core");
  const waited = (waitedSeconds(server.pid) - waitedBefore) / seconds;
  figures.record("of 1: the time in which it waited for a core", waited, "server_waited");
  await mob;
}

async function portOf(worker: ChildProcess, job: BareJob): Promise<number> {
  worker.send(job);
  const [port] = await once(worker, "message");
  return port;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function answersOf(results: readonly PacedResult[]): number {
  return results.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0);
}

function refusedPart(results: readonly PacedResult[]): number {
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  return refused / (answersOf(results) + refused);
}

/** Records how long the clients waited, and which part of it the server's own spans explain. */
function recordPolite(where: string, name: string, results: readonly PacedResult[]): void {
  const latencies = results.flatMap(({ latenciesMs }) => latenciesMs);
  figures.record(`ms, polite clients ${where}, p50`, quantile(latencies, 0.5), `polite_${name}_p50_ms`);
  figures.record("ms, p99", quantile(latencies, 0.99), `polite_${name}_p99_ms`);
  const roots = new Map<string, CollectedSpan>();
  const waits = new Map<string, CollectedSpan>();
  for (const span of collector.spans) {
    if (span.name.startsWith("HTTP ")) roots.set(span.traceId, span);
    else if (span.name === "filter flow control") waits.set(span.traceId, span);
  }
  const parts = { until: [] as number[], server: [] as number[], seat: [] as number[], back: [] as number[] };
  for (const { traceId, sentAt, answeredAt } of results.flatMap((result) => result.traces)) {
    const root = roots.get(traceId);
    const wait = waits.get(traceId);
    if (root === undefined) continue;
    parts.until.push(root.startMs - sentAt);
    parts.server.push(root.endMs - root.startMs);
    // A request that did not wait has no such span.
    parts.seat.push(wait === undefined ? 0 : wait.endMs - wait.startMs);
    parts.back.push(answeredAt - root.endMs);
  }
  const shown = {
    until: "until the server has read the request",
    server: "in the server",
    seat: "of it, waiting for a seat",
    back: "until the client has read the answer",
  } as const;
  for (const part of ["until", "server", "seat", "back"] as const) {
    figures.record(`ms, ${shown[part]}, p50`, quantile(parts[part], 0.5), `polite_${name}_${part}_p50_ms`);
    figures.record("ms, p99", quantile(parts[part], 0.99), `polite_${name}_${part}_p99_ms`);
  }
}

function important(
  barePort: number,
): readonly (readonly [name: string, ask: (turn: number) => Promise<unknown>])[] {
  const headers = { "impersonate-user": "system:node:a", "impersonate-group": "system:nodes" };
  return [
    ["readyz", () => api.get("/readyz")],
    [
      "lease",
      (turn) =>
        api.ask("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", {
          headers,
          body: { metadata: { name: `node-${turn}` }, spec: { holderIdentity: "a" } },
        }),
    ],
    ["administrator", () => api.get("/api/v1/namespaces/default")],
    [
      "bare",
      () =>
        new Promise((resolve, reject) => {
          get({ port: barePort }, (answer) => answer.resume().once("end", resolve)).once("error", reject);
        }),
    ],
  ];
}

function load(job: PacedJob): Promise<PacedResult> {
  const worker = fork(fileURLToPath(new URL("./load/paced-worker.mjs", import.meta.url)));
  return new Promise((resolve, reject) => {
    worker.once("message", (result: PacedResult) => resolve(result));
    worker.once("exit", (code) => {
      if (code !== 0) reject(new Error(`the load worker ended with ${code}`));
    });
    worker.send(job);
  });
}

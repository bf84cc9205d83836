/**
 * Priority and fairness under load: 50 polite clients at a request a second, first alone, then beside one greedy user with 200
 * connections; health checks, leases and administrators while 500 clients list everything. Goals on two cores, the load on them too: polite
 * p99 within twice that of the idle server; health checks, leases and administrators within 100 ms. The load takes a core and more: a
 * server that does nothing is asked beside this one, and shows how much of each time is waiting for a core.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { ApiClient } from "../test/support/api-client.js";
import { startServer } from "../test/support/server-process.js";
import type { PacedJob, PacedResult } from "./load/paced-worker.js";
import { Figures } from "./support/figures.js";
import { cpuSeconds, waitedSeconds } from "./support/process-time.js";
import { quantile } from "./support/quantile.js";

const runMs = Number(process.env.BENCH_SECONDS ?? 15) * 1000;
const objects = 500;
const figures = new Figures();

const bare = fork(fileURLToPath(new URL("./load/bare-worker.mjs", import.meta.url)));
const barePort = once(bare, "message");
const server = await startServer();
const api = new ApiClient(server);
try {
  const data = { text: "x".repeat(2000) };
  for (let i = 0; i < objects; i++) {
    await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: `object-${i}` }, data });
  }
  const { ca, cert, key } = api.tls;
  const target = { host: "127.0.0.1", port: server.port, ca, cert, key };
  const polite = (): Promise<PacedResult> =>
    load({
      target,
      clients: 50,
      user: "polite-{n}",
      group: "people",
      path: "/api/v1/namespaces/default/configmaps/object-1",
      durationMs: runMs,
      periodMs: 1000,
    });
  const crowd = (clients: number, user: string): Promise<PacedResult> =>
    load({
      target,
      clients,
      user,
      group: "crowd",
      path: "/api/v1/configmaps",
      durationMs: runMs + 5000,
      periodMs: 0,
    });

  const idle = await polite();
  figures.record("ms, polite clients on an idle server, p50", idle.p50Ms, "polite_idle_p50_ms");
  figures.record("ms, p99", idle.p99Ms, "polite_idle_p99_ms");

  const greedy = crowd(200, "greedy");
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const beside = await polite();
  const { answers, refused } = await greedy;
  figures.record(
    "ms, polite clients beside a greedy user with 200 connections, p50",
    beside.p50Ms,
    "polite_greedy_p50_ms",
  );
  figures.record("ms, p99", beside.p99Ms, "polite_greedy_p99_ms");
  figures.record(
    "of 1: polite requests refused",
    beside.refused / (beside.answers + beside.refused),
    "polite_refused",
  );
  figures.record(
    "lists per second of the greedy user",
    (answers * 1000) / (runMs + 5000),
    "greedy_per_second",
  );
  figures.record("of 1: its requests refused", refused / (answers + refused), "greedy_refused");

  const mob = crowd(500, "greedy-{n}");
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const cpuBefore = cpuSeconds(server.pid);
  const waitedBefore = waitedSeconds(server.pid);
  const beganAt = performance.now();
  for (const [name, ask] of important(await bareServer())) {
    const latencies: number[] = [];
    const end = performance.now() + runMs / 4;
    while (performance.now() < end) {
      const began = performance.now();
      await ask(latencies.length);
      latencies.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 50));
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
} finally {
  bare.disconnect();
  await api.close();
  await server.dispose();
}
figures.end();

async function bareServer(): Promise<number> {
  const [port] = await barePort;
  return port;
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

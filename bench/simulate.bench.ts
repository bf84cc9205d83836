import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ServerProbe } from "../test/hostile/server-probe.js";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Figures } from "./support/figures.js";
import { privateBytes } from "./support/process-memory.js";
import { cpuSeconds, mainThreadSeconds, waitedSeconds } from "./support/process-time.js";

/**
 * Measures a simulated cluster: 50 deployments of 3 pods until all are ready, what it costs while nothing happens, and 10,000 pods on 100
 * nodes. BENCH_PARTS selects the parts, `small` and `large`; BENCH_PODS sets the number of pods.
 */

const parts = (process.env.BENCH_PARTS ?? "small,large").split(",");
const pods = Number(process.env.BENCH_PODS ?? 10_000);
/** Pods of one deployment of the large part. */
const replicas = 200;
const deadlineMs = 180_000;
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "simulate-bench-"));
  try {
    if (parts.includes("small")) await measureSmall(join(directory, "small"));
    if (parts.includes("large")) await measureLarge(join(directory, "large"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function measureSmall(dataDirectory: string): Promise<void> {
  const probe = new ServerProbe();
  const server = await startServer({
    dataDirectory,
    env: probe.env,
    args: ["--simulate=nodes=3,cpu=64,memory=256Gi"],
  });
  const api = new ApiClient(server);
  try {
    // Loads everything that is loaded on first use.
    await rollOut(api, "warm", 1, 1);
    const { pid } = server;
    const started = { all: cpuSeconds(pid), main: mainThreadSeconds(pid), waited: waitedSeconds(pid) };
    const took = await rollOut(api, "web", 50, 3);
    figures.record("50 deployments of 3 pods ready after (ms)", took);
    figures.record("CPU time of that (ms)", (cpuSeconds(server.pid) - started.all) * 1000);
    figures.record("of which the main thread (ms)", (mainThreadSeconds(server.pid) - started.main) * 1000);
    figures.record("it waited for a processor (ms)", (waitedSeconds(pid) - started.waited) * 1000);
    await setTimeout(15_000);
    const before = cpuSeconds(server.pid);
    await setTimeout(10_000);
    figures.record("CPU time of 10 idle seconds (ms)", (cpuSeconds(server.pid) - before) * 1000);
  } finally {
    await api.close();
    await server.stop();
    probe.close();
  }
}

async function measureLarge(dataDirectory: string): Promise<void> {
  const probe = new ServerProbe();
  const server = await startServer({
    dataDirectory,
    env: probe.env,
    args: ["--simulate=nodes=100,cpu=64,memory=256Gi,pods=200"],
  });
  const api = new ApiClient(server);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, privateBytes(server.pid));
  }, 100);
  try {
    await rollOut(api, "warm", 1, 1);
    await probe.loop();
    const before = cpuSeconds(server.pid);
    const main = mainThreadSeconds(server.pid);
    const waited = waitedSeconds(server.pid);
    const took = await rollOut(api, "many", pods / replicas, replicas);
    const used = cpuSeconds(server.pid) - before;
    const loop = await probe.loop();
    figures.record(`${pods} pods ready after (s)`, took / 1000);
    figures.record("CPU time of that (s)", used);
    figures.record("of which the main thread (s)", mainThreadSeconds(server.pid) - main);
    figures.record("the main thread waited for a processor (s)", waitedSeconds(server.pid) - waited);
    figures.record("longest hold of the event loop (ms)", loop.gapMs);
    figures.record("of which the main thread had the processor (ms)", loop.gapUsedMs);
    figures.record("of which garbage was collected (ms)", loop.gapGcMs);
    figures.record("most memory on the way, without mapped files (MB)", peak / 1e6);
    await settle(server);
    figures.record("memory afterwards, without mapped files (MB)", privateBytes(server.pid) / 1e6);
  } finally {
    clearInterval(watch);
    await api.close();
    await server.stop();
    probe.close();
  }
}

/** Waits until the events are written, too. */
async function settle(server: ServerProcess): Promise<void> {
  for (let before = cpuSeconds(server.pid); ; ) {
    await setTimeout(2000);
    const now = cpuSeconds(server.pid);
    if (now - before < 0.1) return;
    before = now;
  }
}

/** Milliseconds until all pods of `count` deployments are ready. */
async function rollOut(api: ApiClient, name: string, count: number, replicas: number): Promise<number> {
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const begin = performance.now();
  const labels = { app: name };
  for (let number = 0; number < count; number++) {
    const selector = { ...labels, number: `${number}` };
    await api.post(path, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: `${name}-${number}`, labels },
      spec: {
        replicas,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            containers: [
              { name: "app", image: "nginx:1.21", resources: { requests: { cpu: "100m", memory: "64Mi" } } },
            ],
          },
        },
      },
    });
  }
  const ready = new Set<string>();
  const watched = `${path}?watch=true&labelSelector=app%3D${name}`;
  for await (const { object } of api.watch(watched, AbortSignal.timeout(deadlineMs))) {
    if (object.status?.readyReplicas === replicas) ready.add(object.metadata.name);
    if (ready.size === count) return performance.now() - begin;
  }
  throw new Error(`${count} deployments of ${replicas} pods were not ready in time`);
}

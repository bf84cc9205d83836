import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ApiClient } from "../test/support/api-client.js";
import { apiServices } from "../test/support/api-services.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { ExtensionWorkerReady } from "./load/extension-worker.js";
import type { Target } from "./load/http1-client.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import type { WatchJob, WatchReport } from "./load/watch-worker.js";
import { Figures } from "./support/figures.js";
import { residentBytes } from "./support/process-memory.js";
import { cpuSeconds } from "./support/process-time.js";

/**
 * Requests to an extension API server: directly, through a bare reverse proxy in Node.js, and through this server. Each of them, and the
 * load, has a process of its own.
 */

const group = "wardle.example.com";
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const watches = Number(process.env.BENCH_WATCHES ?? 1000);
const figures = new Figures();

interface Worker extends ExtensionWorkerReady {
  readonly process: ChildProcess;
}

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const http1 = await startWorker("http1");
  const http2 = await startWorker("http2");
  const bare = await startWorker(String(http1.port), http1.caPem);
  const server = await startServer({ dataDirectory: join(directory, "data") });
  const api = new ApiClient(server);
  try {
    for (const [version, worker] of [
      ["v1", http1],
      ["v2", http2],
    ] as const) {
      await register(api, version, worker);
      await api.post(flunders(version), { metadata: { name: "one" }, spec: { text: "x".repeat(1000) } });
    }
    await measureRequests({ server, http1, bare });
    for (const version of ["v1", "v2"]) {
      for (const protocol of ["http1", "http2"] as const)
        await measureWatches(server, api, version, protocol);
    }
  } finally {
    await api.close();
    await server.stop();
    for (const worker of [bare, http1, http2]) worker.process.disconnect();
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

function flunders(version: string): string {
  return `/apis/${group}/${version}/namespaces/default/flunders`;
}

async function startWorker(kind: string, caPem = ""): Promise<Worker> {
  const worker = fork(fileURLToPath(new URL("./load/extension-worker.mjs", import.meta.url)), [kind], {
    env: { ...process.env, CA: caPem },
  });
  const [ready] = (await once(worker, "message")) as [ExtensionWorkerReady];
  return { ...ready, process: worker };
}

async function register(api: ApiClient, version: string, { port, caPem }: Worker): Promise<void> {
  // One service with both ports: the servers' certificates are for its name.
  await api.ask("PATCH", "/api/v1/namespaces/default/services/flunders?fieldManager=bench&force=true", {
    contentType: "application/apply-patch+yaml",
    body: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "flunders" },
      spec: { type: "ExternalName", externalName: "localhost" },
    },
  });
  await api.post(apiServices, {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 2000,
      versionPriority: 20,
      service: { namespace: "default", name: "flunders", port },
      caBundle: Buffer.from(caPem).toString("base64"),
    },
  });
  const deadline = Date.now() + 30_000;
  while ((await api.get(flunders(version))).status !== 200) {
    if (Date.now() > deadline) throw new Error("the extension server does not become available");
    await setTimeout(100);
  }
}

async function measureRequests(parts: {
  readonly server: ServerProcess;
  readonly http1: Worker;
  readonly bare: Worker;
}): Promise<void> {
  const { server, http1, bare } = parts;
  const to = ({ port, caPem }: Worker): Target => ({
    host: "localhost",
    port,
    ca: caPem,
    cert: undefined,
    key: undefined,
  });
  const ways: readonly (readonly [name: string, target: Target, version: string, pid: number | undefined])[] =
    [
      ["straight", to(http1), "v1", undefined],
      ["through a bare proxy", to(bare), "v1", bare.process.pid],
      ["through this server", targetOf(server), "v1", server.pid],
      ["through this server, over HTTP/2", targetOf(server), "v2", server.pid],
    ];
  for (const connections of [1, 32]) {
    for (const [name, target, version, pid] of ways) {
      const job = {
        target,
        protocol: "http1",
        connections,
        operation: "get",
        namespace: "",
        name: "",
        count: 1,
        path: `${flunders(version)}/one`,
      } as const;
      await runLoad({ ...job, durationMs: 1000 });
      const before = pid === undefined ? 0 : cpuSeconds(pid);
      const { perSecond, p50Ms, operations, failures } = await runLoad({
        ...job,
        durationMs: seconds * 1000,
      });
      if (failures > 0) throw new Error(`${failures} requests failed ${name}`);
      const label = `${name}, ${connections} connection${connections === 1 ? "" : "s"}`;
      figures.record(`gets per second, ${label}`, perSecond);
      figures.record("  p50 (ms)", p50Ms, `p50 (ms), ${label}`);
      if (pid === undefined) continue;
      const used = ((cpuSeconds(pid) - before) / operations) * 1e6;
      figures.record("  processor time of the proxy for each (µs)", used, `processor time (µs), ${label}`);
    }
  }
}

async function measureWatches(
  server: ServerProcess,
  api: ApiClient,
  version: string,
  protocol: WatchJob["protocol"],
): Promise<void> {
  const worker = fork(fileURLToPath(new URL("./load/watch-worker.mjs", import.meta.url)));
  const reply = async (): Promise<WatchReport> => {
    const [report] = (await once(worker, "message")) as [WatchReport];
    return report;
  };
  const received = async (): Promise<number> => {
    worker.send("count");
    const report = await reply();
    return report === "open" ? 0 : report.bytes;
  };
  const label = `${watches} watches (client ${protocol}, extension server ${version === "v1" ? "http1" : "http2"})`;
  try {
    const rssBefore = residentBytes(server.pid);
    const began = performance.now();
    worker.send({
      target: targetOf(server),
      protocol,
      path: `/apis/${group}/${version}/flunders?watch=1`,
      watchers: watches,
    } satisfies WatchJob);
    await reply();
    figures.record(`opening ${label} (ms)`, performance.now() - began);
    figures.record(
      "  memory of each here (KB)",
      (residentBytes(server.pid) - rssBefore) / 1024 / watches,
      `memory (KB), ${label}`,
    );
    const heads = await received();
    const cpuBefore = cpuSeconds(server.pid);
    const posted = performance.now();
    const name = `seen-by-all-${protocol}`;
    const { bytes } = await api.post(flunders(version), { metadata: { name } });
    const expected = heads + watches * bytes.length;
    while ((await received()) < expected) {
      if (performance.now() - posted > 30_000) throw new Error("the event does not reach every watch");
      await setTimeout(5);
    }
    figures.record("  an event at all of them (ms)", performance.now() - posted, `event (ms), ${label}`);
    const used = ((cpuSeconds(server.pid) - cpuBefore) / watches) * 1e6;
    figures.record("  processor time for each (µs)", used, `event, processor time (µs), ${label}`);
  } finally {
    worker.kill();
  }
}

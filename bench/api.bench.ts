import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EtcdCluster, etcdMissing } from "../test/etcd/etcd-cluster.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Http1Client, type Target } from "./load/http1-client.js";
import type { JobResult } from "./load/load-worker.js";
import { podJson } from "./load/objects.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { flushesPerSecond } from "./support/disk-flushes.js";
import { Figures } from "./support/figures.js";
import { residentBytes } from "./support/process-memory.js";
import { median } from "./support/statistics.js";

/** The API over TLS, with server and load on the same machine, compared with the machine's limits measured in the same run. */

const namespace = "default";
/** Namespace with only the objects to list: deletes that ran out of time leave objects in the other namespace. */
const listedNamespace = "kube-public";
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    figures.record("flushes to disk per second (2 KB + fdatasync)", flushesPerSecond(directory));
    const startUp = await measureStartUp(directory);
    figures.record("ready, creating certificates (ms)", startUp.first);
    figures.record("ready, certificates there (ms)", startUp.again);
    const server = await startServer({ dataDirectory: join(directory, "data") });
    try {
      await measureRequests(server);
      await measureLists(server);
    } finally {
      await server.stop();
    }
    await measureStore3(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function measureStartUp(directory: string): Promise<{ first: number; again: number }> {
  const dataDirectory = join(directory, "start");
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const began = performance.now();
    const server = await startServer({ dataDirectory });
    times.push(performance.now() - began);
    await server.stop();
  }
  const [first = 0, ...others] = times;
  return { first, again: median(others) };
}

async function measureRequests(server: ServerProcess): Promise<void> {
  const target = targetOf(server);
  figures.record("idle memory of the server (MB)", residentBytes(server.pid) / 2 ** 20);
  const bare = await bareHttpsPerSecond(target);
  await warmUp(target);
  figures.record("bare Node HTTPS answers per second, 1.5 KB, 32 connections", bare);
  for (const protocol of ["http1", "http2"] as const) {
    for (const connections of [1, 32, 200]) {
      const base = { target, protocol, connections, namespace, durationMs: seconds * 1000 };
      const name = `${protocol}-${connections}`;
      const label = (what: string): string => `${what}, ${protocol}, ${connections} connections`;
      const created = await runLoad({ ...base, operation: "create", name, count: 100_000 });
      report(label("create"), created);
      const count = Math.max(1, Math.min(created.operations, 1000));
      const got = await runLoad({ ...base, operation: "get", name, count });
      report(label("get"), got);
      figures.record(`${label("get")}: ratio to bare HTTPS`, got.perSecond / bare);
      report(label("update"), await runLoad({ ...base, operation: "update", name, count }));
      report(
        label("delete"),
        await runLoad({ ...base, operation: "delete", name, count: created.operations }),
      );
    }
  }
}

/** Creates with one etcd member on the same machine, if etcd is installed. */
async function measureStore3(directory: string): Promise<void> {
  if (etcdMissing !== undefined) return;
  const etcd = await EtcdCluster.start();
  try {
    const args = [`--etcd-servers=${etcd.endpoints.join()}`];
    const server = await startServer({ dataDirectory: join(directory, "data-store3"), args });
    try {
      const target = targetOf(server);
      await warmUp(target);
      const base = { target, protocol: "http1", namespace, operation: "create", count: 100_000 } as const;
      for (const connections of [1, 200]) {
        const job = { ...base, connections, name: `store3-${connections}`, durationMs: seconds * 1000 };
        report(`create, store3, http1, ${connections} connections`, await runLoad(job));
      }
    } finally {
      await server.stop();
    }
  } finally {
    await etcd.close();
  }
}

/** Servers run for a long time, so the first seconds, in which V8 compiles hot code, are left out. */
async function warmUp(target: Target): Promise<void> {
  const base = { target, protocol: "http1", connections: 32, namespace, name: "warm" } as const;
  const { operations } = await runLoad({ ...base, operation: "create", count: 100_000, durationMs: 4000 });
  const count = Math.max(1, operations);
  for (const operation of ["get", "update"] as const) {
    await runLoad({ ...base, operation, count, durationMs: 2000 });
  }
  await runLoad({ ...base, operation: "delete", count, durationMs: 4000 });
}

async function measureLists(server: ServerProcess): Promise<void> {
  const target = targetOf(server);
  const before = residentBytes(server.pid);
  await runLoad({
    target,
    protocol: "http1",
    connections: 64,
    namespace: listedNamespace,
    operation: "create",
    name: "listed",
    count: 10_000,
    durationMs: 60_000,
  });
  figures.record("memory for 10,000 pods (MB)", (residentBytes(server.pid) - before) / 2 ** 20);
  const client = await Http1Client.open(target);
  const times: number[] = [];
  const firstBytes: number[] = [];
  let bytes = 0;
  for (let run = 0; run < 25; run++) {
    const began = performance.now();
    const answer = await client.request("GET", `/api/v1/namespaces/${listedNamespace}/pods`);
    times.push(performance.now() - began);
    firstBytes.push(answer.firstByteAt - began);
    bytes = answer.bodyBytes;
  }
  figures.record("list of 10,000 pods (ms)", median(times));
  figures.record("first byte of that list (ms)", median(firstBytes));
  figures.record("list of 10,000 pods (MB)", bytes / 1e6);
  const others = runLoad({
    target,
    protocol: "http1",
    connections: 1,
    namespace: listedNamespace,
    operation: "get",
    name: "listed",
    count: 1000,
    durationMs: seconds * 1000,
  });
  let ended = false;
  void others.finally(() => {
    ended = true;
  });
  while (!ended) await client.request("GET", `/api/v1/namespaces/${listedNamespace}/pods`);
  client.close();
  // The server's event loop is never blocked longer; the processes share the cores.
  figures.record("get while such lists are answered, one after the other: p50 (ms)", (await others).p50Ms);
  figures.record("get while such lists are answered, one after the other: p99 (ms)", (await others).p99Ms);
}

function report(what: string, result: JobResult): void {
  figures.record(`${what}: per second`, result.perSecond);
  figures.record(`${what}: p50 (ms)`, result.p50Ms);
  figures.record(`${what}: p99 (ms)`, result.p99Ms);
  if (result.failures > 0) figures.record(`${what}: FAILED`, result.failures);
}

/** A response of the same size from a bare server in this process, to the same kind of worker. */
async function bareHttpsPerSecond(target: Target): Promise<number> {
  const body = Buffer.from(podJson("bare", namespace, 0).padEnd(1500));
  const server = createServer({ cert: target.cert, key: target.key }, (_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  try {
    const result = await runLoad({
      target: { ...target, port: address.port, insecure: true },
      protocol: "http1",
      connections: 32,
      operation: "get",
      namespace,
      name: "bare",
      count: 1,
      durationMs: seconds * 1000,
    });
    return result.perSecond;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

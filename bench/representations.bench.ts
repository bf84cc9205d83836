/**
 * How long the server takes to represent objects in several formats, over TLS to another process: a list of 10,000 pods, and the API's
 * documents on the first request and later.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentialsOf, type ServerProcess, startServer } from "../test/support/server-process.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { median } from "./support/statistics.js";

const pods = "/api/v1/namespaces/default/pods";
const protobuf = "application/vnd.kubernetes.protobuf";
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const oldOpenApi = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const runs = 15;
const figures = new Figures();

interface Asked {
  readonly path: string;
  readonly accept?: string;
  readonly gzip?: boolean;
}

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "representations-bench-"));
  try {
    const server = await startServer({ dataDirectory: directory });
    try {
      await measure(server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function measure(server: ServerProcess): Promise<void> {
  const agent = new Agent({ ...credentialsOf(server), keepAlive: true, maxSockets: 1 });
  try {
    await ask(server, agent, { path: "/livez" });
    const documents: readonly (readonly [string, Asked])[] = [
      ["discovery: the groups, aggregated", { path: "/apis", accept: aggregatedDiscovery }],
      ["discovery: the resources of core/v1", { path: "/api/v1" }],
      ["OpenAPI v2, JSON", { path: "/openapi/v2" }],
      ["OpenAPI v2, protobuf", { path: "/openapi/v2", accept: oldOpenApi }],
      ["OpenAPI v3, index", { path: "/openapi/v3" }],
      ["OpenAPI v3, apps/v1", { path: "/openapi/v3/apis/apps/v1" }],
    ];
    for (const [name, asked] of documents) {
      const first = await ask(server, agent, asked);
      figures.record(`${name}: first (ms)`, first.ms);
      figures.record(`${name}: afterwards (ms)`, await usualMs(() => ask(server, agent, asked)));
    }
    await createPods(server);
    const lists: readonly (readonly [string, Asked])[] = [
      ["JSON", { path: pods }],
      ["JSON, gzip", { path: pods, gzip: true }],
      ["protobuf", { path: pods, accept: protobuf }],
      ["Table", { path: pods, accept: table }],
      ["metadata alone", { path: pods, accept: metadata }],
    ];
    for (const [name, asked] of lists) {
      const { bytes } = await ask(server, agent, asked);
      figures.record(`10,000 pods, ${name} (ms)`, await usualMs(() => ask(server, agent, asked)));
      figures.record(`10,000 pods, ${name} (MB)`, bytes / 1e6);
    }
  } finally {
    agent.destroy();
  }
}

const aggregatedDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

async function createPods(server: ServerProcess): Promise<void> {
  const { failures } = await runLoad({
    target: targetOf(server),
    protocol: "http1",
    connections: 64,
    operation: "create",
    namespace: "default",
    name: "listed",
    count: 10_000,
    durationMs: 60_000,
  });
  if (failures > 0) throw new Error(`${failures} pods could not be created`);
}

function ask(
  server: ServerProcess,
  agent: Agent,
  { path, accept = "application/json", gzip = false }: Asked,
): Promise<{ ms: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { Accept: accept, "Accept-Encoding": gzip ? "gzip" : "identity" };
    request({ agent, host: "127.0.0.1", port: server.port, path, headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve({ ms: performance.now() - began, bytes });
        else reject(new Error(`${path} was answered ${answer.statusCode}`));
      });
    })
      .on("error", reject)
      .end();
  });
}

async function usualMs(measured: () => Promise<{ ms: number }>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push((await measured()).ms);
  return median(times);
}

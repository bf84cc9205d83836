import { setTimeout as delay } from "node:timers/promises";
import { Http1Client } from "../../bench/load/http1-client.js";
import { ApiClient } from "../support/api-client.js";
import { credentialsOf, type ServerProcess, startServer } from "../support/server-process.js";
import { type LoopReading, ServerProbe } from "./server-probe.js";

export interface WriteLoad {
  readonly durationMs: number;
  readonly writesPerSecond: number;
  readonly objects: number;
  /** How long the server is left alone before its memory is read again. */
  readonly quietMs: number;
  readonly progress?: (line: string) => void;
}

export interface WriteLoadReport {
  readonly writes: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly objectBytes: number;
  readonly before: LoopReading;
  /** Right after the last write. */
  readonly loaded: LoopReading;
  /** When the namespace is deleted and the server was left alone. */
  readonly after: LoopReading;
}

const namespace = "/api/v1/namespaces/load";
const connections = 32;
const valueBytes = 1400;
/** Of the server, so that nothing is left of old versions but what it keeps in memory. */
const history = "--store-compaction-interval=20s";

/** Small config maps that are written again and again: what a server keeps of them, and gives back. */
export async function runWriteLoad(load: WriteLoad): Promise<WriteLoadReport> {
  const probe = new ServerProbe();
  let server: ServerProcess | undefined;
  try {
    server = await startServer({ profile: "orch", env: probe.env, args: [history] });
    return await writeAndRest(server, probe, load);
  } finally {
    probe.close();
    await server?.dispose();
  }
}

async function writeAndRest(
  server: ServerProcess,
  probe: ServerProbe,
  { durationMs, writesPerSecond, objects, quietMs, progress }: WriteLoad,
): Promise<WriteLoadReport> {
  const api = new ApiClient(server);
  const { ca, cert, key } = credentialsOf(server);
  const target = { host: "127.0.0.1", port: server.port, ca, cert, key };
  await api.post("/api/v1/namespaces", { metadata: { name: "load" } });
  for (let i = 0; i < objects; i++) await api.post(`${namespace}/configmaps`, configMap(i, 0));
  const { bytes } = await api.get(`${namespace}/configmaps/object-0`);
  await api.delete(`${namespace}/configmaps/object-0`);
  await api.post(`${namespace}/configmaps`, configMap(0, 0));
  const before = await probe.loop("collect garbage");
  const clients = await Promise.all(Array.from({ length: connections }, () => Http1Client.open(target)));
  const start = performance.now();
  let writes = 0;
  let failures = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - start < durationMs) {
        const number = writes++;
        const due = start + (number * 1000) / writesPerSecond - performance.now();
        if (due > 1) await delay(due);
        const name = number % objects;
        const body = JSON.stringify(configMap(name, number));
        const { status } = await client.request("PUT", `${namespace}/configmaps/object-${name}`, body);
        if (status !== 200) failures++;
        if (writes % 100_000 === 0) progress?.(`${writes} writes`);
      }
    }),
  );
  const perSecond = (writes / (performance.now() - start)) * 1000;
  const loaded = await probe.loop("collect garbage");
  for (const client of clients) client.close();
  await api.delete(namespace);
  await api.close();
  progress?.(`quiet for ${quietMs / 1000} s`);
  await probe.loop("stop recording");
  await delay(quietMs);
  const after = await probe.loop();
  return { writes, failures, perSecond, objectBytes: bytes.length, before, loaded, after };
}

function configMap(name: number, version: number) {
  return {
    metadata: { name: `object-${name}`, labels: { version: String(version % 7) } },
    data: { value: `${version} `.repeat(valueBytes).slice(0, valueBytes) },
  };
}

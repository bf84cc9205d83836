import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { ApiClient } from "../test/support/api-client.js";
import { type InProcessServer, startInProcess } from "../test/support/in-process-server.js";
import { operatorDefinition } from "../test/support/operator-definitions.js";
import { startServer } from "../test/support/server-process.js";
import { Figures } from "./support/figures.js";

/**
 * Custom resources beside a built-in kind: definitions with schemas of real operators are created one by one, used and deleted; objects with a
 * schema of 200 fields, and config maps of the same size.
 */

const count = Number(process.env.BENCH_DEFINITIONS ?? 1000);
const step = Math.max(1, Math.floor(count / 4));
const objects = Number(process.env.BENCH_OBJECTS ?? 1000);
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const ground = await startInProcess();
  try {
    await measureObjects(ground);
    await measureDefinitions(ground);
  } finally {
    await ground.dispose();
  }
  await measureStart();
  figures.end();
}

async function measureDefinitions({ api }: InProcessServer): Promise<void> {
  const bodies = Array.from({ length: count }, (_, number) => JSON.stringify(operatorDefinition(number)));
  figures.record(
    "size of a definition (KB)",
    bodies.reduce((sum, { length }) => sum + length, 0) / count / 1024,
  );
  const before = await usedBytes();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const began = performance.now();
  for (let from = 0; from < count; from += step) {
    const batch = performance.now();
    for (const raw of bodies.slice(from, from + step)) {
      const answer = await api.ask("POST", definitions, { raw, contentType: "application/json" });
      if (answer.status !== 201) throw new Error(answer.text);
    }
    figures.record(
      `creating ${from + 1} to ${Math.min(from + step, count)} (ms each)`,
      (performance.now() - batch) / step,
    );
  }
  figures.record("creating all of them (s)", (performance.now() - began) / 1000);
  delays.disable();
  figures.record("turn of the event loop while creating, 99th percentile (ms)", delays.percentile(99) / 1e6);
  figures.record("longest turn of the event loop while creating (ms)", delays.max / 1e6);
  await setTimeout(1000);
  figures.record("memory of an idle definition (KB)", ((await usedBytes()) - before) / count / 1024);

  await served(api);
  await timed("list of groups (ms)", () => api.get("/apis"));
  const aggregated = {
    headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList" },
  };
  await timed("aggregated discovery (ms)", () => api.ask("GET", "/apis", aggregated));
  await timed("the first OpenAPI 3 document of one group version (ms)", () =>
    api.get("/openapi/v3/apis/g7.example.com/v1"),
  );
}

/** From the answer of a create to the first answer of what it defines. */
async function served(api: InProcessServer["api"]): Promise<void> {
  const waits: number[] = [];
  for (let number = count; number < count + 20; number++) {
    const definition = operatorDefinition(number);
    const { group, names } = definition.spec;
    const path = `/apis/${group}/v1/${names.plural}`;
    await api.post(definitions, definition);
    const began = performance.now();
    while ((await api.get(path)).status !== 200);
    waits.push(performance.now() - began);
    await api.delete(`${definitions}/${definition.metadata.name}`);
  }
  figures.record("from a create to the first list of the resource, median (ms)", median(waits));
  figures.record("from a create to the first list of the resource, longest (ms)", Math.max(...waits));
}

async function measureObjects({ api }: InProcessServer): Promise<void> {
  const fields = Array.from({ length: 200 }, (_, at) => `field${at}`);
  const properties = Object.fromEntries(fields.map((name) => [name, { type: "string", maxLength: 64 }]));
  const values = Object.fromEntries(fields.map((name, at) => [name, `value-${at}`]));
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  await api.post(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "wides.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "wides", singular: "wide", kind: "Wide" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const wides = "/apis/example.com/v1/namespaces/default/wides";
  const maps = "/api/v1/namespaces/default/configmaps";
  while ((await api.get(wides)).status !== 200);
  const wide = (name: string) => ({
    apiVersion: "example.com/v1",
    kind: "Wide",
    metadata: { name },
    spec: values,
  });
  const map = (name: string) => ({ metadata: { name }, data: values });
  for (const round of ["w", "x"]) {
    const isMeasured = round === "x";
    const custom = await each((at) => api.post(wides, wide(`${round}${at}`)));
    const builtin = await each((at) => api.post(maps, map(`${round}${at}`)));
    if (!isMeasured) continue;
    figures.record("create with a schema of 200 fields (ms)", custom);
    figures.record("create of a config map of 200 fields (ms)", builtin);
    figures.record("times a config map's create", custom / builtin);
  }
  figures.record("list of the custom objects (ms)", await best(() => api.ask("GET", wides)));
  figures.record("list of the config maps (ms)", await best(() => api.ask("GET", maps)));
}

async function measureStart(): Promise<void> {
  const server = await startServer();
  const empty = await restart(server);

  const again = await startServer({ dataDirectory: server.dataDirectory, port: server.port });
  const api = new ApiClient(again);
  for (let number = 0; number < count; number++) await api.post(definitions, operatorDefinition(number));
  await api.close();
  const full = await restart(again);
  figures.record("start with no definitions (ms)", empty);
  figures.record("start with all of them (ms)", full);
  await server.dispose();
}

async function restart(server: Awaited<ReturnType<typeof startServer>>): Promise<number> {
  await server.stop();
  const began = performance.now();
  const next = await startServer({ dataDirectory: server.dataDirectory, port: server.port });
  const elapsed = performance.now() - began;
  await next.stop();
  return elapsed;
}

async function each(work: (at: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let at = 0; at < objects; at++) await work(at);
  return (performance.now() - began) / objects;
}

async function best(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  figures.record(name, performance.now() - began);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function usedBytes(): Promise<number> {
  for (let run = 0; run < 4; run++) {
    global.gc?.();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

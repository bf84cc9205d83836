import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type LoopReading, ServerProbe } from "../test/hostile/server-probe.js";
import { ApiClient } from "../test/support/api-client.js";
import { operatorDefinition } from "../test/support/operator-definitions.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Figures } from "./support/figures.js";
import { cpuSeconds, mainThreadSeconds } from "./support/process-time.js";
import { median } from "./support/statistics.js";
import { timed } from "./support/timed.js";

/**
 * Compares custom resources with a built-in kind: definitions with schemas of real operators are created one by one, used and deleted;
 * objects with a schema of 200 fields are compared with config maps of the same size; and many definitions are created, to show any cost
 * that grows with their number. BENCH_PARTS selects the parts, `objects`, `definitions`, `documents`, `turns` and `many`; BENCH_OBJECTS,
 * BENCH_LISTED, BENCH_DEFINITIONS, BENCH_ROUNDS and BENCH_MANY set their numbers. BENCH_PROFILE=1 shows which functions held the event
 * loop.
 */

const count = Number(process.env.BENCH_DEFINITIONS ?? 1000);
const step = Math.max(1, Math.floor(count / 4));
const objects = Number(process.env.BENCH_OBJECTS ?? 1000);
const listed = Number(process.env.BENCH_LISTED ?? 10_000);
const many = Number(process.env.BENCH_MANY ?? 5000);
/** On a busy machine fewer are created. */
const manySecondsMax = 90;
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const profiles = process.env.BENCH_PROFILE === "1";
const parts = (process.env.BENCH_PARTS ?? "objects,definitions,documents,turns,many").split(",");
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList" };
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "custom-bench-"));
  try {
    if (parts.includes("objects")) await measureObjects(join(directory, "objects"));
    if (parts.includes("definitions")) await measureDefinitions(directory);
    if (parts.includes("documents")) await measureFreshDocuments(join(directory, "documents"));
    if (parts.includes("turns")) {
      for (let round = 1; round <= rounds; round++)
        await measureTurns(round, join(directory, `turns${round}`));
    }
    if (parts.includes("many")) await measureMany(join(directory, "many"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function measureDefinitions(directory: string): Promise<void> {
  const probe = new ServerProbe();
  const dataDirectory = join(directory, "definitions");
  await (await startServer({ dataDirectory })).stop();
  figures.record("start with no definitions (ms)", await startTime(dataDirectory));
  const server = await startServer({ dataDirectory, env: probe.env });
  const api = new ApiClient(server);
  try {
    // Loads everything that is loaded on first use.
    await api.post(definitions, operatorDefinition(count + 100));
    await readDocuments(api);
    const idleBytes = await createDefinitions(api, server, probe);
    await measureUse(api, probe, idleBytes);
    await measureDocuments(api, server, "after their use");
    await measureServed(api);
  } finally {
    await api.close();
    await server.stop();
    probe.close();
  }
  figures.record("start with all of them (ms)", await startTime(dataDirectory));
}

/** Returns the bytes that a definition takes. */
async function createDefinitions(api: ApiClient, server: ServerProcess, probe: ServerProbe): Promise<number> {
  const bodies = Array.from({ length: count }, (_, number) => JSON.stringify(operatorDefinition(number)));
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  figures.record("size of a definition (KB)", bytes / count / 1024);
  const usedBytes = await usedMemory(probe);
  const began = performance.now();
  const busyBefore = cpuSeconds(server.pid);
  for (let from = 0; from < count; from += step) {
    const batch = performance.now();
    for (const raw of bodies.slice(from, from + step)) await createRaw(api, raw);
    const elapsed = performance.now() - batch;
    figures.record(`creating ${from + 1} to ${Math.min(from + step, count)} (ms each)`, elapsed / step);
  }
  figures.record("creating all of them (s)", (performance.now() - began) / 1000);
  await setTimeout(1000);
  const busy = cpuSeconds(server.pid) - busyBefore;
  figures.record("the server's processor time for each (ms)", (busy / count) * 1000);
  const idleBytes = ((await usedMemory(probe)) - usedBytes) / count;
  figures.record("memory of an idle definition (KB)", idleBytes / 1024);
  return idleBytes;
}

/** Memory that a definition takes once objects of its kind have been validated and listed. */
async function measureUse(api: ApiClient, probe: ServerProbe, idleBytes: number): Promise<void> {
  const used = count;
  const usedBytes = await usedMemory(probe);
  for (let number = 0; number < used; number++) {
    const { spec } = operatorDefinition(number);
    const scope = spec.scope === "Cluster" ? "" : "/namespaces/default";
    const path = `/apis/${spec.group}/v1${scope}/${spec.names.plural}`;
    const object = {
      apiVersion: `${spec.group}/v1`,
      kind: spec.names.kind,
      metadata: { name: "one" },
      spec: {},
    };
    await api.post(`${path}?dryRun=All`, object);
    await api.get(path);
  }
  // Parsed schemas are kept for ten seconds after they were parsed; then the definition is idle.
  await setTimeout(11_000);
  const usedKb = (idleBytes + ((await usedMemory(probe)) - usedBytes) / used) / 1024;
  figures.record("memory of a definition that was used (KB)", usedKb);
}

/** The first and the last of many: they cost the same when nothing grows with the number of definitions. */
async function measureMany(dataDirectory: string): Promise<void> {
  const probe = new ServerProbe();
  const server = await startServer({ dataDirectory, env: probe.env });
  const api = new ApiClient(server);
  const batch = Math.max(1, Math.floor(many / 10));
  const costs: { readonly each: number; readonly busy: number }[] = [];
  const until = performance.now() + manySecondsMax * 1000;
  try {
    // The first ones compile their code.
    for (let number = -200; number < 0; number++) await create(api, many - number);
    for (let from = 0; from < many && performance.now() < until; from += batch) {
      await probe.loop();
      const began = performance.now();
      const busy = cpuSeconds(server.pid);
      for (let number = from; number < from + batch; number++) await create(api, number);
      const each = (performance.now() - began) / batch;
      costs.push({ each, busy: ((cpuSeconds(server.pid) - busy) / batch) * 1000 });
    }
    recordTurns("creating the last of many", await probe.loop());
    const began = performance.now();
    await readAll(api, "/openapi/v2");
    figures.record("the Swagger document of many (ms)", performance.now() - began);
    recordTurns("the Swagger document of many", await probe.loop());
  } finally {
    await api.close();
    await server.stop();
    probe.close();
  }
  const last = costs.length * batch;
  for (const at of [0, costs.length - 1]) {
    const cost = costs[at];
    if (cost === undefined) continue;
    const range = `${at * batch + 1} to ${(at + 1) * batch} of ${last}`;
    figures.record(`creating ${range} (ms each)`, cost.each);
    figures.record(`the server's processor time for ${range} (ms each)`, cost.busy);
  }
}

async function create(api: ApiClient, number: number): Promise<void> {
  await createRaw(api, JSON.stringify(operatorDefinition(number)));
}

async function createRaw(api: ApiClient, raw: string): Promise<void> {
  const answer = await api.ask("POST", definitions, { raw, contentType: "application/json" });
  if (answer.status !== 201) throw new Error(answer.text);
}

/** The first documents of new servers about stored definitions: nothing is warm but the connection. */
async function measureFreshDocuments(dataDirectory: string): Promise<void> {
  const server = await startServer({ dataDirectory });
  const api = new ApiClient(server);
  for (let number = 0; number < count; number++) await create(api, number);
  await api.close();
  await server.stop();
  for (let round = 1; round <= rounds; round++) {
    const fresh = await startServer({ dataDirectory });
    const client = new ApiClient(fresh);
    try {
      await setTimeout(1000);
      await client.get("/readyz");
      await measureDocuments(client, fresh, `${round}`);
    } finally {
      await client.close();
      await fresh.stop();
    }
  }
}

/** Every document about the resources, requested for the first time after they have changed. Answers are read, not parsed. */
async function measureDocuments(api: ApiClient, server: ServerProcess, when: string): Promise<void> {
  const busyMs = (): number => mainThreadSeconds(server.pid) * 1000;
  const sum = { clock: 0, busy: 0 };
  const ask = async (what: string, path: string, headers = {}): Promise<void> => {
    // Until the client considers the connection free, it would open another.
    await setTimeout(10);
    const began = performance.now();
    const busyBefore = busyMs();
    await readAll(api, path, headers);
    const clock = performance.now() - began;
    const busy = busyMs() - busyBefore;
    figures.record(`${when}: ${what} (ms)`, clock);
    console.log(`${"".padStart(14)}processor time of the main thread ${busy.toFixed(1)}`);
    sum.clock += clock;
    sum.busy += busy;
  };
  await ask("versions of the core group", "/api");
  await ask("list of groups", "/apis");
  await ask("aggregated discovery, core group", "/api", aggregated);
  await ask("aggregated discovery, all other groups", "/apis", aggregated);
  await ask("resources of one group version", "/apis/g7.example.com/v1");
  await ask("OpenAPI 3 document of one group version", "/openapi/v3/apis/g7.example.com/v1");
  figures.record(`${when}: all of these (ms)`, sum.clock);
  figures.record(`${when}: processor time of the main thread for them (ms)`, sum.busy);
  await ask("OpenAPI 3 document of another", "/openapi/v3/apis/g8.example.com/v1");
  const { body } = await api.get("/apis");
  const groups: readonly { versions: readonly { groupVersion: string }[] }[] = body.groups;
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  for (const time of ["first", "second"]) {
    const took = await timed(async () => {
      for (const version of versions) await readAll(api, `/apis/${version}`);
    });
    figures.record(
      `${when}: resources of all ${versions.length} group versions, the ${time} time (ms)`,
      took,
    );
  }
  await ask("index of the OpenAPI 3 documents", "/openapi/v3");
  await ask("the same once more", "/openapi/v3");
  await ask("the Swagger document", "/openapi/v2");
}

/**
 * How long definitions hold the event loop of a new server, whose code is not optimized yet. Nothing else runs in the process meanwhile,
 * and only V8 itself collects garbage.
 */
async function measureTurns(round: number, dataDirectory: string): Promise<void> {
  const probe = new ServerProbe();
  const first = profiles ? "begin a profile" : "nothing";
  const bodies = Array.from({ length: count }, (_, number) => JSON.stringify(operatorDefinition(number)));
  try {
    const server = await startServer({ dataDirectory, env: probe.env });
    const api = new ApiClient(server);
    const turns = async (what: string, work: () => Promise<void>): Promise<void> => {
      await probe.loop(first);
      await work();
      recordTurns(`${round}: ${what}`, await probe.loop());
    };
    try {
      recordTurns(`${round}: a start with none, until it is ready`, await probe.loop());
      await setTimeout(1000);
      recordTurns(`${round}: a start with none, from then on`, await probe.loop());
      await turns("creating definitions", async () => {
        for (const raw of bodies) await createRaw(api, raw);
        await setTimeout(500);
      });
      await turns("discovery and OpenAPI 3", async () => {
        await readDocuments(api);
        await api.get("/openapi/v3/apis/g7.example.com/v1");
      });
      await turns("Swagger", () => readAll(api, "/openapi/v2"));
    } finally {
      await api.close();
      await server.stop();
    }
    const again = await startServer({ dataDirectory, env: probe.env });
    try {
      recordTurns(`${round}: a start with them, until it is ready`, await probe.loop());
      await setTimeout(1000);
      recordTurns(`${round}: a start with them, from then on`, await probe.loop());
    } finally {
      await again.stop();
    }
  } finally {
    probe.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

function recordTurns(what: string, reading: LoopReading): void {
  const { heldMs, gcMs, gc, gapMs, gapUsedMs, gapGcMs, gapGc, workMs, gcMaxMs } = reading;
  figures.record(`${what}: longest turn by the clock (ms)`, gapMs);
  const spent = `on the processor ${gapUsedMs.toFixed(1)}; collection of garbage, by the clock, ${gapGcMs.toFixed(1)} (${gapGc})`;
  console.log(`${"".padStart(14)}${spent}`);
  figures.record(`${what}: by the processor time of the main thread (ms)`, heldMs);
  console.log(`${"".padStart(14)}of it collection of garbage ${gcMs.toFixed(1)} (${gc})`);
  figures.record(`${what}: the same without the collection of garbage (ms)`, workMs);
  figures.record(`${what}: longest collection of garbage (ms)`, gcMaxMs);
  for (const hold of reading.profile ?? []) console.log(hold);
}

/** Heap and buffers in use after a garbage collection. */
async function usedMemory(probe: ServerProbe): Promise<number> {
  const { heapUsed, external } = await probe.loop("collect garbage");
  return heapUsed + external;
}

async function readDocuments(api: ApiClient): Promise<void> {
  await api.get("/apis");
  await api.ask("GET", "/apis", { headers: aggregated });
  await api.get("/openapi/v3");
  await api.get("/openapi/v3/apis/apps/v1");
}

/** Time from the response to the create of a definition until its resource is served. */
async function measureServed(api: ApiClient): Promise<void> {
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

async function measureObjects(dataDirectory: string): Promise<void> {
  const server = await startServer({ dataDirectory });
  const api = new ApiClient(server);
  try {
    await compareObjects(api, server);
  } finally {
    await api.close();
    await server.stop();
  }
}

async function compareObjects(api: ApiClient, server: ServerProcess): Promise<void> {
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
  const createAll = async (path: string, make: (name: string) => unknown, round: string) => {
    const busy = cpuSeconds(server.pid);
    const elapsed = await each((at) => api.post(path, make(`${round}${at}`)));
    return { elapsed, busy: ((cpuSeconds(server.pid) - busy) / objects) * 1000 };
  };
  await createAll(wides, wide, "warm");
  await createAll(maps, map, "warm");
  const custom = await createAll(wides, wide, "measured");
  const builtin = await createAll(maps, map, "measured");
  figures.record("create with a schema of 200 fields (ms)", custom.elapsed);
  figures.record("create of a config map of 200 fields (ms)", builtin.elapsed);
  figures.record("the server's processor time for the former (ms)", custom.busy);
  figures.record("and for the latter (ms)", builtin.busy);
  figures.record("times a config map's processor time", custom.busy / builtin.busy);
  const more = Math.max(0, listed - 2 * objects);
  for (const [path, make] of [
    [wides, wide],
    [maps, map],
  ] as const) {
    await inParallel(more, (at) => api.post(path, make(`more${at}`)));
  }
  const total = 2 * objects + more;
  for (const [path, what] of [
    [wides, "custom objects"],
    [maps, "config maps"],
  ] as const) {
    await readAll(api, path);
    const rounds = 5;
    const busy = cpuSeconds(server.pid);
    figures.record(`list of ${total} ${what} (ms)`, await best(() => readAll(api, path), rounds));
    const spent = ((cpuSeconds(server.pid) - busy) / rounds) * 1000;
    figures.record(`the server's processor time for a list of ${what} (ms)`, spent);
  }
}

/** Sixteen at a time. */
async function inParallel(total: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, run));
}

/** The response is not parsed: that would take longer than the request. */
async function readAll(api: ApiClient, path: string, headers = {}): Promise<void> {
  for await (const _piece of api.stream(path, headers));
}

/** The shortest of three starts. */
async function startTime(dataDirectory: string): Promise<number> {
  return await best(async () => {
    const server = await startServer({ dataDirectory });
    return async () => void (await server.stop());
  }, 3);
}

async function each(work: (at: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let at = 0; at < objects; at++) await work(at);
  return (performance.now() - began) / objects;
}

/** `work` may return a cleanup, which is not measured. */
async function best(work: () => Promise<(() => Promise<void>) | void>, rounds = 5): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const after = await work();
    shortest = Math.min(shortest, performance.now() - began);
    await after?.();
  }
  return shortest;
}

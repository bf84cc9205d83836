import { afterEach, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { ApiClient } from "../support/api-client.js";
import { fullObjects } from "../support/full-objects/full-objects.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";
import { isWrittenByServer, settled } from "../support/settled.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";

const maps = "/api/v1/namespaces/default/configmaps";
const started: ServerProcess[] = [];

afterEach(async () => {
  await disposeAll(started);
});

async function start(dataDirectory?: string, args: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServer(dataDirectory === undefined ? { args } : { args, dataDirectory });
  started.push(server);
  return server;
}

test("a second start finds everything, with the same versions", async () => {
  const first = await start();
  const before = new ApiClient(first);
  const created = await before.post(maps, { metadata: { name: "kept" }, data: { a: "b" } });
  await before.close();
  expect(await first.stop("SIGTERM")).toBe(0);

  const second = await start(first.dataDirectory);
  const after = new ApiClient(second);
  expect((await after.get(`${maps}/kept`)).body).toEqual(created.body);
  await after.close();
});

test("an object of any kind is after a restart what its writer was told", async () => {
  // Controllers would go on writing to them.
  const args = ["--controllers=-namespace,-garbagecollector", "--allow-privileged"];
  const context = testApiContext();
  const full = fullObjects(context.naming, await testSigningRequest({ commonName: "full" }));
  const minimal = await minimalObjects(context.naming);
  const bareJob = {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } },
  };
  const first = await start(undefined, args);
  const before = new ApiClient(first);
  const told = new Map<string, unknown>();
  for (const { definition, versions, name } of storedKinds(context)) {
    const collection = collectionOf(definition, versions[0]?.version ?? "");
    const given = [minimal[name] ?? {}, ...(full[name] ?? []), ...(name === "jobs.batch" ? [bareJob] : [])];
    for (const [index, object] of given.entries()) {
      const metadata = { name: `restart-${index}`, ...(object as { metadata?: object }).metadata };
      const created = await before.post(collection, { ...object, metadata });
      if (created.status !== 201) continue;
      const path = `${collection}/${metadata.name}`;
      const last = isWrittenByServer(definition.resource)
        ? await settled(before, definition.resource, path)
        : created;
      told.set(path, last.body);
    }
  }
  expect(told.size).toBeGreaterThan(100);
  await before.close();
  expect(await first.stop("SIGTERM")).toBe(0);

  const after = new ApiClient(await start(first.dataDirectory, args));
  for (const [path, answer] of told) expect((await after.get(path)).body, path).toEqual(answer);
  await after.close();
});

test("kill -9 at any moment loses nothing that was acknowledged", async () => {
  let server = await start();
  const acknowledged = new Set<string>();
  for (let round = 1; round <= 3; round++) {
    const api = new ApiClient(server);
    const enough = acknowledged.size + 50 * round;
    const write = async (worker: number): Promise<void> => {
      for (let i = 0; ; i++) {
        const name = `map-${round}-${worker}-${i}`;
        try {
          const answer = await api.post(maps, { metadata: { name } });
          if (answer.status === 201) acknowledged.add(name);
          // The other workers' writes are under way.
          if (acknowledged.size === enough) void server.stop("SIGKILL");
        } catch {
          return; // the server is gone
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    await api.close();
    await server.stop("SIGKILL");
    server = await start(server.dataDirectory);
  }
  const api = new ApiClient(server);
  const listed = await api.get(maps);
  const names = new Set(listed.body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
  expect(acknowledged.size).toBeGreaterThanOrEqual(300);
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
  await api.close();
});

test("a second server on the same data is refused with a clear message", async () => {
  const first = await start();
  await expect(startServer({ dataDirectory: first.dataDirectory })).rejects.toThrow(
    /another process|in use|already open/i,
  );
  const api = new ApiClient(first);
  expect((await api.get("/readyz")).text).toBe("ok");
  await api.close();
});

test("SIGTERM lets a watch end and answers what is in flight", async () => {
  const server = await start();
  const api = new ApiClient(server);
  const events: string[] = [];
  const watching = (async () => {
    for await (const event of api.watch(`${maps}?watch=1`)) events.push(event.object.metadata.name);
  })();
  await api.post(maps, { metadata: { name: "seen" } });
  while (!events.includes("seen")) await new Promise((resolve) => setTimeout(resolve, 5));
  const writes = Array.from({ length: 20 }, (_, i) => api.post(maps, { metadata: { name: `last-${i}` } }));
  const settled = Promise.allSettled(writes);
  await Promise.race(writes);
  const stopped = server.stop("SIGTERM");
  await watching;
  const answers = await settled;
  expect(await stopped).toBe(0);
  // Every answer was complete.
  for (const answer of answers) if (answer.status === "fulfilled") expect(answer.value.status).toBe(201);
  await api.close();
});

import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const maps = "/api/v1/namespaces/default/configmaps";
const started: ServerProcess[] = [];

afterEach(async () => {
  await disposeAll(started);
});

async function start(dataDirectory?: string): Promise<ServerProcess> {
  const server = await startServer(dataDirectory === undefined ? {} : { dataDirectory });
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

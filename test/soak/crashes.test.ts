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

import { afterEach, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { ApiClient } from "../support/api-client.js";
import { fullObjects } from "../support/full-objects/full-objects.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";
import { isWrittenByServer, settled } from "../support/settled.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";

const started: ServerProcess[] = [];

afterEach(async () => {
  await disposeAll(started);
});

async function start(args: readonly string[], dataDirectory?: string): Promise<ServerProcess> {
  const server = await startServer(dataDirectory === undefined ? { args } : { args, dataDirectory });
  started.push(server);
  return server;
}

test("after a restart, an object of any kind is what its writer was answered", async () => {
  // Controllers would go on writing to them.
  const args = ["--controllers=-namespace,-garbagecollector", "--allow-privileged"];
  const context = testApiContext();
  const full = fullObjects(context.naming, await testSigningRequest({ commonName: "full" }));
  const minimal = await minimalObjects(context.naming);
  const bareJob = {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } },
  };
  const first = await start(args);
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

  const after = new ApiClient(await start(args, first.dataDirectory));
  for (const [path, answer] of told) expect((await after.get(path)).body, path).toEqual(answer);
  await after.close();
});

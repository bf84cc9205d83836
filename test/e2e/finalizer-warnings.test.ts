import { afterAll, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = "/apis/example.com/v1/namespaces/default/boats";
const servers: ServerHere[] = [];

afterAll(() => disposeAll(servers));

const advice = (name: string, what: string): string =>
  `299 - "metadata.finalizers: \\"${name}\\": prefer a domain-qualified ${what} to avoid accidental conflicts with other finalizer writers"`;

test.each([
  ["1.28", false],
  ["1.29", true],
  ["1.36", true],
])("at %s, finalizers of custom resources without a domain give warnings: %s", async (level, warns) => {
  const server = await startServerHere({ args: ["--api-level", level] });
  servers.push(server);
  const api = new ApiClient(server);
  expect(await api.post(definitions, boatDefinition())).toMatchObject({ status: 201 });
  await vi.waitFor(async () => expect((await api.get(boats)).status).toBe(200), 60_000);
  const withFinalizers = (finalizers: readonly string[]) => ({
    ...boat("a"),
    metadata: { name: "a", finalizers },
  });

  const known = ["example.com/mine", "orphan", "kubernetes"];
  const created = await api.post(boats, withFinalizers([...known, "mine", "example.com"]));
  expect(created.status).toBe(201);
  expect(created.headers.warning).toEqual(
    warns
      ? [advice("example.com", "finalizer name including a path (/)"), advice("mine", "finalizer name")]
      : undefined,
  );

  const { resourceVersion } = created.body.metadata;
  const more = withFinalizers([...known, "mine", "example.com", "other"]);
  const updated = await api.put(`${boats}/a`, { ...more, metadata: { ...more.metadata, resourceVersion } });
  expect(updated.status).toBe(200);
  expect(updated.headers.warning).toBe(warns ? advice("other", "finalizer name") : undefined);
});

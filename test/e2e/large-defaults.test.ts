import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${definitions}/crates.large.example.com`;
const crates = "/apis/large.example.com/v1/namespaces/default/crates";
const mergePatch = "application/merge-patch+json";
const items = Array.from({ length: 600 }, () => ({}));
const label = "d".repeat(300_000);

let server: ServerProcess;
let api: ApiClient;

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

function schemaOf(label: object, rest: object = {}): object {
  const item = { type: "object", properties: { label }, ...rest };
  const list = { type: "array", items: item };
  const spec = { type: "object", properties: { list, note: { type: "string" } } };
  return {
    type: "object",
    properties: { spec, status: { type: "object", properties: { ready: { type: "boolean" } } } },
  };
}

function versionOf(name: string, schema: object): object {
  return {
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
}

function crate(name: string, list: readonly object[], metadata: object = {}) {
  return {
    apiVersion: "large.example.com/v1",
    kind: "Crate",
    metadata: { name, ...metadata },
    spec: { list },
  };
}

const served = async (path: string): Promise<void> => {
  await expect.poll(async () => (await api.get(path)).status).toBe(200);
};
const withLabel = schemaOf({ type: "string", default: label }, { required: ["label"] });

test("objects stored before a large default are read, changed, emptied and deleted, and no new ones are made", async () => {
  const made = await api.post(definitions, {
    metadata: { name: "crates.large.example.com" },
    spec: {
      group: "large.example.com",
      scope: "Namespaced",
      names: { kind: "Crate", plural: "crates", singular: "crate", listKind: "CrateList" },
      versions: [versionOf("v1", schemaOf({ type: "string" }))],
    },
  });
  expect(made.status).toBe(201);
  await served(crates);
  for (const name of ["held", "emptied", "collected-1", "collected-2"]) {
    const metadata = name === "held" ? { finalizers: ["example.com/hold"] } : {};
    expect((await api.post(crates, crate(name, items, metadata))).status).toBe(201);
  }
  const namespaced = "/apis/large.example.com/v1/namespaces/passing/crates";
  await api.post("/api/v1/namespaces", { metadata: { name: "passing" } });
  expect((await api.post(namespaced, crate("passing", items))).status).toBe(201);
  const owner = (await api.get(`${crates}/emptied`)).body;
  const ownerReferences = [
    { apiVersion: owner.apiVersion, kind: "Crate", name: "emptied", uid: owner.metadata.uid },
  ];
  expect((await api.post(crates, crate("owned", items, { ownerReferences }))).status).toBe(201);

  const versions = [versionOf("v1", withLabel), versionOf("v2", withLabel)];
  expect((await api.patch(definition, mergePatch, { spec: { versions } })).status).toBe(200);
  // Served with the new schema.
  await served(`${crates.replace("v1", "v2")}/held`);

  // Reads leave the defaults out.
  for (const version of ["v1", "v2"]) {
    const path = crates.replace("/v1/", `/${version}/`);
    expect((await api.get(`${path}/held`)).body.spec.list).toEqual(items);
    const list = await api.get(path);
    expect(list.text.length).toBeLessThan(200_000);
    expect(list.body.items).toHaveLength(5);
  }
  const one = `${crates}/held`;
  const patch = async (change: object, path = one) => (await api.patch(path, mergePatch, change)).status;
  expect(await patch({ metadata: { labels: { a: "b" } } })).toBe(200);
  expect(await patch({ status: { ready: true } }, `${one}/status`)).not.toBe(413);
  const held = (await api.get(one)).body;
  expect((await api.put(one, { ...held, metadata: { ...held.metadata, labels: { a: "c" } } })).status).toBe(
    200,
  );

  // New ones would be too large.
  for (const answer of [
    await api.post(crates, crate("fresh", items)),
    await api.patch(`${crates}/fresh?fieldManager=m`, "application/apply-patch+yaml", crate("fresh", items)),
  ]) {
    expect(answer.status).toBe(413);
    expect(answer.body.message).toMatch(/the defaults of the definition would add more bytes/);
  }
  expect((await api.post(crates, crate("small", []))).status).toBe(201);
  expect(await patch({ spec: { list: items } }, `${crates}/small`)).toBe(413);

  // One that shrinks gets what it lacks.
  expect(await patch({ spec: { note: "emptied", list: [] } }, `${crates}/emptied`)).toBe(200);

  // All of them can go.
  expect((await api.delete(one)).status).toBe(200);
  expect((await api.get(one)).body.metadata.deletionTimestamp).toBeDefined();
  expect(await patch({ metadata: { finalizers: null } })).toBe(200);
  expect((await api.get(one)).status).toBe(404);
  expect((await api.delete(`${crates}/emptied?propagationPolicy=Foreground`)).status).toBe(200);
  await expect.poll(async () => (await api.get(`${crates}/emptied`)).status).toBe(404);
  // It does not block the deletion of its owner, which therefore does not wait for it.
  await expect.poll(async () => (await api.get(`${crates}/owned`)).status).toBe(404);
  expect((await api.delete(crates)).status).toBe(200);
  expect((await api.get(crates)).body.items).toEqual([]);
  await api.delete("/api/v1/namespaces/passing");
  await expect.poll(async () => (await api.get("/api/v1/namespaces/passing")).status).toBe(404);
  await api.delete(definition);
});

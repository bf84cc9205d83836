import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

// What kube-apiserver accepts is accepted here, however many parts it has.

const core = "/api/v1/namespaces/default";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
let server: ServerProcess;
let api: ApiClient;

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
});
afterAll(() => server.dispose());

function record<T>(count: number, make: (index: number) => readonly [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

function definitionOf(schemas: number): object {
  const properties = record(schemas, (i) => [`a${i}`, { type: "string" }]);
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    metadata: { name: "manies.large.example.org" },
    spec: {
      group: "large.example.org",
      scope: "Namespaced",
      names: { kind: "Many", plural: "manies" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

test("a config map of 50,000 entries is stored and read back", async () => {
  const data = record(50_000, (i) => [`k${i}`, "v"]);
  const created = await api.post(`${core}/configmaps`, { metadata: { name: "entries" }, data });
  expect(created.status).toBe(201);
  const path = `${core}/configmaps/entries`;
  expect((await api.patch(path, "application/merge-patch+json", { data: { k0: "w" } })).status).toBe(200);
  expect((await api.get(path)).body.data).toEqual({ ...data, k0: "w" });
});

test("a config map whose escapes make it larger than a body may be is stored and read back", async () => {
  const data = { html: "<".repeat(1_000_000) };
  const created = await api.post(`${core}/configmaps`, { metadata: { name: "escapes" }, data });
  expect(created.status).toBe(201);
  const read = await api.get(`${core}/configmaps/escapes`);
  expect(read.text.length).toBeGreaterThan(6_000_000);
  expect(read.body.data).toEqual(data);
});

test("a pod of 60,000 quantities is accepted", async () => {
  const amounts = record(30_000, (i) => [`a.b/r${i}`, "1"]);
  const resources = { limits: amounts, requests: amounts };
  const answer = await api.post(`${core}/pods?dryRun=All`, {
    metadata: { name: "quantities" },
    spec: { containers: [{ name: "c", image: "i", resources }] },
  });
  expect(answer.status).toBe(201);
  expect(answer.body.spec.containers[0].resources).toEqual(resources);
});

test("a definition of 30,000 schemas is served", async () => {
  expect((await api.post(definitions, definitionOf(30_000))).status).toBe(201);
  const manies = "/apis/large.example.org/v1/namespaces/default/manies";
  await expect.poll(async () => (await api.get(manies)).status).toBe(200);
  const many = { apiVersion: "large.example.org/v1", kind: "Many", metadata: { name: "m" }, a29999: "x" };
  expect((await api.post(manies, many)).body).toMatchObject({ a29999: "x" });
});

test("of a body of 400,000 unknown items the rest is stored", async () => {
  const raw = `{"metadata":{"name":"unknown"},"data":{"a":"b"},"x":[${"{},".repeat(400_000)}{}]}`;
  const answer = await api.ask("POST", `${core}/configmaps`, { raw });
  expect([answer.status, answer.body.data]).toEqual([201, { a: "b" }]);
});

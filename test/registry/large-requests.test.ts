import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const maps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const keys = 16_000;
let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround();
});

afterAll(async () => {
  await ground.dispose();
});

function wide(name: string, value: string): object {
  const data = Object.fromEntries(
    Array.from({ length: keys }, (_, i) => [`key-${(i * 7919) % keys}`, value]),
  );
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

test("a large object is written in every way", async () => {
  const { api } = ground;
  const writes: Readonly<Record<string, Answer>> = {
    created: await api.post(maps, wide("wide", "a")),
    applied: await api.apply(`${maps}/other?fieldManager=m`, wide("other", "a")),
    appliedAgain: await api.apply(`${maps}/other?fieldManager=m`, wide("other", "b")),
    updated: await api.put(`${maps}/wide`, wide("wide", "c")),
    // The body is small, the object is not.
    patched: await api.mergePatch(`${maps}/wide`, { data: { "key-1": "b" } }),
    patchedByOperations: await api.ask("PATCH", `${maps}/wide`, {
      body: [{ op: "add", path: "/data/added", value: "d" }],
      contentType: "application/json-patch+json",
    }),
    deleted: await api.delete(`${maps}/other`),
  };
  for (const [what, answer] of Object.entries(writes))
    expect(answer.code, `${what}: ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(300);
  const { body } = await api.get(`${maps}/wide`);
  expect(body.data).toMatchObject({ "key-0": "c", "key-1": "b", added: "d" });
  expect(Object.keys(body.data)).toHaveLength(keys + 1);
  const owned = body.metadata.managedFields.map(
    (entry: { manager: string; fieldsV1: { "f:data": object } }) =>
      Object.keys(entry.fieldsV1["f:data"]).length,
  );
  expect(owned.reduce((sum: number, count: number) => sum + count)).toBeGreaterThan(keys);
});

test("conflicts of a large apply are counted", async () => {
  const { api } = ground;
  await api.post(maps, wide("owned", "a"));
  const { code, body } = await api.apply(`${maps}/owned?fieldManager=m`, wide("owned", "b"));
  expect(code).toBe(409);
  expect(body.message).toContain(`Apply failed with ${keys} conflicts`);
  expect(body.details.causes).toHaveLength(1000);
  const forced = await api.apply(`${maps}/owned?fieldManager=m&force=true`, wide("owned", "b"));
  expect(forced.code).toBe(200);
  expect(forced.body.data["key-5"]).toBe("b");
});

test("what is too large with its managed fields is stored without them, and cannot be applied", async () => {
  const { api } = ground;
  const name = (i: number): string => `${"key".repeat(25)}-${i}`;
  const data = Object.fromEntries(Array.from({ length: 9999 }, (_, i) => [name(i), "a"]));
  const created = await api.post(maps, { metadata: { name: "heavy" }, data });
  expect([created.code, created.body.message]).toEqual([201, undefined]);
  expect(created.body.metadata.managedFields).toBeUndefined();
  await api.post(maps, { metadata: { name: "grown" } });
  const grown = await api.mergePatch(`${maps}/grown`, { data });
  expect([grown.code, grown.body.message]).toEqual([200, undefined]);
  expect(grown.body.metadata.managedFields).toBeUndefined();
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "heavy" }, data: { a: "b" } };
  expect((await api.apply(`${maps}/heavy?fieldManager=m`, config)).code).toBe(413);
});

test("what is too much to store is refused, and not what has only many parts", async () => {
  const { api } = ground;
  const list = (count: number, item: (i: number) => object) =>
    Array.from({ length: count }, (_, i) => item(i));
  const pod = (container: object) => ({
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i", ...container }] },
  });
  const ports = pod({ ports: list(24_000, (i) => ({ containerPort: 1 + i, hostPort: 1 + i })) });
  const applied = { apiVersion: "v1", kind: "Pod", ...ports };
  const refused = await api.apply(`${pods}/a?fieldManager=m&dryRun=All`, applied);
  expect(refused.code).toBe(413);
  expect(refused.body.message).toContain("managed fields of the object would have more than 1572864 bytes");
  const many = await api.post(`${maps}?dryRun=All`, {
    metadata: { name: "a", finalizers: list(25_001, () => ({})).map((_, i) => `a/${i}`) },
  });
  expect(many.code).toBe(201);
  const bad = await api.post(`${maps}?dryRun=All`, {
    metadata: { name: "a", finalizers: list(24_000, () => ({})).map((_, i) => `a/b/${i}`) },
  });
  expect(bad.code).toBe(422);
  expect(bad.body.details.causes).toHaveLength(1000);
  expect(bad.body.message).toMatch(/and more than \d+ more errors\]$/);
});

test("objects of the size that people have are taken", async () => {
  const { api } = ground;
  const text = await api.post(`${maps}?dryRun=All`, {
    metadata: { name: "a" },
    data: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`file-${i}`, "x".repeat(1000)])),
  });
  expect(text.code).toBe(201);
  const addresses = Array.from({ length: 5000 }, (_, i) => ({
    ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    nodeName: `node-${i % 100}`,
    targetRef: {
      kind: "Pod",
      namespace: "default",
      name: `web-${i}`,
      uid: `uid-${i}`,
      resourceVersion: `${i}`,
    },
  }));
  const endpoints = await api.post("/api/v1/namespaces/default/endpoints?dryRun=All", {
    metadata: { name: "a" },
    subsets: [{ addresses, ports: [{ port: 80 }] }],
  });
  expect(endpoints.code).toBe(201);
  const containers = Array.from({ length: 500 }, (_, i) => ({
    name: `c${i}`,
    image: "image:1",
    ports: [{ containerPort: 80 }],
    env: Array.from({ length: 20 }, (_, j) => ({ name: `E${j}`, value: "v" })),
    resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m", memory: "1Gi" } },
  }));
  const pod = await api.post(`${pods}?dryRun=All`, { metadata: { name: "a" }, spec: { containers } });
  expect(pod.code).toBe(201);
});

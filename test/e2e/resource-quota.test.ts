import { afterAll, beforeAll, expect, test } from "vitest";
import { type GroundHere, openGroundHere, pod } from "../support/fixtures.js";

let ground: GroundHere;

beforeAll(async () => {
  ground = await openGroundHere();
});

afterAll(() => ground?.dispose());

async function openNamespace(name: string, hard: Readonly<Record<string, string>>): Promise<string> {
  const path = `/api/v1/namespaces/${name}`;
  await ground.api.ask("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
  await expect.poll(async () => (await ground.api.get(`${path}/serviceaccounts/default`)).status).toBe(200);
  await ground.api.ask("POST", `${path}/resourcequotas`, {
    body: { metadata: { name: "q" }, spec: { hard } },
  });
  const nothing = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  await expect.poll(() => statusOf(path)).toEqual({ hard, used: nothing });
  return path;
}

async function statusOf(path: string) {
  return (await ground.api.get(`${path}/resourcequotas/q`)).body.status;
}

test("as many of 200 concurrent creates succeed as there is room for, and deletions make room", async () => {
  const path = await openNamespace("crowd", { pods: "100", "requests.cpu": "1k" });
  const resources = { requests: { cpu: "100m" } };
  const create = (name: string) =>
    ground.api.ask("POST", `${path}/pods`, {
      body: pod(name, { containers: [{ name: "a", image: "a", resources }] }),
    });
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => create(`p${index}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
  const refused = answers.filter(({ status }) => status === 403);
  expect(refused).toHaveLength(100);
  expect(refused[0]?.body.message).toMatch(
    /^pods "p\d+" is forbidden: exceeded quota: q, requested: pods=1, used: pods=100, limited: pods=100$/,
  );
  expect((await statusOf(path)).used).toEqual({ pods: "100", "requests.cpu": "10" });
  const { body } = await ground.api.get(`${path}/pods`);
  const names: string[] = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(names).toHaveLength(100);
  await Promise.all(
    names.slice(0, 40).map((name) => ground.api.ask("DELETE", `${path}/pods/${name}?gracePeriodSeconds=0`)),
  );
  await expect.poll(async () => (await statusOf(path)).used).toEqual({ pods: "60", "requests.cpu": "6" });
  expect((await create("again")).status).toBe(201);
});

test("what was charged and not stored is released", async () => {
  const path = await openNamespace("failures", { "count/secrets": "2", "services.nodeports": "1" });
  const secret = { metadata: { name: "s" } };
  await expect
    .poll(async () => (await ground.api.ask("POST", `${path}/secrets`, { body: secret })).status)
    .toBe(201);
  expect((await ground.api.ask("POST", `${path}/secrets`, { body: secret })).body.reason).toBe(
    "AlreadyExists",
  );
  await expect
    .poll(async () => (await statusOf(path)).used)
    .toEqual({ "count/secrets": "1", "services.nodeports": "0" });
});

test("custom resources are counted, and a service that changes", async () => {
  const definition = {
    metadata: { name: "boats.sea.example.com" },
    spec: {
      group: "sea.example.com",
      scope: "Namespaced",
      names: { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  expect((await ground.api.ask("POST", definitions, { body: definition })).status).toBe(201);
  const boats = "/apis/sea.example.com/v1/namespaces/harbour/boats";
  await expect.poll(async () => (await ground.api.get(boats)).status).toBe(200);
  const path = await openNamespace("harbour", {
    "count/boats.sea.example.com": "1",
    "services.nodeports": "1",
  });
  const boat = (name: string) =>
    ground.api.ask("POST", boats, {
      body: { apiVersion: "sea.example.com/v1", kind: "Boat", metadata: { name } },
    });
  expect((await boat("a")).status).toBe(201);
  expect((await boat("b")).body.message).toBe(
    'boats.sea.example.com "b" is forbidden: exceeded quota: q, requested: count/boats.sea.example.com=1, used: count/boats.sea.example.com=1, limited: count/boats.sea.example.com=1',
  );
  const spec = { type: "NodePort", ports: [{ port: 1 }] };
  const service = { metadata: { name: "s" }, spec };
  expect((await ground.api.ask("POST", `${path}/services`, { body: service })).status).toBe(201);
  expect((await statusOf(path)).used).toEqual({
    "count/boats.sea.example.com": "1",
    "services.nodeports": "1",
  });
  await ground.api.ask("PATCH", `${path}/services/s`, {
    body: { spec: { type: "ClusterIP", ports: [{ port: 1, nodePort: null }] } },
    headers: { "content-type": "application/strategic-merge-patch+json" },
  });
  await ground.api.ask("DELETE", `${boats}/a`);
  await expect
    .poll(async () => (await statusOf(path)).used)
    .toEqual({ "count/boats.sea.example.com": "0", "services.nodeports": "0" });
});

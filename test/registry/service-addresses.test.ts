import { afterEach, expect, test } from "vitest";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const grounds: ApiGround[] = [];
const cidrs = "/apis/networking.k8s.io/v1/servicecidrs";
const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
const services = "/api/v1/namespaces/default/services";

afterEach(async () => {
  for (const ground of grounds.splice(0)) await ground.dispose();
});

async function open(apiLevel: "1.32" | "1.35", store = new MemoryStore()): Promise<ApiGround> {
  const ground = await openApiGround({ apiLevel }, store);
  grounds.push(ground);
  return ground;
}

const service = (name: string, spec: Json = {}): Json => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

async function namesOf({ api }: ApiGround, path: string): Promise<string[]> {
  return (await api.get(path)).body.items.map(({ metadata }: Json) => metadata.name);
}

test("each address of a service is an object of its own", async () => {
  const ground = await open("1.35");
  const { api } = ground;
  const [range] = (await api.get(cidrs)).body.items;
  expect(range.spec).toEqual({ cidrs: ["10.0.0.0/24"] });
  expect(range.status.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
  const { body } = await api.post(services, service("web"));
  expect((await api.get(`${addresses}/${body.spec.clusterIP}`)).body).toMatchObject({
    metadata: {
      labels: {
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
    },
    spec: { parentRef: { resource: "services", namespace: "default", name: "web" } },
  });
  expect((await api.post(services, service("web"))).code).toBe(409);
  const taken = await api.post(services, service("other", { clusterIP: body.spec.clusterIP }));
  expect(taken.body.message).toMatch(/failed to allocate IP .*: provided IP is already allocated$/);
  expect(await namesOf(ground, addresses)).toEqual([body.spec.clusterIP]);
  await api.delete(`${services}/web`);
  expect(await namesOf(ground, addresses)).toEqual([]);
});

test("a range that is added has addresses as long as it is not to be deleted", async () => {
  const { api } = await open("1.35");
  const asked = service("web", { clusterIP: "10.7.0.3" });
  expect((await api.post(services, asked)).body.message).toMatch(
    /the provided network does not match the current range$/,
  );
  const metadata = { name: "more", finalizers: ["example.org/f"] };
  await api.post(cidrs, { metadata, spec: { cidrs: ["10.7.0.0/28"] } });
  expect((await api.post(services, asked)).code).toBe(201);
  await api.delete(`${cidrs}/more`);
  expect((await api.post(services, service("later", { clusterIP: "10.7.0.4" }))).code).toBe(422);
});

test("servers on one store give each address once", async () => {
  const store = new MemoryStore();
  const servers = [await open("1.35", store), await open("1.35", store)];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => servers[index % 2]?.api.post(services, service(`s${index}`))),
  );
  expect(answers.map((answer) => answer?.code)).toEqual(Array.from({ length: 30 }, () => 201));
  const given = answers.map((answer) => answer?.body.spec.clusterIP);
  expect(new Set(given).size).toBe(30);
});

test("a store that kept other books goes on with the addresses that its services have", async () => {
  const store = new MemoryStore();
  const before = await open("1.32", store);
  const { body } = await before.api.post(services, service("web"));
  expect((await before.api.get(cidrs)).code).toBe(404);
  await before.dispose();
  const after = await open("1.35", store);
  expect(await namesOf(after, addresses)).toEqual([body.spec.clusterIP]);
});

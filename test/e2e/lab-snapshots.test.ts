import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type LabServer, startLab } from "../support/lab-server.js";

let lab: LabServer;
let api: ApiClient;

beforeAll(async () => {
  lab = await startLab();
  ({ api } = lab);
  await api.post("/api/v1/namespaces", { metadata: { name: "work" } });
});
afterAll(() => lab.dispose());

const work = "/api/v1/namespaces/work";
const maps = `${work}/configmaps`;

async function made(path: string, body: object): Promise<{ readonly [field: string]: unknown }> {
  const answer = await api.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = "/apis/sea.example/v1/namespaces/work/boats";
function boatDefinition(): object {
  return {
    metadata: { name: "boats.sea.example" },
    spec: {
      group: "sea.example",
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
}

test("objects come back as they were, and a watch sees how", async () => {
  await expect.poll(async () => (await api.get(`${work}/serviceaccounts/default`)).status).toBe(200);
  const kept = await made(maps, { metadata: { name: "kept" }, data: { a: "1" } });
  const gone = await made(maps, { metadata: { name: "gone", finalizers: ["example.com/never"] } });
  const snapshot = await lab.server.snapshot();
  const list = await api.get(maps);
  const seen: string[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    const path = `${maps}?watch=true&resourceVersion=${list.body.metadata.resourceVersion}`;
    for await (const { type, object } of api.watch(path, stop.signal)) {
      seen.push(`${type} ${object.metadata.name} ${object.data?.a ?? ""}`);
    }
  })();
  await api.patch(`${maps}/kept`, "application/merge-patch+json", { data: { a: "2" } });
  await api.patch(`${maps}/gone`, "application/merge-patch+json", { metadata: { finalizers: null } });
  await api.delete(`${maps}/gone`);
  await made(maps, { metadata: { name: "new", finalizers: ["example.com/never"] } });
  const last = (await api.get(maps)).body.metadata.resourceVersion;
  expect(await lab.server.rewind(snapshot)).toEqual({ created: 1, updated: 1, deleted: 1 });

  const after = await api.get(maps);
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  const plain = (object: any) => ({ ...object, metadata: { ...object.metadata, resourceVersion: "" } });
  expect(after.body.items.map(plain)).toEqual(list.body.items.map(plain));
  expect(Number(after.body.metadata.resourceVersion)).toBeGreaterThan(Number(last));
  for (const { metadata } of [kept, gone]) expect(after.text).toContain((metadata as { uid: string }).uid);
  await expect.poll(() => seen.slice(-3).sort()).toEqual(["ADDED gone ", "DELETED new ", "MODIFIED kept 1"]);
  stop.abort();
  await watching.catch(() => undefined);
  await api.patch(`${maps}/gone`, "application/merge-patch+json", { metadata: { finalizers: null } });
});

test("addresses, ports, quotas, accounts and kinds are right at once", async () => {
  const services = `${work}/services`;
  const service = (name: string, clusterIP: string, nodePort: number) => ({
    metadata: { name },
    spec: { type: "NodePort", clusterIP, ports: [{ port: 80, nodePort }] },
  });
  await made(definitions, boatDefinition());
  await expect.poll(async () => (await api.get(boats)).status).toBe(200);
  await made(boats, {
    apiVersion: "sea.example/v1",
    kind: "Boat",
    metadata: { name: "old" },
    spec: { sails: 2 },
  });
  await made(services, service("old", "10.0.0.50", 30050));
  await made(`${work}/resourcequotas`, {
    metadata: { name: "few" },
    spec: { hard: { "count/secrets": "2" } },
  });
  await made(`${work}/secrets`, { metadata: { name: "one" } });
  const used = async () => (await api.get(`${work}/resourcequotas/few`)).body.status.used["count/secrets"];
  await expect.poll(used).toBe("1");
  await made(`${work}/serviceaccounts`, { metadata: { name: "robot" } });
  const serviceAccount = { namespace: "work", name: "robot" };
  const configuration = await lab.server.kubeconfigFor({ serviceAccount });
  const authorization = `Bearer ${/token: "?([\w.-]+)/.exec(configuration)?.[1]}`;
  const anonymous = new ApiClient({ url: lab.server.url, kubeconfig: lab.kubeconfig }, { anonymous: true });
  const asRobot = async () => (await anonymous.ask("GET", maps, { headers: { authorization } })).status;
  expect(await asRobot()).toBe(403);
  await lab.server.snapshot("full");

  await api.delete(`${services}/old`);
  await made(services, service("new", "10.0.0.50", 30051));
  await made(services, service("other", "10.0.0.51", 30050));
  await made(`${work}/secrets`, { metadata: { name: "two" } });
  expect((await api.post(`${work}/secrets`, { metadata: { name: "three" } })).status).toBe(403);
  await api.delete(definitions.concat("/boats.sea.example"));
  await expect.poll(async () => (await api.get(boats)).status).toBe(404);
  const cats = boatDefinition() as { metadata: object; spec: { names: object } };
  const animals = { plural: "cats", singular: "cat", kind: "Cat", listKind: "CatList" };
  await made(definitions, { metadata: { name: "cats.sea.example" }, spec: { ...cats.spec, names: animals } });
  await expect.poll(async () => (await api.get(boats.replace("boats", "cats"))).status).toBe(200);
  await made(boats.replace("boats", "cats"), {
    apiVersion: "sea.example/v1",
    kind: "Cat",
    metadata: { name: "tom" },
  });
  await api.delete("/api/v1/namespaces/work");
  await expect.poll(async () => (await api.get(work)).status).toBe(404);

  expect(await asRobot()).toBe(401);

  await lab.server.rewind("full");
  expect(await asRobot()).toBe(403);
  expect((await api.get(`${services}/old`)).body.spec).toMatchObject({
    clusterIP: "10.0.0.50",
    ports: [{ nodePort: 30050 }],
  });
  expect((await api.get(`${boats}/old`)).body.spec).toEqual({ sails: 2 });
  expect((await api.get(boats.replace("boats", "cats"))).status).toBe(404);
  const taken = await api.post(services, service("again", "10.0.0.50", 30060));
  expect([taken.status, taken.text]).toEqual([422, expect.stringContaining("already allocated")]);
  await made(services, service("free", "10.0.0.51", 30051));
  expect(await used()).toBe("1");
  await made(`${work}/secrets`, { metadata: { name: "three" } });
  expect((await api.post(`${work}/secrets`, { metadata: { name: "four" } })).status).toBe(403);
  expect((await api.get(`${work}/serviceaccounts/robot`)).status).toBe(200);
  // Nothing that was under way takes the namespace along.
  expect((await api.get(work)).body.status.phase).toBe("Active");
  await made(maps, { metadata: { name: "after" } });
});

test("a suite calls one path before each test", async () => {
  const created = await api.ask("POST", "/lab/snapshots?name=start");
  expect([created.status, created.body.name]).toEqual([200, "start"]);
  expect((await api.ask("POST", "/lab/snapshots?name=start")).status).toBe(409);
  expect((await api.ask("POST", "/lab/snapshots?name=a/b")).status).toBe(400);
  for (let round = 0; round < 3; round++) {
    await made(maps, { metadata: { name: "same-name" } });
    const { status, body } = await api.ask("POST", "/lab/snapshots/start/rewind");
    expect([status, body]).toEqual([200, { created: 0, updated: 0, deleted: 1 }]);
  }
  expect((await api.get("/lab/snapshots")).body.items.map(({ name }: { name: string }) => name)).toContain(
    "start",
  );
  expect((await api.delete("/lab/snapshots/start")).status).toBe(200);
  expect((await api.delete("/lab/snapshots/start")).status).toBe(404);
  expect((await api.ask("POST", "/lab/snapshots/start/rewind")).status).toBe(404);
  const jane = lab.clientOf(await lab.server.kubeconfigFor({ user: "jane" }));
  expect((await jane.ask("POST", "/lab/snapshots")).status).toBe(403);
});

test("compaction spares what a snapshot needs", async () => {
  const other = await startLab({ options: { storeCompactionIntervalMs: 100 } });
  try {
    const path = "/api/v1/namespaces/default/configmaps";
    await other.api.post(path, { metadata: { name: "a" }, data: { a: "1" } });
    await other.server.snapshot("start");
    const old = (await other.api.get(path)).body.metadata.resourceVersion;
    const writes = async () => {
      await other.api.patch(`${path}/a`, "application/merge-patch+json", { data: { a: `${Math.random()}` } });
      return (await other.api.get(`${path}?resourceVersion=${old}&resourceVersionMatch=Exact`)).status;
    };
    for (let i = 0; i < 10; i++) {
      expect(await writes()).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await other.server.rewind("start");
    expect((await other.api.get(`${path}/a`)).body.data).toEqual({ a: "1" });
    // It moved on with the rewind: what came before need not be kept any more.
    await expect.poll(writes).toBe(410);
  } finally {
    await other.dispose();
  }
});

import { afterEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { tellMigrated, tellMigrating } from "../../src/controllers/storage-migration/definition-status.js";
import { StorageMigrator } from "../../src/controllers/storage-migration/storage-migrator.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { servingEverything } from "../support/stored-kinds.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with the migrator. */
async function open(
  level: ApiLevel,
  store = new MemoryStore(),
  gates: readonly [FeatureGateName, boolean][] = [],
): Promise<ApiGround> {
  const options = servingEverything(testApiContext({ level }));
  const featureGates = new Map([...options.featureGates, ...gates]);
  const ground = await openApiGround({ ...options, featureGates }, store);
  closing.push(() => ground.dispose());
  await ground.server.customResources.start();
  const migrator = new StorageMigrator(ground.server.context, level);
  closing.push(() => migrator.stop());
  await migrator.start();
  return ground;
}

async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

async function migrate({ api }: ApiGround, version: string, resource: Json): Promise<Json> {
  const path = `/apis/storagemigration.k8s.io/${version}/storageversionmigrations`;
  const { code, body } = await api.post(path, { metadata: { name: "m" }, spec: { resource } });
  expect(code, JSON.stringify(body)).toBe(201);
  await expect
    .poll(async () => statesOf((await api.get(`${path}/m`)).body))
    .toMatchObject({ Running: "False" });
  return (await api.get(`${path}/m`)).body;
}

function statesOf({ status = {} }: Json): Json {
  return Object.fromEntries((status.conditions ?? []).map(({ type, status: is }: Json) => [type, is]));
}

async function stored(store: MemoryStore, key: string): Promise<string> {
  const { kvs } = await store.range({ start: `/registry/${key}` });
  return Buffer.from(kvs[0]?.value ?? []).toString("latin1");
}

const address = (name: string): Json => ({
  metadata: { name },
  spec: { parentRef: { resource: "things", name: "t" } },
});

test("objects that an older server stored are rewritten in the current version, and no others", async () => {
  const store = new MemoryStore();
  const older = await open("1.33", store);
  const made = await older.api.post("/apis/networking.k8s.io/v1/ipaddresses", address("192.0.2.1"));
  expect(made.code, JSON.stringify(made.body)).toBe(201);
  await closeAll();
  expect(await stored(store, "ipaddresses/192.0.2.1")).toContain("networking.k8s.io/v1beta1");

  const ground = await open("1.35", store);
  const path = "/apis/networking.k8s.io/v1/ipaddresses";
  const before = (await ground.api.get(`${path}/192.0.2.1`)).body;
  const today = (await ground.api.post(path, address("192.0.2.2"))).body;
  const done = await migrate(ground, "v1beta1", { group: "networking.k8s.io", resource: "ipaddresses" });
  expect(statesOf(done)).toEqual({ Running: "False", Succeeded: "True" });
  expect(done.status).toMatchObject({
    resourceVersion: expect.stringMatching(/^\d+$/),
    conditions: [
      { type: "Running", reason: "StorageVersionMigrationInProgress" },
      {
        type: "Succeeded",
        reason: "StorageVersionMigrationSucceeded",
        lastTransitionTime: expect.stringMatching(/Z$/),
      },
    ],
  });

  expect(await stored(store, "ipaddresses/192.0.2.1")).not.toContain("v1beta1");
  const after = (await ground.api.get(`${path}/192.0.2.1`)).body;
  expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  after.metadata.resourceVersion = before.metadata.resourceVersion;
  expect(after).toEqual(before);
  expect((await ground.api.get(`${path}/192.0.2.2`)).body).toEqual(today);
});

const thing = (name: string): Json => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name },
  size: 1,
});
const definition = (storage: string): Json => ({
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "things", kind: "Thing" },
    scope: "Cluster",
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === storage,
      schema: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer" } } } },
    })),
  },
});

test("custom resources, whose definition may come after the migration", async () => {
  const store = new MemoryStore();
  const ground = await open("1.35", store);
  const { api } = ground;
  const waiting = migrate(ground, "v1beta1", { group: "example.com", resource: "things" });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.post(definitions, definition("v1"));
  expect(statesOf(await waiting)).toEqual({ Running: "False", Succeeded: "True" });

  const path = "/apis/example.com/v1/things";
  await expect.poll(async () => (await api.post(path, thing("a"))).code).toBe(201);
  expect(await stored(store, "example.com/things/a")).toContain("example.com/v1");
  await api.mergePatch(`${definitions}/things.example.com`, { spec: definition("v2").spec });
  await api.delete("/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations/m");
  await migrate(ground, "v1beta1", { group: "example.com", resource: "things" });
  await expect.poll(() => stored(store, "example.com/things/a")).toContain("example.com/v2");
});

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definitionPath = `${definitionsPath}/things.example.com`;

async function storedInTwoVersions(level: ApiLevel): Promise<ApiGround> {
  const ground = await open(level);
  await ground.api.post(definitionsPath, definition("v1"));
  const things = "/apis/example.com/v1/things";
  await expect.poll(async () => (await ground.api.post(things, thing("a"))).code).toBe(201);
  await ground.api.mergePatch(definitionPath, { spec: definition("v2").spec });
  expect((await ground.api.get(definitionPath)).body.status.storedVersions).toEqual(["v1", "v2"]);
  return ground;
}

const things = { group: "example.com", resource: "things" };

test("from 1.36 on, the former version is removed from a definition's storedVersions", async () => {
  const ground = await storedInTwoVersions("1.36");
  const done = await migrate(ground, "v1beta1", things);
  expect(statesOf(done)).toEqual({ Running: "False", Succeeded: "True" });
  const { metadata, status } = (await ground.api.get(definitionPath)).body;
  expect(status.storedVersions).toEqual(["v2"]);
  expect(status.conditions.find(({ type }: Json) => type === "StorageMigrating")).toEqual({
    type: "StorageMigrating",
    status: "False",
    reason: "MigrationSucceeded",
    message: "The migration has succeeded and the stored versions have been updated",
    lastTransitionTime: expect.stringMatching(/Z$/),
    observedGeneration: metadata.generation,
  });
  const { code } = await ground.api.mergePatch(definitionPath, {
    spec: { versions: definition("v2").spec.versions.slice(1) },
  });
  expect(code).toBe(200);
});

test("a definition that changes meanwhile keeps its stored versions", async () => {
  const { server, api } = await storedInTwoVersions("1.36");
  const of = { name: "things.example.com", writer: "system:test" };
  await tellMigrating(server.context, of, "m");
  const running = (await api.get(definitionPath)).body.status.conditions;
  expect(running.find(({ type }: Json) => type === "StorageMigrating")).toMatchObject({
    status: "True",
    reason: "MigrationRunning",
    message: "Migration m is running",
  });
  await api.mergePatch(definitionPath, { spec: definition("v1").spec });
  await tellMigrated(server.context, of, true);
  const { status } = (await api.get(definitionPath)).body;
  expect(status.storedVersions).toEqual(["v1", "v2"]);
  expect(status.conditions.find(({ type }: Json) => type === "StorageMigrating").message).toBe(
    "The migration has succeeded but the stored versions have not been updated due to a generation mismatch",
  );
  await tellMigrated(server.context, of, false);
  expect((await api.get(definitionPath)).body.status.conditions).toContainEqual(
    expect.objectContaining({ type: "StorageMigrating", reason: "MigrationFailed" }),
  );
});

test("before 1.36 migrations do not change a definition's storedVersions", async () => {
  const ground = await storedInTwoVersions("1.35");
  await migrate(ground, "v1beta1", things);
  const { status } = (await ground.api.get(definitionPath)).body;
  expect(status.storedVersions).toEqual(["v1", "v2"]);
  expect(status.conditions.map(({ type }: Json) => type)).not.toContain("StorageMigrating");
});

test("before 1.35 a migration names a version, and does not wait for it", async () => {
  const ground = await open("1.34");
  const { api } = ground;
  const done = await migrate(ground, "v1alpha1", { group: "apps", version: "v1", resource: "deployments" });
  expect(statesOf(done)).toEqual({ Running: "False", Succeeded: "True" });
  expect(done.status.conditions[1].lastUpdateTime).toMatch(/Z$/);

  const path = "/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations";
  const resource = { group: "apps", version: "v0", resource: "deployments" };
  await api.post(path, { metadata: { name: "none" }, spec: { resource } });
  await expect
    .poll(async () => (await api.get(`${path}/none`)).body.status?.conditions)
    .toMatchObject([{ type: "Failed", message: "resource does not exist in discovery" }]);
});

test("an object that cannot be written makes it fail", async () => {
  const ground = await open("1.30", undefined, [["CRDValidationRatcheting", false]]);
  const { api } = ground;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.post(definitions, definition("v1"));
  const path = "/apis/example.com/v1/things";
  await expect.poll(async () => (await api.post(path, thing("a"))).code).toBe(201);
  const strict = definition("v1");
  for (const version of strict.spec.versions) version.schema.openAPIV3Schema.required = ["other"];
  await api.mergePatch(`${definitions}/things.example.com`, { spec: strict.spec });
  await expect.poll(async () => (await api.post(path, thing("b"))).code).toBe(422);
  const done = await migrate(ground, "v1alpha1", { group: "example.com", version: "v1", resource: "things" });
  expect(statesOf(done)).toEqual({ Running: "False", Failed: "True" });
  expect(done.status.conditions[1].message).toMatch(/^migration encountered unhandled error: .*other/);
});

test("a server that starts again goes on", async () => {
  const store = new MemoryStore();
  const ground = await openApiGround(servingEverything(testApiContext({ level: "1.35" })), store);
  const path = "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
  const spec = { resource: { resource: "configmaps" } };
  const { body } = await ground.api.post(path, { metadata: { name: "m" }, spec });
  const started = await ground.api.put(`${path}/m/status`, { ...body, status: { resourceVersion: "1" } });
  expect(started.code, JSON.stringify(started.body)).toBe(200);
  await ground.dispose();
  const again = await open("1.35", store);
  await expect
    .poll(async () => statesOf((await again.api.get(`${path}/m`)).body))
    .toEqual({ Running: "False", Succeeded: "True" });
  expect((await again.api.get(`${path}/m`)).body.status.resourceVersion).toBe("1");
});

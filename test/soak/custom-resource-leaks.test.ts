import { queryObjects } from "node:v8";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CustomCodec } from "../../src/apis/apiextensions/custom-resource/custom-codec.js";
import { Reclaimable } from "../../src/apis/apiextensions/custom-resource/reclaimable.js";
import { RenderedPart } from "../../src/endpoints/openapi/swagger-part.js";
import { ResourceRegistry } from "../../src/registry/generic/resource-registry.js";
import { RemoteClient } from "../../src/remote/remote-client.js";
import { CacheWatcher } from "../../src/storage/watchcache/cache-watcher.js";
import { EventWindow } from "../../src/storage/watchcache/event-window.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import * as sourceParts from "../support/server-parts.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

/**
 * What is made for each definition or version, or for each use of one. The garbage collector and quotas hold the registries and
 * the watches of what they monitor.
 */
const perDefinition = {
  CacheWatcher,
  CustomCodec,
  EventWindow,
  Reclaimable,
  RenderedPart,
  RemoteClient,
  ResourceRegistry,
};

/** Above all of them, so that one search of the heap finds them: each search takes several full collections. */
class Counted {}
for (const { prototype } of Object.values(perDefinition)) {
  Object.setPrototypeOf(prototype, Counted.prototype);
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const table = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

let ground: InProcessServer;
let webhook: WebhookServer;

beforeAll(async () => {
  webhook = await startWebhookServer();
  webhook.answers.set("/convert", ({ request }) => ({
    response: {
      convertedObjects: request.objects.map((object: object) => ({
        ...object,
        apiVersion: request.desiredAPIVersion,
      })),
      result: { status: "Success" },
    },
  }));
  ground = await startInProcess({ apiLevel: "1.31" }, sourceParts);
});

afterAll(async () => {
  await ground.dispose();
  await webhook.close();
});

/** The versions of a definition, with a pattern and a rule; `sailsMax` makes another schema. */
function versionsOf(sailsMax: number) {
  const { openAPIV3Schema } = boatVersion.schema;
  const { spec, status } = openAPIV3Schema.properties;
  const properties = {
    ...spec.properties,
    sails: { ...spec.properties.sails, maximum: sailsMax },
    home: { type: "string", pattern: "^[a-z]*$", maxLength: 20 },
  };
  const rules = [{ rule: "!has(self.home) || self.home != 'nowhere'" }];
  const schema = {
    openAPIV3Schema: {
      ...openAPIV3Schema,
      properties: { spec: { ...spec, properties, "x-kubernetes-validations": rules }, status },
    },
  };
  return [
    { ...boatVersion, schema },
    { ...boatVersion, schema, name: "v2", storage: false },
  ];
}

async function expectStatus(status: number, answer: Promise<{ status: number; text: string }>) {
  const { status: actual, text } = await answer;
  expect(actual, text).toBe(status);
}

/** Defines a kind of a group of its own, uses it in every way, changes it, and deletes it while a client watches. */
async function liveAndDie(group: string, whileAlive: () => Promise<void> = async () => {}): Promise<void> {
  const { api } = ground;
  const path = (version: string) => `/apis/${group}/${version}/namespaces/default/boats`;
  const definition = boatDefinition({ group, versions: versionsOf(5) });
  const conversion = {
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1"],
      clientConfig: { url: webhook.url("/convert"), caBundle: webhook.caBundle },
    },
  };
  await expectStatus(201, api.post(definitions, { ...definition, spec: { ...definition.spec, conversion } }));
  await expect.poll(async () => (await api.get(path("v1"))).status).toBe(200);
  const quota = `/api/v1/namespaces/default/resourcequotas`;
  const hard = { [`count/boats.${group}`]: "10" };
  await expectStatus(201, api.post(quota, { metadata: { name: "fleet" }, spec: { hard } }));
  for (const version of ["v1", "v2"]) {
    const object = {
      ...boat(`in-${version}`, { sails: 1, home: "port" }),
      apiVersion: `${group}/${version}`,
    };
    await expect.poll(async () => (await api.post(path(version), object)).status).toBe(201);
    const applied = { ...object, metadata: { name: "applied" } };
    const apply = (): Promise<{ status: number; text: string }> =>
      api.patch(`${path(version)}/applied?fieldManager=${version}`, "application/apply-patch+yaml", applied);
    await expectStatus(version === "v1" ? 201 : 200, apply());
    await expectStatus(
      422,
      api.post(path(version), { ...object, metadata: { name: "bad" }, spec: { home: "nowhere" } }),
    );
    await expectStatus(200, api.get(`${path(version)}?fieldSelector=spec.colour=red`));
    await expectStatus(200, api.ask("GET", path(version), { headers: table }));
    await expectStatus(200, api.get(`/openapi/v3/apis/${group}/${version}`));
    await expectStatus(200, api.get(`/apis/${group}/${version}`));
  }
  await expectStatus(200, api.get("/openapi/v2"));
  await expectStatus(200, api.delete(`${quota}/fleet`));
  const { body: current } = await api.get(`${definitions}/boats.${group}`);
  await expectStatus(
    200,
    api.put(`${definitions}/boats.${group}`, {
      ...current,
      spec: { ...current.spec, versions: versionsOf(9) },
    }),
  );
  await expectStatus(200, api.get(path("v2")));
  const watched: string[] = [];
  const watching = (async () => {
    for await (const { type } of api.watch(`${path("v1")}?watch=true`)) watched.push(type);
  })();
  await expect.poll(() => watched.length).toBeGreaterThan(0);
  await whileAlive();
  await expectStatus(200, api.delete(`${definitions}/boats.${group}`));
  await watching;
  await expect.poll(async () => (await api.get(`${definitions}/boats.${group}`)).status).toBe(404);
  await expectStatus(404, api.get(path("v1")));
}

type Census = ReadonlyMap<string, number>;

/** How many of each there are after a full collection. */
async function census(): Promise<Census> {
  const counts = new Map(Object.keys(perDefinition).map((name) => [name, 0]));
  for (const summary of queryObjects(Counted, { format: "summary" })) {
    const name = /^\w+/.exec(summary)?.[0] ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // Counting takes so long that the server ends idle connections: the client must see that before it asks again.
  await expect.poll(async () => (await ground.api.get("/livez")).status).toBe(200);
  return counts;
}

// Each census takes full collections.
const timeoutMs = 600_000;

test(
  "nothing of a deleted definition stays in memory or among the metrics",
  async () => {
    await liveAndDie("leak0.example.com");
    await ground.api.get("/openapi/v2");
    const before = await census();
    await liveAndDie("leak1.example.com", async () => {
      const alive = await census();
      // Otherwise a leak could not be seen.
      const unseen = Object.keys(perDefinition).filter(
        (name) => (alive.get(name) ?? 0) <= (before.get(name) ?? 0),
      );
      expect(unseen).toEqual([]);
    });
    await liveAndDie("leak2.example.com");
    await ground.api.get("/openapi/v2");
    // A part of the first definition may have been in use still when it was counted.
    const grown = async (): Promise<string[]> =>
      [...(await census())].flatMap(([name, count]) => (count > (before.get(name) ?? 0) ? [name] : []));
    await expect.poll(grown).toEqual([]);
    const metrics = (await ground.api.get("/metrics")).text.split("\n");
    expect(metrics.filter((line) => /leak\d/.test(line))).toEqual([]);
  },
  timeoutMs,
);

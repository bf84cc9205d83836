import { afterEach, beforeEach, expect, test } from "vitest";
import type { CatalogSource } from "../../src/endpoints/catalog/resource-offer.js";
import { clientBinaries } from "../support/client-binaries.js";
import { gadgetOffer } from "../support/gadgets.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const group = "gadgets.example.com";
const base = `/apis/${group}/v1`;
const inDefault = `${base}/namespaces/default/widgets`;
const widgets = { group, resource: "widgets" };

let ground: InProcessServer;
let source: CatalogSource;

beforeEach(async () => {
  ground = await startInProcess();
  source = ground.server.catalog.source("the test");
});

afterEach(() => ground.dispose());

const widget = (name: string, metadata: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: { name, ...metadata },
  spec: { field0: "a" },
});

async function groupNames(): Promise<string[]> {
  const { body } = await ground.api.get("/apis");
  return body.groups.map(({ name }: { name: string }) => name);
}

async function kubectl(...args: string[]) {
  return await runClient(clientBinaries().kubectlCurrent, args, {
    kubeconfig: ground.kubeconfig,
    home: ground.directory,
  });
}

test("a resource that a source offers is served, described and found at once, and is gone at once", async () => {
  const { api } = ground;
  expect((await api.get(inDefault)).status).toBe(404);
  const before = {
    v2: (await api.get("/openapi/v2")).headers.etag,
    v3: (await api.get("/openapi/v3")).body.paths,
  };
  source.publish({ offered: [gadgetOffer("widget")] });

  expect((await groupNames()).at(-1)).toBe(group);
  expect((await api.get(base)).body.resources).toMatchObject([{ name: "widgets", kind: "Widget" }]);
  const { paths, definitions } = (await api.get("/openapi/v2")).body;
  expect(paths).toHaveProperty(`${base}/namespaces/{namespace}/widgets/{name}`);
  expect(definitions["com.example.gadgets.v1.Widget"].properties.spec.properties).toHaveProperty("field9");
  const v3 = (await api.get("/openapi/v3")).body.paths;
  expect(v3["apis/apps/v1"]).toEqual(before.v3["apis/apps/v1"]);
  const section = await api.get(v3[`apis/${group}/v1`].serverRelativeURL);
  expect(section.body.components.schemas).toHaveProperty(["com.example.gadgets.v1.Widget"]);

  expect((await api.post(inDefault, widget("first"))).status).toBe(201);
  expect((await api.get(`${inDefault}/first`)).body.spec).toEqual({ field0: "a" });
  const shown = await kubectl("get", "widgets", "-o", "name");
  expect(shown.stdout).toBe(`widget.${group}/first\n`);
  expect((await kubectl("explain", "widget.spec")).stdout).toContain("field9");
  expect((await api.get("/metrics")).text).toContain('resource="widgets"');

  source.publish({ withdrawn: [widgets] });
  expect((await api.get(inDefault)).status).toBe(404);
  expect(await groupNames()).not.toContain(group);
  expect((await api.get("/openapi/v2")).headers.etag).toBe(before.v2);
  expect((await api.get("/openapi/v3")).body.paths).toEqual(before.v3);
  const metrics = (await api.get("/metrics")).text;
  expect(metrics).not.toContain('resource="widgets"');
  expect(metrics).not.toContain("Widget");
});

test("a watch sees changes until the resource goes, and then ends", async () => {
  const { api } = ground;
  source.publish({ offered: [gadgetOffer("widget")] });
  const events = api.watch(`${inDefault}?watch=1`);
  await api.post(inDefault, widget("first"));
  expect((await events.next()).value).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "first" } },
  });
  source.publish({ withdrawn: [widgets] });
  expect((await events.next()).done).toBe(true);
});

test("an offer takes the place of the former one: its watches end, its objects stay", async () => {
  const { api } = ground;
  source.publish({ offered: [gadgetOffer("widget")] });
  await api.post(inDefault, widget("first"));
  const events = api.watch(`${inDefault}?watch=1`);
  expect((await events.next()).value?.type).toBe("ADDED");
  source.publish({ offered: [gadgetOffer("widget")] });
  expect((await events.next()).done).toBe(true);
  expect((await api.get(`${inDefault}/first`)).status).toBe(200);
  expect((await api.get("/metrics")).text).toContain('resource="widgets"');
});

test("dependents of a kind that came later are collected, and its objects block a namespace", async () => {
  const { api } = ground;
  source.publish({ offered: [gadgetOffer("widget")] });
  const owner = (await api.post(inDefault, widget("owner"))).body;
  const { uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: `${group}/v1`, kind: "Widget", name: "owner", uid }];
  const configMaps = "/api/v1/namespaces/default/configmaps";
  await api.post(configMaps, { metadata: { name: "of-widget", ownerReferences } });
  await api.post(inDefault, widget("of-widget", { ownerReferences }));
  await api.delete(`${inDefault}/owner`);
  await expect.poll(async () => (await api.get(`${configMaps}/of-widget`)).status).toBe(404);
  await expect.poll(async () => (await api.get(`${inDefault}/of-widget`)).status).toBe(404);

  await api.post("/api/v1/namespaces", { metadata: { name: "full" } });
  const inFull = `${base}/namespaces/full/widgets`;
  await api.post(inFull, widget("held", { finalizers: ["example.com/hold"] }));
  await api.delete("/api/v1/namespaces/full");
  await expect
    .poll(async () => (await api.get("/api/v1/namespaces/full")).text)
    .toContain(`widgets.${group} has 1 resource instances`);
  await api.patch(`${inFull}/held`, "application/merge-patch+json", { metadata: { finalizers: null } });
  await expect.poll(async () => (await api.get("/api/v1/namespaces/full")).status).toBe(404);
});

test("what one source offers no other can, and a refused change leaves everything as it was", async () => {
  const other = ground.server.catalog.source("another");
  source.publish({ offered: [gadgetOffer("widget")] });
  expect(() => other.publish({ offered: [gadgetOffer("gizmo"), gadgetOffer("widget")] })).toThrow(
    `the test offers widgets.${group} already`,
  );
  other.publish({ withdrawn: [widgets] });
  expect((await ground.api.get(inDefault)).status).toBe(200);
  expect((await ground.api.get(`${base}/gizmos`)).status).toBe(404);
});

import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { operatorDefinition } from "../support/operator-definitions.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = (version = "v1") => `/apis/example.com/${version}/namespaces/default/boats`;

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

const isServed = async (path: string) => (await api.get(path)).status === 200;

/** Boats have at most so many sails. */
function limited(max: number, storage: "v1" | "v1beta1") {
  const { spec, status } = boatVersion.schema.openAPIV3Schema.properties;
  const properties = { ...spec.properties, sails: { ...spec.properties.sails, maximum: max } };
  const schema = {
    openAPIV3Schema: {
      ...boatVersion.schema.openAPIV3Schema,
      properties: { spec: { ...spec, properties }, status },
    },
  };
  return ["v1", "v1beta1"].map((name) => ({ ...boatVersion, schema, name, storage: name === storage }));
}

test("schemas and versions change while clients write and watch", async () => {
  await api.post(definitions, boatDefinition({ versions: limited(5, "v1") }));
  await expect.poll(() => isServed(boats())).toBe(true);
  let isOver = false;
  const unexpected: string[] = [];
  let written = 0;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const version = round % 2 === 0 ? "v1" : "v1beta1";
      const object = {
        ...boat(`b-${writer}-${round}`, { sails: round % 12 }),
        apiVersion: `example.com/${version}`,
      };
      const { status, text } = await api.post(boats(version), object);
      // What the schema in force forbids is refused, and nothing else is.
      if (status === 201) written++;
      else if (status !== 422) unexpected.push(`${status} ${text}`);
    }
  };
  let seen = 0;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      for await (const event of api.watch(`${boats()}?watch=true&timeoutSeconds=1`)) {
        if (event.type === "ADDED") seen++;
        if (event.type === "ERROR") unexpected.push(JSON.stringify(event));
        if (isOver) break;
      }
    }
  };
  const work = [write(0), write(1), write(2), watch()];
  for (let change = 0; change < 10; change++) {
    const { body } = await api.get(`${definitions}/boats.example.com`);
    body.spec.versions = limited(change % 2 === 0 ? 10 : 5, change % 3 === 0 ? "v1beta1" : "v1");
    const { status } = await api.put(`${definitions}/boats.example.com`, body);
    if (status !== 200 && status !== 409) unexpected.push(`definition: ${status}`);
    await setTimeout(50);
  }
  isOver = true;
  await Promise.all(work);
  expect(unexpected).toEqual([]);
  expect(written).toBeGreaterThan(10);
  expect(seen).toBeGreaterThan(0);
  const { items } = (await api.get(boats())).body;
  expect(items).toHaveLength(written);
  expect(items.every(({ spec }: { spec: { sails: number } }) => spec.sails <= 10)).toBe(true);
});

test("a definition goes with all its objects while clients write and watch", async () => {
  const kinds: Promise<unknown>[] = [];
  let isOver = false;
  const strange: string[] = [];
  for (let writer = 0; writer < 3; writer++) {
    kinds.push(
      (async () => {
        for (let round = 0; !isOver; round++) {
          const { status, text } = await api.post(boats(), boat(`gone-${writer}-${round}`, { sails: 1 }));
          // Created, terminating, or not there any more.
          if (![201, 404, 405].includes(status)) strange.push(`${status} ${text}`);
        }
      })(),
    );
  }
  await setTimeout(50);
  await api.delete(`${definitions}/boats.example.com`);
  await expect.poll(async () => (await api.get(`${definitions}/boats.example.com`)).status).toBe(404);
  isOver = true;
  await Promise.all(kinds);
  expect(strange).toEqual([]);
  expect((await api.get(boats())).status).toBe(404);
  expect((await api.post(definitions, boatDefinition())).status).toBe(201);
  await expect.poll(async () => (await api.get(boats())).body.items).toEqual([]);
});

test("definitions of the shapes of real operators are served, applied, explained and listed as tables", async () => {
  const numbers = [0, 1, 3, 5, 9, 19];
  for (const number of numbers) {
    const { status, text } = await api.post(definitions, operatorDefinition(number));
    expect(status, text).toBe(201);
  }
  for (const number of numbers) {
    const { spec } = operatorDefinition(number);
    const { group, names, scope } = spec;
    const path = `/apis/${group}/v1${scope === "Cluster" ? "" : "/namespaces/default"}/${names.plural}`;
    await expect.poll(() => isServed(path)).toBe(true);
    const object = {
      apiVersion: `${group}/v1`,
      kind: names.kind,
      metadata: { name: "one" },
      spec: { version: "v1.2" },
    };
    const applied = await api.patch(`${path}/one?fieldManager=test`, "application/apply-patch+yaml", object);
    expect(applied.status, applied.text).toBe(201);
    expect(applied.body.spec).toMatchObject({ replicas: 1, paused: false, version: "v1.2" });
    const refused = await api.patch(`${path}/one`, "application/merge-patch+json", {
      spec: { version: "x", replicas: -1 },
    });
    expect(refused.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      "spec.replicas",
      "spec.version",
    ]);
    const table = await api.ask("GET", path, {
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    });
    expect(table.body.rows[0].cells.slice(0, 3)).toEqual(["one", null, 1]);
    const document = (await api.get(`/openapi/v3/apis/${group}/v1`)).body;
    const name = `${group.split(".").reverse().join(".")}.v1.${names.kind}`;
    expect(document.components.schemas[name].properties.spec.properties.replicas.description).toMatch(
      /^replicas: /,
    );
  }
});

test("hostile definitions and objects are answered", async () => {
  const { spec, ...rest } = boatDefinition({ group: "bad.example.com" });
  const withSchema = (schema: object) => ({
    ...rest,
    spec: {
      ...spec,
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const nested = (depth: number): object =>
    depth === 0 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };
  const wide = Object.fromEntries(
    Array.from({ length: 12_000 }, (_, at) => [
      `property-number-${at}`,
      { type: "string", maxLength: 10, description: "x".repeat(40) },
    ]),
  );
  const cases: [object, number][] = [
    [{ type: "object", properties: { a: { $ref: "#" } } }, 422],
    [{ type: "object", properties: { a: { type: "string", default: 5 } } }, 422],
    [{ type: "object", properties: { a: { type: "string", pattern: "(a+)+$(?=x)" } } }, 422],
    [{ type: "object", properties: { a: {} } }, 422],
    [{ type: "string" }, 422],
  ];
  for (const [schema, expected] of cases) {
    const { status, text } = await api.post(definitions, withSchema(schema));
    expect(status, `${JSON.stringify(schema)} ${text}`).toBe(expected);
  }
  const builtin = {
    ...rest,
    metadata: { name: "deployments.apps" },
    spec: { ...boatDefinition().spec, group: "apps", names: { plural: "deployments", kind: "Deployment" } },
  };
  expect((await api.post(definitions, builtin)).status).toBe(422);

  const deep = withSchema({
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          deep: nested(64),
          words: { type: "string", pattern: "^(a+)+$" },
          wide: { type: "object", properties: wide },
        },
      },
    },
  });
  expect((await api.post(definitions, deep)).status).toBe(201);
  const path = "/apis/bad.example.com/v1/namespaces/default/boats";
  await expect.poll(() => isServed(path)).toBe(true);
  const deepValue = (depth: number): unknown => (depth === 0 ? "end" : { a: deepValue(depth - 1) });
  const many = Object.fromEntries(
    Object.keys(wide)
      .slice(0, 10_000)
      .map((name) => [name, "v"]),
  );
  const object = {
    apiVersion: "bad.example.com/v1",
    kind: "Boat",
    metadata: { name: "deep" },
    spec: { deep: deepValue(64), words: "a".repeat(20_000), wide: many },
  };
  const created = await api.post(path, object);
  expect(created.status, created.text.slice(0, 500)).toBe(201);
  expect(created.body.spec).toEqual(object.spec);
  const refused = await api.post(path, {
    ...object,
    metadata: { name: "b" },
    spec: { words: `${"a".repeat(20_000)}!` },
  });
  expect(refused.status).toBe(422);
});

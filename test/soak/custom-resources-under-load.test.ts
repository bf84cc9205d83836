import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
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

/** Every second schema allows more sails. */
const sailsMax = (era: number): number => (era % 2 === 0 ? 5 : 10);

/** The schema number `era`: it limits the sails, gives each boat its number by default, and knows one mark. */
function versionsOf(era: number) {
  const { spec, status } = boatVersion.schema.openAPIV3Schema.properties;
  const properties = {
    ...spec.properties,
    sails: { ...spec.properties.sails, maximum: sailsMax(era) },
    era: { type: "integer", default: era },
    [markOf(era)]: { type: "boolean" },
  };
  const schema = {
    openAPIV3Schema: {
      ...boatVersion.schema.openAPIV3Schema,
      properties: { spec: { ...spec, properties }, status },
    },
  };
  const storage = era % 3 === 0 ? "v1" : "v1beta1";
  return ["v1", "v1beta1"].map((name) => ({ ...boatVersion, schema, name, storage: name === storage }));
}

const markOf = (era: number): string => `mark${era % 2}`;

interface Boat {
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>> & { readonly sails: number; readonly era: number };
}

/** Why a boat as it was written does not fit the schema whose number it bears. */
function misfitOf({ metadata, spec }: Boat): string | undefined {
  const { sails, era } = spec;
  if (sails > sailsMax(era)) return `${metadata.name}: ${sails} sails in schema ${era}`;
  if (spec[markOf(era)] !== true) return `${metadata.name}: schema ${era} has pruned its own mark`;
  if (spec[markOf(era + 1)] !== undefined) return `${metadata.name}: schema ${era} has left another's mark`;
  return undefined;
}

test("writes follow the schema in force while schemas and storage versions change and clients watch", async () => {
  await api.post(definitions, boatDefinition({ versions: versionsOf(0) }));
  await expect.poll(() => isServed(boats())).toBe(true);
  let isOver = false;
  const unexpected: string[] = [];
  const written = new Map<string, Boat>();
  let refused = 0;
  // The last schemas that were sent and acknowledged.
  let sent = 0;
  let acknowledged = 0;
  /** A write is answered by a schema that was in force while it lasted: an acknowledged one is at once. */
  const check = async (sails: number, ask: () => Promise<ApiAnswer>): Promise<void> => {
    const first = acknowledged;
    const { status, text, body } = await ask();
    const eras = Array.from({ length: sent - first + 1 }, (_, at) => first + at);
    if (status === 200 || status === 201) {
      const problem = misfitOf(body);
      if (problem !== undefined) unexpected.push(problem);
      if (!eras.includes(body.spec.era)) unexpected.push(`schema ${body.spec.era}, not one of ${eras}`);
      written.set(body.metadata.name, body);
    } else if (status !== 422 || !eras.some((era) => sails > sailsMax(era))) {
      unexpected.push(`with schemas ${eras} and ${sails} sails: ${status} ${text}`);
    } else {
      refused++;
    }
  };
  const marks = { mark0: true, mark1: true };
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const version = round % 2 === 0 ? "v1" : "v1beta1";
      const name = `b-${writer}-${round}`;
      const sails = round % 12;
      const object = { ...boat(name, { sails, ...marks }), apiVersion: `example.com/${version}` };
      await check(sails, () => api.post(boats(version), object));
      if (!written.has(name)) continue;
      const more = (round * 7) % 12;
      const change = { spec: { sails: more, era: null, ...marks } };
      await check(more, () => api.patch(`${boats(version)}/${name}`, "application/merge-patch+json", change));
    }
  };
  let seen = 0;
  const watch = async (version: string): Promise<void> => {
    while (!isOver) {
      for await (const event of api.watch(`${boats(version)}?watch=true&timeoutSeconds=1`)) {
        if (event.type === "ADDED") seen++;
        if (event.type === "ERROR") unexpected.push(JSON.stringify(event));
        if (isOver) break;
      }
    }
  };
  const work = [write(0), write(1), write(2), watch("v1"), watch("v1beta1")];
  while (acknowledged < 20) {
    const { body } = await api.get(`${definitions}/boats.example.com`);
    sent = acknowledged + 1;
    body.spec.versions = versionsOf(sent);
    const { status } = await api.put(`${definitions}/boats.example.com`, body);
    if (status === 200) acknowledged = sent;
    else if (status !== 409) unexpected.push(`definition: ${status}`);
    const enough = written.size + refused + 10;
    await expect.poll(() => written.size + refused >= enough || unexpected.length > 0).toBe(true);
    if (unexpected.length > 0) break;
  }
  isOver = true;
  await Promise.all(work);
  expect(unexpected).toEqual([]);
  expect(refused).toBeGreaterThan(10);
  expect(seen).toBeGreaterThan(10);
  // What is known of all schemas: fields that the last one lacks are pruned when it is read.
  const { items } = (await api.get(boats())).body as { items: Boat[] };
  const brief = ({ metadata, spec: { sails, era } }: Boat) => [metadata.name, sails, era];
  const byName = (boats: Iterable<Boat>) => [...boats].map(brief).sort();
  expect(byName(items)).toEqual(byName(written.values()));
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

test("the server goes on answering after hostile definitions and objects", async () => {
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

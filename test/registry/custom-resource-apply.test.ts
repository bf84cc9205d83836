import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround();
  await ground.server.customResources.start();
  await ground.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
  await vi.waitFor(
    () => expect(ground.server.catalog.find("example.com", "v1", "boats")).toBeDefined(),
    15_000,
  );
});
afterAll(() => ground.dispose());

test("an empty entry resets the managers, an empty list does not", async () => {
  const path = "/apis/example.com/v1/namespaces/default/boats/managed";
  const object = {
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { name: "managed" },
    spec: { sails: 1 },
  };
  await ground.api.apply(`${path}?fieldManager=ann`, object);
  const after = async (managedFields: object[]) => {
    const answer = await ground.api.mergePatch(path, { metadata: { managedFields } });
    expect(answer.code).toBe(200);
    return answer.body.metadata.managedFields?.map(({ manager }: { manager: string }) => manager);
  };
  expect(await after([])).toEqual(["ann"]);
  expect(await after([{}])).toBeUndefined();
});

test("a write of the status may say anything of the metadata", async () => {
  const path = "/apis/example.com/v1/namespaces/default/boats/stated";
  const object = {
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { name: "stated" },
    spec: { sails: 1 },
  };
  const { body: created } = await ground.api.apply(`${path}?fieldManager=ann`, object);
  const ownerReferences = [{ apiVersion: "v1", kind: "", name: "", uid: "" }];
  const { code, body } = await ground.api.mergePatch(`${path}/status`, {
    metadata: { ownerReferences, finalizers: ["none"] },
  });
  expect(code, JSON.stringify(body)).toBe(200);
  expect(body.metadata).toEqual({
    ...created.metadata,
    managedFields: expect.anything(),
    resourceVersion: expect.anything(),
  });
});

test("while a manager has a removed version, nobody can apply, and an update drops all managers", async () => {
  const { api, server } = ground;
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ferries.example.com";
  const names = { plural: "ferries", singular: "ferry", kind: "Ferry" };
  const versions = (storage: string, ...all: string[]) =>
    all.map((name) => ({ ...boatVersion, name, storage: name === storage }));
  const { spec } = boatDefinition({ versions: versions("v1", "v1", "v2") });
  const created = await api.post(path.slice(0, path.lastIndexOf("/")), {
    metadata: { name: "ferries.example.com" },
    spec: { ...spec, names },
  });
  expect(created.code, JSON.stringify(created.body)).toBe(201);
  const isServed = (version: string) => server.catalog.find("example.com", version, "ferries") !== undefined;
  await expect.poll(() => isServed("v2")).toBe(true);

  const ferry = (version: string) => `/apis/example.com/${version}/namespaces/default/ferries/one`;
  const object = (version: string, sails: number) => ({
    apiVersion: `example.com/${version}`,
    kind: "Ferry",
    metadata: { name: "one" },
    spec: { sails },
  });
  const apply = (version: string) => api.apply(`${ferry(version)}?fieldManager=ann`, object(version, 1));
  expect((await apply("v1")).code).toBe(201);

  await api.mergePatch(path, { spec: { versions: versions("v2", "v1", "v2") } });
  const rewrite = async () => api.put(ferry("v2"), (await api.get(ferry("v2"))).body);
  const first = await rewrite();
  expect(first.body.metadata.managedFields).toMatchObject([{ apiVersion: "example.com/v1" }]);
  await api.mergePatch(`${path}/status`, { status: { storedVersions: ["v2"] } });
  await api.mergePatch(path, { spec: { versions: versions("v2", "v2") } });
  await expect.poll(() => isServed("v1")).toBe(false);

  expect(await apply("v2")).toMatchObject({
    code: 500,
    body: { message: "request to convert CR to an invalid group/version: example.com/v1" },
  });
  expect((await rewrite()).body.metadata.managedFields).toBeUndefined();
  expect((await apply("v2")).body.metadata.managedFields).toMatchObject([
    { manager: "ann", apiVersion: "example.com/v2" },
    { manager: "before-first-apply" },
  ]);
});

test("an applied int-or-string of a wrong type is told by the schema, after the conflicts", async () => {
  const { api, server } = ground;
  const port = { "x-kubernetes-int-or-string": true };
  const spec = { type: "object", properties: { port, ports: { type: "array", items: port } } };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "docks.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "docks", singular: "dock", kind: "Dock" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await expect.poll(() => server.catalog.find("example.com", "v1", "docks")).toBeDefined();
  const apply = async (manager: string, spec: object, force = "") => {
    const path = `/apis/example.com/v1/namespaces/default/docks/one?fieldManager=${manager}${force}`;
    const sent = { apiVersion: "example.com/v1", kind: "Dock", metadata: { name: "one" }, spec };
    const { code, body } = await api.apply(path, sent);
    return `${code} ${body.message}`;
  };
  expect(await apply("ann", { port: 1 })).toMatch(/^201/);
  expect(await apply("bob", { port: {} })).toBe(
    '409 Apply failed with 1 conflict: conflict with "ann": .spec.port',
  );
  expect(await apply("bob", { port: {} }, "&force=true")).toMatch(
    /^422 .*spec\.port: Invalid value: "object": spec\.port in body must be of type integer,string: "object"$/,
  );
  expect(await apply("bob", { ports: [[1]] })).toMatch(/^422 .*must be of type integer,string: "array"$/);
});

test("an applied null must be allowed, one that is created is dropped", async () => {
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  const boat = (name: string) => ({
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { name },
    spec: { crew: null, sails: null },
  });
  const created = await ground.api.post(boats, boat("created"));
  expect(created.code).toBe(201);
  expect(created.body.spec).toEqual({ sails: 1 });
  const { code, body } = await ground.api.apply(`${boats}/applied?fieldManager=ann`, boat("applied"));
  expect(code).toBe(422);
  expect(body.details.causes).toEqual([
    {
      reason: "FieldValueInvalid",
      message: 'Invalid value: "null": spec.crew in body must be of type array: "null"',
      field: "spec.crew",
    },
  ]);
});

test("a null without a type is dropped, and unknown fields may be applied wherever any are preserved", async () => {
  const { api, server } = ground;
  const { spec } = boatDefinition();
  const anything = { "x-kubernetes-preserve-unknown-fields": true };
  const properties = {
    any: anything,
    none: { ...anything, nullable: true },
    map: { type: "object", additionalProperties: anything },
    hull: { type: "object", properties: { wood: { type: "string" } } },
    crew: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
  };
  const openAPIV3Schema = {
    type: "object",
    ...anything,
    properties: { spec: { type: "object", properties } },
  };
  const created = await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "rafts.example.com" },
    spec: {
      ...spec,
      names: { plural: "rafts", singular: "raft", kind: "Raft" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  expect(created.code, JSON.stringify(created.body)).toBe(201);
  await expect.poll(() => server.catalog.find("example.com", "v1", "rafts") !== undefined).toBe(true);
  const path = "/apis/example.com/v1/namespaces/default/rafts/one?fieldManager=ann";
  const raft = (sent: object) => ({
    apiVersion: "example.com/v1",
    kind: "Raft",
    metadata: { name: "one" },
    spec: sent,
  });
  const nulls = { any: null, none: null, map: { a: null, b: { c: null } } };
  expect((await api.apply(path, raft(nulls))).body.spec).toEqual({ none: null, map: { b: { c: null } } });
  const unknown = { hull: { wood: "oak", deck: 1 }, crew: [{ name: "ann", rank: 1 }] };
  const { code, body } = await api.apply(path, raft(unknown));
  expect(code, JSON.stringify(body)).toBe(200);
  expect(body.spec).toEqual({ hull: { wood: "oak" }, crew: [{ name: "ann" }] });
  expect(body.metadata.managedFields[0].fieldsV1["f:spec"]["f:hull"]).toEqual({ "f:deck": {}, "f:wood": {} });
});

test.each([
  ["create", { status: { sails: "many" } }],
  ["create", { status: 5 }],
  ["update", { status: { sails: "many" } }],
  ["status", { spec: 5 }],
])("a %s whose discarded part has the wrong type leaves no managers", async (verb, wrong) => {
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  const boat = {
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { generateName: "odd-" },
    spec: { sails: 1 },
  };
  const created = await ground.api.post(boats, verb === "create" ? { ...boat, ...wrong } : boat);
  expect(created.code, JSON.stringify(created.body)).toBe(201);
  const path = `${boats}/${created.body.metadata.name}${verb === "status" ? "/status" : ""}`;
  const answer = verb === "create" ? created : await ground.api.mergePatch(path, wrong);
  expect(answer.code, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(answer.body.spec).toEqual({ sails: 1 });
  expect(answer.body.metadata.managedFields).toBeUndefined();
});

interface Member {
  readonly name: string;
  readonly rank: string;
}

/** Members of a crew: each manager has names of its own, the ranks are anything. */
const crewOf = (manager: string) =>
  fc.uniqueArray(
    fc.record({
      name: fc.nat(4).map((n) => `${manager}${n}`),
      rank: fc.constantFrom("cook", "captain", "cat"),
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  );

const steps = fc.array(
  fc
    .constantFrom("ann", "bob", "cid")
    .chain((manager) => fc.record({ manager: fc.constant(manager), crew: crewOf(manager) })),
  { minLength: 2, maxLength: 8 },
);

test("apply never loses a field of another manager, and always loses its own that are left out", async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const name = `boat-${number++}`;
      const path = `/apis/example.com/v1/namespaces/default/boats/${name}`;
      const wanted = new Map<string, readonly Member[]>();
      for (const { manager, crew } of all) {
        const object = {
          apiVersion: "example.com/v1",
          kind: "Boat",
          metadata: { name },
          spec: { sails: 1, crew },
        };
        const answer = await ground.api.apply(`${path}?fieldManager=${manager}`, object);
        expect(answer.code, JSON.stringify(answer.body)).toBeLessThan(202);
        wanted.set(manager, crew);
        const kept: Member[] = (await ground.api.get(path)).body.spec.crew ?? [];
        const byName = (a: Member, b: Member): number => (a.name < b.name ? -1 : 1);
        expect(kept.toSorted(byName)).toEqual([...wanted.values()].flat().toSorted(byName));
      }
    }),
    { numRuns: 60 },
  );
});

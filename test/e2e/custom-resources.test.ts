import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CustomObjectsApi, KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = "/apis/example.com/v1/namespaces/default/boats";

/** The first level whose definitions have all fields that are tried here. Updates that leave values as they were have a test of their own. */
const atLevel = ["--api-level=1.31", "--feature-gates=CRDValidationRatcheting=false"];
let server: ServerHere;
let api: ApiClient;

beforeAll(async () => {
  server = await startServerHere({ args: atLevel });
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

const conditionsOf = async (name: string) => {
  const { body } = await api.get(`${definitions}/${name}`);
  const conditions: { type: string; status: string; reason: string }[] = body.status?.conditions ?? [];
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
};

async function define(definition: { metadata: { name: string } }): Promise<void> {
  expect(await api.post(definitions, definition)).toMatchObject({ status: 201 });
  await vi.waitFor(
    async () =>
      expect(await conditionsOf(definition.metadata.name)).toMatchObject({
        NamesAccepted: "True NoConflicts",
        Established: "True InitialNamesAccepted",
      }),
    30_000,
  );
}

async function remove(name: string): Promise<void> {
  await api.delete(`${definitions}/${name}`);
  await vi.waitFor(async () => expect((await api.get(`${definitions}/${name}`)).status).toBe(404), 60_000);
}

test("a definition adds nothing to a version of built-in kinds, and may add another version to their group", async () => {
  const versions = [
    { ...boatVersion, name: "v1", storage: false },
    { ...boatVersion, name: "v7" },
  ];
  const definition = boatDefinition({ group: "storage.k8s.io", versions });
  const annotations = { "api-approved.kubernetes.io": "unapproved, for a test" };
  const metadata = { ...definition.metadata, annotations };
  await define({ ...definition, metadata });
  const boatsIn = (version: string) => api.get(`/apis/storage.k8s.io/${version}/namespaces/default/boats`);
  await vi.waitFor(async () => expect((await boatsIn("v7")).status).toBe(200), 60_000);
  expect((await boatsIn("v1")).status).toBe(404);
  const { body } = await api.get("/apis/storage.k8s.io/v1");
  const names = body.resources.map(({ name }: { name: string }) => name);
  expect(names).toContain("storageclasses");
  expect(names).not.toContain("boats");
  await remove(definition.metadata.name);
  expect((await api.get("/apis/storage.k8s.io/v1/storageclasses")).status).toBe(200);
});

test("a definition has no cache before its first object, which the garbage collector then knows", async () => {
  const definition = boatDefinition({ group: "unused.example.com" });
  const path = "/apis/unused.example.com/v1/namespaces/default/boats";
  const isCached = async (): Promise<boolean> =>
    /^watch_cache_capacity\{.*resource="(\*unused\.Boat|boats(\.unused\.example\.com)?)"\}/m.test(
      (await api.get("/metrics")).text,
    );
  await define(definition);
  // Emptying a namespace looks into every resource.
  await api.post("/api/v1/namespaces", { metadata: { name: "passing" } });
  await api.delete("/api/v1/namespaces/passing");
  await vi.waitFor(
    async () => expect((await api.get("/api/v1/namespaces/passing")).status).toBe(404),
    30_000,
  );
  expect(await isCached()).toBe(false);

  const object = { ...boat("fleet", { sails: 1 }), apiVersion: "unused.example.com/v1" };
  const { uid } = (await api.post(path, object)).body.metadata;
  const owner = { apiVersion: "unused.example.com/v1", kind: "Boat", name: "fleet", uid };
  const maps = "/api/v1/namespaces/default/configmaps";
  expect(await api.post(maps, { metadata: { name: "owned", ownerReferences: [owner] } })).toMatchObject({
    status: 201,
  });
  await api.delete(`${path}/fleet`);
  await vi.waitFor(async () => expect((await api.get(`${maps}/owned`)).status).toBe(404), 60_000);
  expect(await isCached()).toBe(true);
  await remove("boats.unused.example.com");
});

describe("a custom resource", () => {
  beforeAll(() => define(boatDefinition()));
  afterAll(() => remove("boats.example.com"));

  test("must state its type, and keeps it in lists", async () => {
    const whole = boat("typed");
    const { metadata } = whole;
    const refusals: [object, number, string][] = [
      [
        { metadata },
        400,
        `the object provided is unrecognized (must be of type Boat): Object 'Kind' is missing in '{"metadata":{"name":"typed"}}' ({"metadata":{"name":"typed"}})`,
      ],
      [
        { kind: "Boat", metadata },
        400,
        "the API version in the data () does not match the expected API version (example.com/v1)",
      ],
      [
        { ...whole, apiVersion: "example.com/v7" },
        400,
        "the API version in the data (example.com/v7) does not match the expected API version (example.com/v1)",
      ],
      [
        { ...whole, kind: "Ship" },
        422,
        'Ship.example.com "typed" is invalid: kind: Invalid value: "Ship": must be Boat',
      ],
    ];
    for (const [object, status, message] of refusals) {
      expect(await api.post(boats, object)).toMatchObject({ status, body: { message } });
    }
    expect((await api.post(boats, whole)).status).toBe(201);
    const merge = (change: object) => api.patch(`${boats}/typed`, "application/merge-patch+json", change);
    expect(await merge({ kind: "Ship" })).toMatchObject({
      status: 422,
      body: { message: 'Ship.example.com "typed" is invalid: kind: Invalid value: "Ship": must be Boat' },
    });
    expect(await merge({ apiVersion: "example.com/v7" })).toMatchObject({
      status: 422,
      body: {
        message:
          'Boat.example.com "typed" is invalid: apiVersion: Invalid value: "example.com/v7": must be example.com/v1',
      },
    });
    expect((await merge({ kind: null })).body.message).toMatch(/: Object 'Kind' is missing in '{/);
    for (const accept of ["application/json", "application/yaml"]) {
      const { text } = await api.ask("GET", `${boats}?limit=1`, { headers: { accept } });
      expect(parse(text)).toMatchObject({
        kind: "BoatList",
        items: [{ apiVersion: "example.com/v1", kind: "Boat", metadata: { name: "typed" } }],
      });
    }
    for (const path of [boats, `${boats}/typed`]) {
      const { status, text } = await api.ask("HEAD", path);
      expect([status, text]).toEqual([200, ""]);
    }
    const pretty = (await api.get(`${boats}?pretty=true`)).body;
    expect(pretty.items[0]).toMatchObject({ apiVersion: "example.com/v1", kind: "Boat" });
    const { items } = (await api.delete(boats)).body;
    expect(items).toMatchObject([
      { apiVersion: "example.com/v1", kind: "Boat", metadata: { name: "typed" } },
    ]);
  });

  test("is pruned, filled in and checked by its schema", async () => {
    const created = await api.post(boats, boat("pruned", { colour: "blue", anchor: 1 }));
    expect(created).toMatchObject({ status: 201, body: { spec: { colour: "blue", sails: 1 } } });
    expect(created.body.spec).not.toHaveProperty("anchor");
    expect(created.body.metadata).toMatchObject({ generation: 1, namespace: "default" });

    const strict = await api.post(`${boats}?fieldValidation=Strict`, {
      ...boat("strict", { crew: [{ name: "a", age: 1 }] }),
      metadata: { name: "strict", colour: "red" },
    });
    expect(strict).toMatchObject({ status: 400 });
    expect(strict.body.message).toContain(
      'strict decoding error: unknown field "metadata.colour", unknown field "spec.crew[0].age"',
    );
    const raw =
      '{"apiVersion":"example.com/v1","kind":"Boat","zz":1,"metadata":{"name":"a","z":1,"a":2},"zz":2,"aa":1,"spec":{"y":1,"b":2,"b":3}}';
    const ordered = await api.ask("POST", `${boats}?fieldValidation=Strict`, {
      raw,
      contentType: "application/json",
    });
    expect(ordered.body.message.split("strict decoding error: ")[1]?.split(", ")).toEqual([
      'duplicate field "zz"',
      'duplicate field "spec.b"',
      ...["metadata.a", "metadata.z", "aa", "spec.b", "spec.y", "zz"].map(
        (path) => `unknown field "${path}"`,
      ),
    ]);
    const warned = await api.post(`${boats}?fieldValidation=Warn&dryRun=All`, boat("warned", { anchor: 1 }));
    expect(warned.headers.warning).toBe('299 - "unknown field \\"spec.anchor\\""');

    const invalid = await api.post(
      boats,
      boat("bad", { colour: "green", sails: -1, crew: [{ name: "a" }, { name: "a" }] }),
    );
    expect(invalid.status).toBe(422);
    expect(
      invalid.body.details.causes.map(({ field, message }: Record<string, string>) => `${field}: ${message}`),
    ).toEqual([
      'spec.colour: Unsupported value: "green": supported values: "red", "blue"',
      "spec.sails: Invalid value: -1: spec.sails in body should be greater than or equal to 0",
      ".spec.sails: Invalid value: -1: should be a non-negative integer",
      'spec.crew[1]: Duplicate value: map[string]interface {}{"name":"a"}',
    ]);
  });

  test("keeps spec and status apart, and counts generations of the spec", async () => {
    await api.post(boats, { ...boat("parts"), status: { sails: 5 } });
    const before = (await api.get(`${boats}/parts`)).body;
    expect(before).not.toHaveProperty("status");
    const status = await api.put(`${boats}/parts/status`, {
      ...before,
      metadata: { ...before.metadata, labels: { written: "with-the-status" } },
      status: { sails: 2 },
      spec: { sails: 9 },
    });
    expect(status.body.metadata.labels).toEqual(before.metadata.labels);
    expect(status.body).toMatchObject({
      status: { sails: 2 },
      spec: { sails: 1 },
      metadata: { generation: 1 },
    });
    const main = await api.put(`${boats}/parts`, {
      ...status.body,
      status: {},
      spec: { colour: "red", sails: 3 },
    });
    expect(main.body).toMatchObject({
      status: { sails: 2 },
      spec: { sails: 3 },
      metadata: { generation: 2 },
    });
    const other = { ...main.body, kind: "Ship", status: { sails: 4 } };
    expect((await api.put(`${boats}/parts`, other)).status).toBe(422);
    expect(await api.put(`${boats}/parts/status`, other)).toMatchObject({
      status: 200,
      body: { kind: "Boat", status: { sails: 4 }, spec: { sails: 3 } },
    });
    const merge = "application/merge-patch+json";
    const change = { kind: "Ship", status: { sails: 5 } };
    expect(await api.patch(`${boats}/parts/status`, merge, change)).toMatchObject({
      status: 200,
      body: { kind: "Boat", status: { sails: 5 } },
    });
    const unversioned = await api.put(`${boats}/parts`, boat("parts"));
    expect(unversioned.body.message).toBe(
      `boats.example.com "${unversioned.body.details.name}" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`,
    );
  });

  test("scales", async () => {
    await api.post(boats, boat("scaled"));
    const merge = "application/merge-patch+json";
    const scaled = await api.patch(`${boats}/scaled/scale`, merge, { spec: { replicas: 4 } });
    expect(scaled.body).toMatchObject({ kind: "Scale", spec: { replicas: 4 } });
    expect((await api.get(`${boats}/scaled`)).body).toMatchObject({
      spec: { sails: 4 },
      metadata: { generation: 2 },
    });
    const negative = await api.patch(`${boats}/scaled/scale`, merge, { spec: { replicas: -4 } });
    expect(negative).toMatchObject({
      status: 422,
      body: { details: { kind: "Boat", group: "example.com" } },
    });
    expect(negative.body.details.causes).toContainEqual({
      reason: "FieldValueInvalid",
      field: ".spec.sails",
      message: "Invalid value: -4: should be a non-negative integer",
    });
    const strategic = "application/strategic-merge-patch+json";
    expect(await api.patch(`${boats}/scaled/scale`, strategic, { spec: { replicas: 5 } })).toMatchObject({
      status: 415,
    });
  });

  test("refuses other verbs of its parts by name", async () => {
    await api.post(boats, boat("refusing"));
    for (const [method, part, verb] of [
      ["DELETE", "status", "delete"],
      ["POST", "status", "create"],
      ["DELETE", "scale", "delete"],
    ] as const) {
      expect(await api.ask(method, `${boats}/refusing/${part}`)).toMatchObject({
        status: 405,
        body: {
          reason: "MethodNotAllowed",
          message: `${verb} is not supported on resources of kind "boats.example.com"`,
          details: { group: "example.com", kind: "boats" },
        },
      });
    }
  });

  test("has every patch but the strategic one", async () => {
    await api.post(boats, boat("patched"));
    const one = `${boats}/patched`;
    const json = await api.patch(one, "application/json-patch+json", [
      { op: "add", path: "/spec/sails", value: 2 },
    ]);
    expect(json.body.spec.sails).toBe(2);
    const merged = await api.patch(one, "application/merge-patch+json", { spec: { sails: 3 } });
    expect(merged.body.spec.sails).toBe(3);
    const strategic = await api.patch(one, "application/strategic-merge-patch+json", { spec: { sails: 4 } });
    expect(strategic).toMatchObject({ status: 415 });
    expect(strategic.body.message).not.toContain("strategic");
  });

  test("is applied by the lists of its schema", async () => {
    const apply = (manager: string, spec: object, force = false) =>
      api.patch(
        `${boats}/applied?fieldManager=${manager}&force=${force}`,
        "application/apply-patch+yaml",
        boat("applied", spec),
      );
    expect((await apply("a", { crew: [{ name: "ann", rank: "captain" }] })).status).toBe(201);
    const both = await apply("b", { crew: [{ name: "bob" }] });
    expect(both.body.spec.crew.map(({ name }: { name: string }) => name)).toEqual(["ann", "bob"]);
    expect((await apply("b", { crew: [{ name: "ann", rank: "cook" }] })).body.reason).toBe("Conflict");
    const left = await apply("a", { colour: "blue" });
    expect(left.body.spec.crew).toEqual([{ name: "bob" }]);
    const unknown = await apply("a", { anchor: 1 });
    expect(unknown.body.message).toContain("field not declared in schema");
  });

  test("is listed in chunks, by fields and labels, and as a table", async () => {
    const blue = await api.get(`${boats}?fieldSelector=spec.colour%3Dblue`);
    expect(blue.body.items.every(({ spec }: { spec: { colour: string } }) => spec.colour === "blue")).toBe(
      true,
    );
    expect(blue.body.items.length).toBeGreaterThan(0);
    expect((await api.get(`${boats}?fieldSelector=spec.sails%3D1`)).status).toBe(400);
    const chunk = await api.get(`${boats}?limit=1`);
    expect(chunk.body.items).toHaveLength(1);
    expect(chunk.body.metadata.continue).not.toBe("");
    const table = await api.ask("GET", `${boats}/parts`, {
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      "Name",
      "Sails",
      "Ready",
      "Age",
      "Colour",
    ]);
    expect(table.body.rows[0].cells).toEqual(["parts", 3, null, expect.stringMatching(/^\d+s$/), "red"]);
  });

  test("is in discovery and OpenAPI", async () => {
    const resources = (await api.get("/apis/example.com/v1")).body.resources;
    expect(resources.map(({ name }: { name: string }) => name)).toEqual([
      "boats",
      "boats/status",
      "boats/scale",
    ]);
    expect(resources[0]).toMatchObject({
      singularName: "boat",
      shortNames: ["bt"],
      categories: ["all"],
      verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    });
    const v2 = (await api.get("/openapi/v2")).body;
    expect(v2.definitions["com.example.v1.Boat"].properties.spec.properties.sails.description).toBe(
      "How many sails.",
    );
    const v3 = (await api.get("/openapi/v3/apis/example.com/v1")).body;
    expect(v3.components.schemas["com.example.v1.Boat"].properties.spec.properties.colour.enum).toEqual([
      "red",
      "blue",
    ]);
  });

  test("works with kubectl as a built-in kind does", async () => {
    const { kubectl123, kubectlCurrent } = clientBinaries();
    for (const kubectl of [kubectl123, kubectlCurrent]) {
      const home = mkdtempSync(join(tmpdir(), "boats-"));
      const run = async (args: string, input?: string) => {
        const done = await runClient(kubectl, args.split(" "), {
          kubeconfig: server.kubeconfig,
          home,
          ...(input !== undefined && { input }),
        });
        return `${done.stdout}${done.stderr}`;
      };
      expect(await run("apply -f -", JSON.stringify(boat("kubectl")))).toContain("boat.example.com/kubectl");
      expect(await run("get all")).toContain("boat.example.com/kubectl");
      expect(await run("get bt kubectl")).toMatch(/NAME +SAILS +READY +AGE\n/);
      expect(await run("get bt kubectl -o wide")).toMatch(/COLOUR\n/);
      expect(await run("explain boats.spec.sails")).toContain("How many sails.");
      expect(await run("scale boat kubectl --replicas=2")).toContain("scaled");
      expect(await run("delete boat kubectl")).toContain("deleted");
      rmSync(home, { recursive: true });
    }
  });
});

describe("the life of a definition", () => {
  test("ends watches, deletes what is there and refuses to create", async () => {
    await define(boatDefinition());
    await api.post(boats, { ...boat("held"), metadata: { name: "held", finalizers: ["example.com/hold"] } });
    await api.delete(`${definitions}/boats.example.com`);
    await expect
      .poll(() => conditionsOf("boats.example.com"))
      .toMatchObject({ Terminating: "True InstanceDeletionInProgress" });
    const refused = await api.post(boats, boat("late"));
    expect(refused).toMatchObject({ status: 405 });
    expect(refused.body.message).toBe("create not allowed while custom resource definition is terminating");
    await api.patch(`${boats}/held`, "application/merge-patch+json", { metadata: { finalizers: null } });
    await expect.poll(async () => (await api.get(`${definitions}/boats.example.com`)).status).toBe(404);
    expect((await api.get(boats)).status).toBe(404);
    expect((await api.get("/apis/example.com")).status).toBe(404);

    await define(boatDefinition());
    expect((await api.get(boats)).body.items).toEqual([]);
    await remove("boats.example.com");
  });

  test("comes back with another schema, for clients that knew the former one", async () => {
    const { kubectlCurrent } = clientBinaries();
    const home = mkdtempSync(join(tmpdir(), "boats-"));
    const run = async (args: string, input?: object) => {
      const done = await runClient(kubectlCurrent, args.split(" "), {
        kubeconfig: server.kubeconfig,
        home,
        ...(input !== undefined && { input: JSON.stringify(input) }),
      });
      return `${done.stdout}${done.stderr}`;
    };
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    const client = config.makeApiClient(CustomObjectsApi);
    const place = { group: "example.com", version: "v1", plural: "boats", namespace: "default" };

    await define(boatDefinition());
    expect(await run("apply -f -", boat("first"))).toContain("boat.example.com/first created");
    expect(await client.getNamespacedCustomObject({ ...place, name: "first" })).toMatchObject({
      spec: { sails: 1, colour: "red" },
    });
    await remove("boats.example.com");

    const masts = {
      type: "object",
      properties: { masts: { type: "integer", description: "How many masts.", maximum: 4 } },
    };
    const openAPIV3Schema = { type: "object", properties: { spec: masts } };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
    await define(boatDefinition({ versions: [version] }));
    expect(await client.listNamespacedCustomObject(place)).toMatchObject({ items: [] });
    const body = { ...boat("second"), spec: { masts: 2, sails: 3 } };
    expect(await client.createNamespacedCustomObject({ ...place, body })).toMatchObject({
      spec: { masts: 2 },
    });
    expect(await client.getNamespacedCustomObject({ ...place, name: "second" })).not.toHaveProperty(
      "spec.sails",
    );
    await expect(
      client.createNamespacedCustomObject({ ...place, body: { ...body, spec: { masts: 5 } } }),
    ).rejects.toThrow("should be less than or equal to 4");
    expect(await run("explain boats.spec.masts")).toContain("How many masts.");
    expect(await run("apply --server-side -f -", { ...boat("third"), spec: { masts: 1 } })).toContain(
      "serverside-applied",
    );
    expect(await run("apply -f -", { ...boat("fourth"), spec: { sails: 1 } })).toMatch(
      /unknown field "?(spec\.)?sails/,
    );
    expect(await run("get boats")).toMatch(/NAME +AGE\n/);
    rmSync(home, { recursive: true });
    await remove("boats.example.com");
  });

  test("names that another definition has are not accepted until they are free", async () => {
    await define(boatDefinition());
    const ships = boatDefinition();
    ships.metadata.name = "ships.example.com";
    ships.spec.names = {
      plural: "ships",
      singular: "ship",
      kind: "Boat",
      shortNames: ["bt"],
      categories: [],
    };
    expect((await api.post(definitions, ships)).status).toBe(201);
    await expect
      .poll(() => conditionsOf("ships.example.com"))
      .toMatchObject({
        NamesAccepted: "False ListKindConflict",
        Established: "False NotAccepted",
      });
    expect((await api.get("/apis/example.com/v1/ships")).status).toBe(404);
    const rafts = structuredClone(ships);
    Object.assign(rafts.metadata, { name: "rafts.example.com", finalizers: ["example.com/hold"] });
    Object.assign(rafts.spec.names, { plural: "rafts", singular: "raft" });
    expect((await api.post(definitions, rafts)).status).toBe(201);
    await api.delete(`${definitions}/rafts.example.com`);
    await expect
      .poll(() => conditionsOf("rafts.example.com"))
      .toMatchObject({ Terminating: "False NeverEstablished" });
    const merge = "application/merge-patch+json";
    await api.patch(`${definitions}/rafts.example.com`, merge, { metadata: { finalizers: null } });
    await remove("boats.example.com");
    await expect
      .poll(() => conditionsOf("ships.example.com"))
      .toMatchObject({ Established: "True InitialNamesAccepted" });
    expect((await api.get("/apis/example.com/v1/ships")).status).toBe(200);
    await remove("ships.example.com");
  });

  test("its versions and schemas change while it is served", async () => {
    const v1beta1 = {
      ...boatVersion,
      name: "v1beta1",
      storage: false,
      deprecated: true,
      selectableFields: undefined,
      // Versions with one schema have the same selectable fields.
      schema: {
        openAPIV3Schema: { ...boatVersion.schema.openAPIV3Schema, description: "A thing that floated." },
      },
    };
    await define(boatDefinition({ versions: [boatVersion, v1beta1] }));
    await api.post(boats, boat("old"));
    const old = await api.get("/apis/example.com/v1beta1/namespaces/default/boats/old");
    expect(old.body).toMatchObject({ apiVersion: "example.com/v1beta1", spec: { sails: 1 } });
    expect(old.headers.warning).toContain("example.com/v1beta1 Boat is deprecated; use example.com/v1 Boat");
    const selected = (version: string) =>
      api.get(`/apis/example.com/${version}/namespaces/default/boats?fieldSelector=spec.colour%3Dred`);
    expect((await selected("v1")).body.items).toMatchObject([{ metadata: { name: "old" } }]);
    expect(await selected("v1beta1")).toMatchObject({ status: 400 });

    const current = (await api.get(`${definitions}/boats.example.com`)).body;
    current.spec.versions[0].storage = false;
    current.spec.versions[0].served = false;
    current.spec.versions[1].storage = true;
    const changed = await api.put(`${definitions}/boats.example.com`, current);
    expect(changed.body.status.storedVersions).toEqual(["v1", "v1beta1"]);
    await expect.poll(async () => (await api.get(boats)).status).toBe(404);
    const list = await api.get("/apis/example.com/v1beta1/namespaces/default/boats");
    expect(list.body.items).toMatchObject([{ metadata: { name: "old" }, spec: { colour: "red" } }]);
    await remove("boats.example.com");
  });

  test("a list that becomes atomic belongs as a whole to those who owned its items", async () => {
    await define(boatDefinition());
    const apply = (manager: string, crew: readonly object[], query = "") =>
      api.patch(`${boats}/crewed?fieldManager=${manager}${query}`, "application/apply-patch+yaml", {
        ...boat("crewed"),
        spec: { crew },
      });
    const [ann, bob] = [
      { name: "ann", rank: "captain" },
      { name: "bob", rank: "mate" },
    ];
    expect((await apply("first", [ann])).status).toBe(201);
    expect((await apply("second", [bob])).body.spec.crew).toEqual([ann, bob]);

    const switchTo = async (listType: string) => {
      const current = (await api.get(`${definitions}/boats.example.com`)).body;
      const { crew } = current.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
      crew["x-kubernetes-list-type"] = listType;
      if (listType === "map") crew["x-kubernetes-list-map-keys"] = ["name"];
      else delete crew["x-kubernetes-list-map-keys"];
      expect((await api.put(`${definitions}/boats.example.com`, current)).status).toBe(200);
    };
    await switchTo("atomic");
    await expect
      .poll(async () => (await apply("first", [ann])).body.message)
      .toBe('Apply failed with 1 conflict: conflict with "second": .spec.crew');
    const forced = (await apply("first", [ann], "&force=true")).body;
    expect(forced.spec.crew).toEqual([ann]);
    const owned = (object: typeof forced) =>
      object.metadata.managedFields.map((entry: { manager: string; fieldsV1: { "f:spec": object } }) => [
        entry.manager,
        entry.fieldsV1["f:spec"],
      ]);
    expect(owned(forced)).toEqual([["first", { "f:crew": {} }]]);

    await switchTo("map");
    await expect.poll(async () => (await apply("second", [bob])).body.spec?.crew).toEqual([ann, bob]);
    await remove("boats.example.com");
  });

  test("a version that lacks a field of the object keeps others from being applied while it has a manager", async () => {
    const { selectableFields: _, ...version } = boatVersion;
    await define(boatDefinition({ versions: [version, { ...version, name: "v1beta1", storage: false }] }));
    const apply = (version: string, manager: string, spec: object) =>
      api.patch(
        `/apis/example.com/${version}/namespaces/default/boats/mixed?fieldManager=${manager}`,
        "application/apply-patch+yaml",
        { ...boat("mixed"), apiVersion: `example.com/${version}`, spec },
      );
    expect((await apply("v1beta1", "first", { sails: 1 })).status).toBe(201);
    expect((await apply("v1", "second", { colour: "red" })).status).toBe(200);
    const current = (await api.get(`${definitions}/boats.example.com`)).body;
    const { spec } = current.spec.versions[0].schema.openAPIV3Schema.properties;
    spec.properties.flag = { type: "string", default: "white" };
    expect((await api.put(`${definitions}/boats.example.com`, current)).status).toBe(200);

    const refused = { code: 400, message: ".spec.flag: field not declared in schema" };
    await expect
      .poll(async () => (await apply("v1", "second", { colour: "red" })).body)
      .toMatchObject(refused);
    const merge = "application/merge-patch+json";
    const patched = await api.patch(`${boats}/mixed`, merge, { spec: { sails: 2 } });
    expect([patched.status, patched.body.metadata.managedFields]).toEqual([200, undefined]);
    const applied = (await apply("v1", "second", { colour: "red" })).body;
    const managers = applied.metadata.managedFields.map(({ manager }: { manager: string }) => manager);
    expect(managers).toEqual(["second", "before-first-apply"]);
    await remove("boats.example.com");
  });

  test("a default that comes later is in every read of what was stored before", async () => {
    await define(boatDefinition());
    await api.post(boats, boat("older"));
    const current = (await api.get(`${definitions}/boats.example.com`)).body;
    const { spec } = current.spec.versions[0].schema.openAPIV3Schema.properties;
    spec.properties.flag = { type: "string", default: "white" };
    spec.properties.home = {
      type: "object",
      default: {},
      properties: { port: { type: "string", default: "Kiel" } },
    };
    expect((await api.put(`${definitions}/boats.example.com`, current)).status).toBe(200);
    const filled = { spec: { flag: "white", home: { port: "Kiel" } } };
    await expect.poll(async () => (await api.get(`${boats}/older`)).body).toMatchObject(filled);
    expect((await api.get(boats)).body.items).toMatchObject([filled]);
    for await (const { type, object } of api.watch(`${boats}?watch=true`)) {
      expect({ type, object }).toMatchObject({ type: "ADDED", object: filled });
      break;
    }
    const merge = "application/merge-patch+json";
    const labelled = await api.patch(`${boats}/older`, merge, { metadata: { labels: { a: "b" } } });
    expect(labelled.body).toMatchObject({ ...filled, metadata: { generation: 1 } });
    await remove("boats.example.com");
  });

  test("a version shows only the fields of its own schema", async () => {
    const specOf = (properties: object) => ({
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
    });
    const integer = { type: "integer" };
    const stored = {
      name: "v1",
      served: true,
      storage: true,
      schema: specOf({ sails: integer, oars: integer }),
    };
    const other = { name: "v2", served: true, storage: false, schema: specOf({ sails: integer }) };
    await define(boatDefinition({ versions: [stored, other] }));
    const path = "/apis/example.com/v2/namespaces/default/boats";
    expect((await api.post(boats, boat("narrow", { sails: 1, oars: 2 }))).status).toBe(201);
    const labels = { "a.b/c": "d" };
    const merge = "application/merge-patch+json";
    expect((await api.patch(`${boats}/narrow`, merge, { metadata: { labels } })).status).toBe(200);
    for (const { body } of [await api.get(`${path}/narrow`), await api.get(path)]) {
      const [object] = body.items ?? [body];
      expect(object).toMatchObject({ apiVersion: "example.com/v2", kind: "Boat", metadata: { labels } });
      expect(object.spec).toEqual({ sails: 1 });
    }
    expect((await api.get(`${boats}/narrow`)).body.spec).toEqual({ sails: 1, oars: 2 });
    const deleted = await api.delete(path);
    expect(deleted.body.items[0].spec).toEqual({ sails: 1 });
    await remove("boats.example.com");
  });

  async function restart(): Promise<void> {
    await api.close();
    await server.stop();
    const { dataDirectory, port } = server;
    server = await startServerHere({ args: atLevel, dataDirectory, port });
    api = new ApiClient(server);
  }

  test("what is written in another version is at once what a restarted server reads", async () => {
    const schemaOf = (properties: object) => ({
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
    });
    const integer = { type: "integer" };
    const oars = { type: "integer", default: 4 };
    const stored = { name: "v1", served: true, storage: true, schema: schemaOf({ sails: integer, oars }) };
    const other = {
      name: "v2",
      served: true,
      storage: false,
      schema: schemaOf({ sails: integer, masts: integer }),
    };
    await define(boatDefinition({ versions: [stored, other] }));
    const path = "/apis/example.com/v2/namespaces/default/boats";
    const written = { ...boat("broad", { sails: 1, masts: 2 }), apiVersion: "example.com/v2" };
    expect((await api.post(path, written)).status).toBe(201);
    const expected = { sails: 1, oars: 4 };
    expect((await api.get(`${boats}/broad`)).body.spec).toEqual(expected);
    await restart();
    await expect.poll(async () => (await api.get(`${boats}/broad`)).body?.spec).toEqual(expected);
    const sails = { ...boat("broad", { sails: 1 }), apiVersion: "example.com/v2" };
    const { resourceVersion } = (await api.get(`${path}/broad`)).body.metadata;
    const again = await api.put(`${path}/broad`, { ...sails, metadata: { name: "broad", resourceVersion } });
    expect([again.status, again.body.metadata.generation]).toEqual([200, 1]);
    const patched = await api.patch(`${path}/broad`, "application/merge-patch+json", { spec: { sails: 3 } });
    expect([patched.status, patched.body.metadata.generation]).toEqual([200, 2]);
    expect((await api.get(`${boats}/broad`)).body.spec).toEqual({ sails: 3, oars: 4 });
    await remove("boats.example.com");
  });

  test("survives a restart of the server", async () => {
    await define(boatDefinition());
    await api.post(boats, boat("kept"));
    await restart();
    await expect
      .poll(async () => (await api.get(`${boats}/kept`)).body?.spec)
      .toMatchObject({ colour: "red" });
    await remove("boats.example.com");
  });
});

test("objects stay readable when their schema gets stricter", async () => {
  const specOf = (schema: object) => ({
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: schema } } },
  });
  const preserved = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const withSpec = (schema: object) =>
    boatDefinition({
      group: "strict.example.com",
      versions: [{ name: "v1", served: true, storage: true, schema: specOf(schema) }],
    });
  const path = "/apis/strict.example.com/v1/namespaces/default/boats";
  await define(withSpec({ cargo: preserved, closed: preserved }));
  const cargoes = {
    number: { apiVersion: 1, kind: "Box", metadata: { name: "x", labels: { a: 1 }, unknown: true } },
    text: { apiVersion: "v1", kind: "Box", metadata: "x" },
    none: { apiVersion: "v1", kind: "Box", metadata: null },
  };
  for (const [name, cargo] of Object.entries(cargoes)) {
    const object = { ...boat(name, { cargo, closed: { a: 1 } }), apiVersion: "strict.example.com/v1" };
    expect((await api.post(path, object)).status).toBe(201);
  }
  const { body: definition } = await api.get(`${definitions}/boats.strict.example.com`);
  const [version] = definition.spec.versions;
  version.schema = specOf({
    cargo: { ...preserved, "x-kubernetes-embedded-resource": true },
    closed: { type: "object", additionalProperties: false },
  });
  expect((await api.put(`${definitions}/boats.strict.example.com`, definition)).status).toBe(200);
  const { items } = (await api.get(path)).body;
  const cargoOf = ({ metadata, spec }: { metadata: { name: string }; spec: { cargo: object } }) => [
    metadata.name,
    spec.cargo,
  ];
  expect(Object.fromEntries(items.map(cargoOf))).toEqual({
    number: { kind: "Box", metadata: { name: "x" } },
    text: { apiVersion: "v1", kind: "Box" },
    none: { apiVersion: "v1", kind: "Box", metadata: {} },
  });
  expect(items[0].spec.closed).toEqual({ a: 1 });
  const touched = await api.patch(`${path}/number`, "application/merge-patch+json", {
    metadata: { labels: { a: "b" } },
  });
  expect(touched.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
    "spec.closed",
    "spec.cargo.apiVersion",
  ]);
  const refused = await api.post(path, {
    ...boat("new", { cargo: cargoes.text }),
    apiVersion: "strict.example.com/v1",
  });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      message:
        'Boat in version "v1" cannot be handled as a Boat: spec.cargo.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    },
  });
  await remove("boats.strict.example.com");
});

describe("what a write drops or adds", () => {
  const group = "partial.example.com";
  const path = `/apis/${group}/v1/namespaces/default/boats`;
  const member = { type: "integer", default: 7 };
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          d: member,
          size: { type: "object", properties: { replicas: { type: "integer" }, d: member } },
        },
      },
      status: { type: "object", default: {}, properties: { replicas: { type: "integer" }, d: member } },
    },
  };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.size.replicas", statusReplicasPath: ".status.replicas" },
    },
    schema: { openAPIV3Schema: schema },
  };
  const bare = (name: string, labels = {}) => ({
    apiVersion: `${group}/v1`,
    kind: "Boat",
    metadata: { name, labels },
  });
  const whole = { spec: { d: 7, size: { replicas: 3, d: 7 } }, status: { d: 7 } };

  async function scale(name: string, replicas = 3): Promise<void> {
    const put = await api.put(`${path}/${name}/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name, namespace: "default" },
      spec: { replicas },
    });
    expect(put).toMatchObject({ status: 200, body: { spec: { replicas } } });
  }

  beforeAll(() => define(boatDefinition({ group, versions: [version] })));
  afterAll(() => remove(`boats.${group}`));

  test("has its defaults in the answer of a create", async () => {
    const created = await api.post(path, bare("created"));
    expect(created.body.status).toEqual({ d: 7 });
    const pretended = await api.post(`${path}?dryRun=All`, bare("pretended"));
    expect(pretended.body.status).toEqual({ d: 7 });
    expect(created.body).not.toHaveProperty("spec");
  });

  test("has its defaults after a scale, in every answer", async () => {
    const labels = { made: "by-scale" };
    const partOf = ({ spec, status }: { spec?: object; status?: object }) => ({ spec, status });
    for (const name of ["a", "b", "c"]) {
      expect((await api.post(path, bare(name, labels))).status).toBe(201);
      await scale(name);
      expect(partOf((await api.get(`${path}/${name}`)).body)).toEqual(whole);
    }
    const merge = "application/merge-patch+json";
    const touched = await api.patch(`${path}/b`, merge, { metadata: { labels: { touched: "yes" } } });
    expect(partOf(touched.body)).toEqual(whole);
    expect(touched.body.metadata.generation).toBe(2);
    const held = await api.patch(`${path}/c`, merge, { metadata: { finalizers: ["example.com/hold"] } });
    expect(partOf(held.body)).toEqual(whole);

    const listed = await api.get(`${path}?labelSelector=made=by-scale`);
    expect(listed.body.items.map(partOf)).toEqual([whole, whole, whole]);
    const terminating = await api.delete(`${path}/c`);
    expect(partOf(terminating.body)).toEqual(whole);
    const deleted = await api.delete(`${path}?labelSelector=made=by-scale`);
    expect(deleted.body.items.map(partOf)).toEqual([whole, whole, whole]);
    const released = await api.patch(`${path}/c`, merge, { metadata: { finalizers: null } });
    expect(partOf(released.body)).toEqual(whole);

    const since = listed.body.metadata.resourceVersion;
    const watch = `${path}?watch=true&resourceVersion=${since}&labelSelector=made=by-scale`;
    const gone = new Map<string, unknown>();
    for await (const { type, object } of api.watch(watch)) {
      if (type === "DELETED") gone.set(object.metadata.name, partOf(object));
      if (gone.size === 3) break;
    }
    expect(gone).toEqual(new Map(["a", "b", "c"].map((name) => [name, whole])));
  });
});

test("a small object of a kind with a very large schema is written in a lane, and read without one", async () => {
  const other = await startServerHere({ args: ["--lane-request-bytes=3000"] });
  const client = new ApiClient(other);
  const answeredByLanes = async (): Promise<number> => {
    const line = /^apiserver_lane_request_duration_seconds_count (\d+)$/m.exec(
      (await client.get("/metrics")).text,
    );
    return Number(line?.[1] ?? 0);
  };
  const path = (group: string) => `/apis/${group}/v1/namespaces/default/boats`;
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, { type: "string" }]));
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: many } } },
  };
  const small = { openAPIV3Schema: { type: "object" } };
  for (const [group, declared] of [
    ["large.example.com", schema],
    ["small.example.com", small],
  ] as const) {
    const version = { name: "v1", served: true, storage: true, schema: declared };
    expect((await client.post(definitions, boatDefinition({ group, versions: [version] }))).status).toBe(201);
    await vi.waitFor(async () => expect((await client.get(path(group))).status).toBe(200), 60_000);
    const before = await answeredByLanes();
    const object = { apiVersion: `${group}/v1`, kind: "Boat", metadata: { name: "a" } };
    expect((await client.post(path(group), object)).status).toBe(201);
    const inLanes = declared === schema ? 1 : 0;
    expect(await answeredByLanes()).toBe(before + inLanes);
    expect((await client.get(`${path(group)}/a`)).status).toBe(200);
    expect(await answeredByLanes()).toBe(before + inLanes);
    const merge = "application/merge-patch+json";
    expect((await client.patch(`${path(group)}/a`, merge, { metadata: { labels: { a: "b" } } })).status).toBe(
      200,
    );
    expect(await answeredByLanes()).toBe(before + 2 * inLanes);
  }
  await client.close();
  await other.dispose();
});

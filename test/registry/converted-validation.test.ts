import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { TestAuthority } from "../support/test-authority.js";
import type { Answer } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** A webhook converts to v1, which is stored: updates in v2 are checked against the object before, as v2 shows it. */
const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com";
const boats = (version: string, name = "") => `/apis/example.com/${version}/namespaces/default/boats${name}`;

interface Boat {
  readonly apiVersion: string;
  readonly spec?: Record<string, unknown>;
}

/** What v1 calls `sails`, v2 calls `masts`. */
function converted(boat: Boat, apiVersion: string): object {
  const { sails, masts, ...spec } = boat.spec ?? {};
  const count = sails ?? masts;
  const field = apiVersion.endsWith("v2") ? "masts" : "sails";
  return { ...boat, apiVersion, spec: { ...spec, ...(count !== undefined && { [field]: count }) } };
}

interface Limits {
  readonly colour?: object;
  readonly afloat?: object;
}

const version = (name: string, field: string, limits: Limits = {}, rules: readonly object[] = []) => ({
  name,
  served: true,
  storage: name === "v1",
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            [field]: { type: "integer" },
            colour: { type: "string", ...limits.colour },
            flag: { type: "string", default: "white" },
          },
          "x-kubernetes-validations": rules,
        },
        status: { type: "object", properties: { afloat: { type: "integer", ...limits.afloat } } },
      },
    },
  },
});

let ground: ApiGround;
let peer: RemotePeer;
/** Of the objects that the webhook was sent. */
const namespaces = new Set<unknown>();

async function expectCode(code: number, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  expect(answer.code, JSON.stringify(answer.body)).toBe(code);
  return answer;
}

const merge = (code: number, path: string, change: object) =>
  expectCode(code, ground.api.mergePatch(path, change));

beforeAll(async () => {
  const authority = await TestAuthority.create("converted-validation");
  peer = await startRemotePeer({ authority }, ({ body }) => {
    const { request, ...review } = JSON.parse(body);
    for (const { metadata } of request.objects) namespaces.add(metadata.namespace);
    const convertedObjects = request.objects.map((boat: Boat) => converted(boat, request.desiredAPIVersion));
    const response = { uid: request.uid, convertedObjects, result: { status: "Success" } };
    return { body: { ...review, response } };
  });
  const clientConfig = {
    url: `${peer.url}/convert`,
    caBundle: Buffer.from(authority.caPem).toString("base64"),
  };
  ground = await openApiGround({ apiLevel: "1.36" });
  await ground.server.customResources.start();
  const spec = {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "boats", singular: "boat", kind: "Boat" },
    versions: [
      version("v1", "sails", {}, [{ rule: "!has(self.sails) || self.sails < 100", message: "few sails" }]),
      version("v2", "masts"),
    ],
    conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } },
  };
  const collection = definition.slice(0, definition.lastIndexOf("/"));
  await expectCode(201, ground.api.post(collection, { metadata: { name: "boats.example.com" }, spec }));
  await vi.waitFor(() => expect(ground.server.catalog.find("example.com", "v2", "boats")).toBeDefined(), {
    timeout: 60_000,
  });
  for (const name of ["a", "b", "c"]) {
    const boat = { metadata: { name }, spec: { masts: 2, colour: "red" }, status: { afloat: 7 } };
    await expectCode(
      201,
      ground.api.post(boats("v2"), { apiVersion: "example.com/v2", kind: "Boat", ...boat }),
    );
    await merge(200, `${boats("v2", `/${name}`)}/status`, { status: { afloat: 1 } });
  }
  // From now on no boat's colour and status are valid in v2.
  const mayNotShrink = { rule: "self.masts >= oldSelf.masts", message: "masts stay" };
  const notGreen = { rule: "self.flag != 'green'", message: "no green flags" };
  const limits = { colour: { maxLength: 1 }, afloat: { minimum: 5 } };
  const strict = version("v2", "masts", limits, [mayNotShrink, notGreen]);
  const { body } = await ground.api.get(definition);
  const changed = { ...body, spec: { ...body.spec, versions: [body.spec.versions[0], strict] } };
  await expectCode(200, ground.api.put(definition, changed));
  await vi.waitFor(
    async () => {
      const bad = { metadata: { name: "bad" }, spec: { masts: 1, colour: "green" } };
      const typed = { apiVersion: "example.com/v2", kind: "Boat", ...bad };
      expect((await ground.api.post(`${boats("v2")}?dryRun=All`, typed)).code).toBe(422);
    },
    { timeout: 60_000 },
  );
});
afterAll(async () => {
  await ground.dispose();
  await peer.close();
});

test("values that an update leaves as they were may be invalid", async () => {
  const { body } = await merge(200, boats("v2", "/a"), { spec: { masts: 3 } });
  expect(body.spec).toEqual({ masts: 3, colour: "red", flag: "white" });
  const { body: current } = await ground.api.get(boats("v2", "/a"));
  const labelled = { ...current, metadata: { ...current.metadata, labels: { a: "b" } } };
  await expectCode(200, ground.api.put(boats("v2", "/a"), labelled));
  const refused = await merge(422, boats("v2", "/a"), { spec: { colour: "blue" } });
  expect(refused.body.message).toContain("spec.colour: Too long");
});

test("rules compare with the object before, in each way to update it", async () => {
  const refusal = 'Boat.example.com "b" is invalid: spec: Invalid value: masts stay';
  const path = boats("v2", "/b");
  const merged = await merge(422, path, { spec: { masts: 1 } });
  const { body } = await ground.api.get(path);
  const put = await expectCode(
    422,
    ground.api.put(path, { ...body, spec: { masts: 1, colour: "red", flag: "white" } }),
  );
  const configuration = {
    apiVersion: "example.com/v2",
    kind: "Boat",
    metadata: { name: "b" },
    spec: { masts: 1 },
  };
  const applied = await expectCode(422, ground.api.apply(`${path}?fieldManager=m&force=true`, configuration));
  for (const { body } of [merged, put, applied]) expect(body.message).toBe(refusal);
  const rule = await merge(422, path, { spec: { flag: "green" } });
  expect(rule.body.message).toContain("no green flags");
  // v1 has no such rule.
  await merge(200, boats("v1", "/b"), { spec: { sails: 1 } });
});

test("a write of the status is checked for that only, and may leave it invalid", async () => {
  const status = `${boats("v2", "/c")}/status`;
  const { body } = await merge(200, status, { spec: { colour: "a long one" }, status: { afloat: 6 } });
  expect([body.spec.colour, body.status]).toEqual(["red", { afloat: 6 }]);
  const refused = await merge(422, status, { status: { afloat: 4 } });
  expect(refused.body.message).toBe(
    'Boat.example.com "c" is invalid: status.afloat: Invalid value: 4: afloat in body should be greater than or equal to 5',
  );
  await merge(200, `${boats("v1", "/c")}/status`, { status: { afloat: 2 } });
  await merge(200, status, { metadata: { labels: { a: "b" } } });
  await merge(200, boats("v2", "/c"), { status: { afloat: 3 }, spec: { masts: 4 } });
});

test("a new object's status is not checked, since it is not stored", async () => {
  const boat = {
    apiVersion: "example.com/v2",
    kind: "Boat",
    metadata: { name: "d" },
    spec: { masts: 1 },
    status: { afloat: "x" },
  };
  const { body } = await expectCode(201, ground.api.post(boats("v2"), boat));
  expect(body.status).toBeUndefined();
});

test("a patch that renames an object is refused before its values are checked", async () => {
  const renamed = await merge(400, boats("v2", "/a"), { metadata: { name: "b" }, spec: { colour: "blue" } });
  expect(renamed.body.message).toBe("the name of the object (b) does not match the name on the URL (a)");
});

test("the rules of the stored version bind only its own clients", async () => {
  const { body } = await merge(200, boats("v2", "/d"), { spec: { masts: 200 } });
  expect(body.spec.masts).toBe(200);
  const generated = { apiVersion: "example.com/v2", kind: "Boat", metadata: { generateName: "e-" } };
  await expectCode(201, ground.api.post(boats("v2"), { ...generated, spec: { masts: 300 } }));
  const refused = await merge(422, boats("v1", "/d"), { spec: { sails: 201 } });
  expect(refused.body.message).toContain("few sails");
});

test("the webhook sees objects in the namespace of the path, whatever way they are written", async () => {
  const { body } = await ground.api.get(boats("v2", "/a"));
  const { namespace: _none, ...metadata } = body.metadata;
  await expectCode(200, ground.api.put(boats("v2", "/a"), { ...body, metadata }));
  await merge(200, boats("v2", "/a"), { metadata: { namespace: null, labels: { c: "d" } } });
  const boat = { apiVersion: "example.com/v2", kind: "Boat", metadata: { name: "f" }, spec: { masts: 1 } };
  await expectCode(201, ground.api.apply(boats("v2", "/f?fieldManager=m"), boat));
  expect([...namespaces]).toEqual(["default"]);
});

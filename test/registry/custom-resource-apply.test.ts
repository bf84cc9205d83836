import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { boatDefinition } from "../support/boat-definition.js";
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

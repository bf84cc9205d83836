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

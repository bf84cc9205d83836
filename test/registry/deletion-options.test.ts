import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const namespace = "/api/v1/namespaces/default";
let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround({ apiLevel: "1.32" });
});
afterAll(() => ground.dispose());

/** The options that admission sees in each call for a deletion. */
async function told(target: string, body?: Json): Promise<readonly Json[]> {
  const calls = await ground.admission.during(() => ground.api.delete(target, body));
  return calls.map(({ attributes }) => attributes.options?.value);
}

test.each([
  ["unbound", {}, undefined, 0],
  ["bound", { nodeName: "n" }, undefined, 30],
  ["asked", { nodeName: "n" }, { gracePeriodSeconds: 5 }, 5],
  ["negative", { nodeName: "n" }, { gracePeriodSeconds: -1 }, 1],
])(
  "admission sees the grace period that an %s pod is deleted with",
  async (name, spec, options, expected) => {
    const pods = `${namespace}/pods`;
    const container = { name: "c", image: "i" };
    await ground.api.post(pods, { metadata: { name }, spec: { ...spec, containers: [container] } });
    for (const seen of await told(`${pods}/${name}`, options)) {
      expect(seen).toMatchObject({ gracePeriodSeconds: expected });
    }
  },
);

test("admission sees which namespace is deleted", async () => {
  const { body } = await ground.api.post("/api/v1/namespaces", { metadata: { name: "gone" } });
  const seen = await told("/api/v1/namespaces/gone");
  expect(seen).toHaveLength(2);
  for (const options of seen) expect(options).toMatchObject({ preconditions: { uid: body.metadata.uid } });
});

test("of other kinds admission sees what was sent", async () => {
  const maps = `${namespace}/configmaps`;
  await ground.api.post(maps, { metadata: { name: "a" } });
  const [seen] = await told(`${maps}/a`, { propagationPolicy: "Orphan" });
  expect(seen).toEqual({ propagationPolicy: "Orphan" });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Patches that take an object's version away. */
const deployment = "/apis/apps/v1/namespaces/default/deployments/d";
const labels = { app: "d" };
const nameless = "the name of the object (d based on URL) was undeterminable: name must be provided";

let ground: ApiGround;
beforeAll(async () => {
  ground = await openApiGround({ apiLevel: "1.35" });
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  await ground.api.post(deployment.slice(0, -2), {
    metadata: { name: "d" },
    spec: { selector: { matchLabels: labels }, template },
  });
});
afterAll(() => ground.dispose());

const merged = async (path: string, change: object): Promise<Answer> =>
  await ground.api.ask("PATCH", path, { contentType: "application/merge-patch+json", body: change });

test.each(["", "/status", "/scale"])(
  "an object%s without its version has none of its fields",
  async (part) => {
    const { code, body, warnings } = await merged(`${deployment}${part}`, { apiVersion: null, own: 1 });
    expect([code, body.message]).toEqual([400, nameless]);
    const unknown = ["metadata", "own", "spec", "status"];
    expect(warnings).toEqual(unknown.map((name) => `299 - "unknown field \\"${name}\\""`));
  },
);

test("nobody is warned who does not want to be", async () => {
  const { code, warnings } = await merged(`${deployment}?fieldValidation=Ignore`, { apiVersion: "" });
  expect([code, warnings]).toEqual([400, []]);
});

test("strict validation refuses it", async () => {
  const { code, body } = await merged(`${deployment}?fieldValidation=Strict`, { apiVersion: null });
  expect(code).toBe(422);
  expect(body.message).toMatch(
    /: strict decoding error: unknown field "metadata", unknown field "spec", unknown field "status"$/,
  );
});

test("a JSON patch can do the same, a strategic one cannot", async () => {
  const change = (contentType: string, body: unknown) =>
    ground.api.ask("PATCH", deployment, { contentType, body });
  const removed = await change("application/json-patch+json", [{ op: "remove", path: "/apiVersion" }]);
  expect([removed.code, removed.body.message]).toEqual([400, nameless]);
  const strategic = await change("application/strategic-merge-patch+json", { apiVersion: null });
  expect(strategic.code).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Kubernetes changed its library for JSON patches, and nothing that clients see of it. */
describe.each(["1.31", "1.32", "1.36"] as const)("at %s", (apiLevel) => {
  let ground: ApiGround;
  const maps = "/api/v1/namespaces/default/configmaps";
  beforeAll(async () => {
    ground = await openApiGround({ apiLevel });
    await ground.api.post(maps, { metadata: { name: "m" }, data: { a: "1" } });
  });
  afterAll(() => ground.dispose());

  const patched = async (operation: object) => {
    const contentType = "application/json-patch+json";
    const { code, body } = await ground.api.ask("PATCH", `${maps}/m?dryRun=All`, {
      contentType,
      body: [operation],
    });
    return { code, reason: body.reason, message: body.message };
  };

  test.each([
    { op: "test", path: "/data/none", value: "1" },
    { op: "test", path: "/data/a", value: "2" },
    { op: "move", from: "/data/none", path: "/data/b" },
    { op: "copy", from: "/none/at", path: "/data/b" },
    { op: "remove", path: "/data/none" },
  ])("%j cannot be done", async (operation) => {
    expect(await patched(operation)).toEqual({
      code: 422,
      reason: "Invalid",
      message: "the server rejected our request due to an error in our request",
    });
  });

  test.each([
    { op: "test", path: "/data/none", value: null },
    { op: "replace", path: "/data/none", value: "1" },
  ])("%j can be done, though nothing is there", async (operation) => {
    expect((await patched(operation)).code).toBe(200);
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { availability, registerServer } from "../support/api-services.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { TestAuthority } from "../support/test-authority.js";

/** What the levels ask of extension servers. */

const group = "wardle.example.com";
const base = `/apis/${group}/v1`;
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(level: string): Promise<{ ground: GroundHere; extension: ExtensionApiServer }> {
  const authority = await TestAuthority.create("extension servers");
  const names = ["flunders.default.svc"];
  const extension = await ExtensionApiServer.start({ group, version: "v1", names, authority });
  closing.push(() => extension.stop());
  const ground = await openGroundHere([`--api-level=${level}`]);
  closing.push(() => ground.dispose());
  await registerServer(ground.api, { group, version: "v1", port: extension.port, authority });
  await expect.poll(async () => (await availability(ground.api, "v1", group)).status).toBe("True");
  return { ground, extension };
}

const inOneDocument = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

describe.each([
  ["1.23", [], []],
  ["1.24", [], []],
  ["1.26", [], []],
  ["1.27", [inOneDocument("v2beta1")], ["v2beta1"]],
  ["1.30", [`${inOneDocument("v2")},${inOneDocument("v2beta1")}`], ["v2"]],
  ["1.36", [`${inOneDocument("v2")},${inOneDocument("v2beta1")}`], ["v2"]],
])("at %s", (level, accepts, versions) => {
  test("an extension server is asked for its discovery and its OpenAPI as the level does", async () => {
    const { ground, extension } = await open(level);
    const document = async () => (await ground.api.get(`/openapi/v3${base}`)).body;
    // It has no OpenAPI 3 of its own: the document is made of its Swagger document.
    await expect.poll(async () => JSON.stringify((await document()).components?.schemas)).toContain("fluff");
    expect((await ground.api.get("/openapi/v3")).body.paths).toHaveProperty([base.slice(1)]);
    const asked = extension.requests.filter(({ target }) => target === "/apis");
    expect([...new Set(asked.map(({ headers }) => headers.accept))]).toEqual(accepts);

    // Nor has it discovery in one document: its resources are those that it lists.
    for (const version of versions) {
      const { body } = await ground.api.ask("GET", "/apis", { headers: { Accept: inOneDocument(version) } });
      const own = body.items.find((each: { metadata: { name: string } }) => each.metadata.name === group);
      expect(own.versions).toMatchObject([
        { version: "v1", freshness: "Current", resources: [{ resource: "flunders" }] },
      ]);
    }

    const openApi3 = { openapi: "3.0.0", info: { title: "Flunders", version: "v1" }, paths: {} };
    extension.openApi3 = openApi3;
    await ground.api.patch("/api/v1/namespaces/default/services/flunders", "application/merge-patch+json", {
      metadata: { labels: { look: "again" } },
    });
    await expect.poll(document).toEqual(openApi3);
  });
});

test.each([
  ["1.27", "connections that it has"],
  ["1.28", "connections that it has"],
  ["1.35", "connections that it has"],
  ["1.36", "a connection each"],
])("at %s the server looks at an extension server that fails over %s", async (level, expected) => {
  const { ground, extension } = await open(level);
  const found = () => availability(ground.api, "v1", group);
  const checks = () => extension.requests.filter(({ target }) => target === base);
  extension.mood = "broken";
  const before = checks().length;
  // A change of the service has it looked at at once, before its connections are idle for long.
  for (const look of [1, 2, 3]) {
    const path = "/api/v1/namespaces/default/services/flunders";
    await ground.api.patch(path, "application/merge-patch+json", {
      metadata: { labels: { look: `again-${look}` } },
    });
    await expect.poll(() => checks().length - before).toBeGreaterThanOrEqual(look);
  }
  const failed = checks().slice(before, before + 3);
  const connections = new Set(failed.map(({ connection }) => connection)).size;
  expect(connections === 3 ? "a connection each" : "connections that it has").toBe(expected);
  await expect.poll(found).toMatchObject({
    status: "False",
    reason: "FailedDiscoveryCheck",
    message: expect.stringMatching(
      /^failing or missing response from https:\/\/.*\/v1: bad status from .*: 500$/,
    ),
  });
});

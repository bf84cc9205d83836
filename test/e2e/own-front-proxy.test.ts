import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { availability, registerServer } from "../support/api-services.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { TestAuthority } from "../support/test-authority.js";

// A server without options for front proxies: it makes what aggregation needs, and extension servers find it in the config map.

const group = "wardle.example.com";
let ground: GroundHere;
let extension: ExtensionApiServer;
let published: Record<string, string>;

beforeAll(async () => {
  ground = await openGroundHere();
  const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  published = (await ground.api.get(path)).body.data;
  const authority = await TestAuthority.create("extension servers");
  extension = await ExtensionApiServer.start({
    group,
    version: "v1",
    names: ["flunders.default.svc"],
    authority,
    clientCaPem: published["requestheader-client-ca-file"] ?? "",
  });
  const registered = await registerServer(ground.api, {
    group,
    version: "v1",
    port: extension.port,
    authority,
    changes: {},
  });
  expect(registered.status).toBe(201);
  await vi.waitFor(async () => expect((await availability(ground.api, "v1", group)).status).toBe("True"), {
    timeout: 60_000,
  });
});

afterAll(async () => {
  await ground?.dispose();
  await extension?.stop();
});

test("the config map says whom extension servers may believe", () => {
  const directory = join(ground.server.dataDirectory, "pki");
  expect(published).toMatchObject({
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-client-ca-file": readFileSync(join(directory, "front-proxy-ca.crt"), "utf8"),
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-username-headers": '["X-Remote-User"]',
  });
});

test("an extension server verifies the connection and learns the user", async () => {
  const { status } = await ground.api.get(`/apis/${group}/v1/namespaces/default/flunders`);
  expect(status).toBe(200);
  const seen = extension.requests.at(-1);
  expect(seen).toMatchObject({ client: "front-proxy-client" });
  expect(seen?.headers).toMatchObject({ "x-remote-group": expect.stringContaining("system:masters") });
});

test("clients cannot name a user in headers", async () => {
  const headers = { "X-Remote-User": "somebody-else", "X-Remote-Group": "system:masters" };
  await ground.api.ask("GET", `/apis/${group}/v1/namespaces/default/flunders`, { headers });
  expect(extension.requests.at(-1)?.headers["x-remote-user"]).not.toContain("somebody-else");
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { availability, registerServer } from "../support/api-services.js";
import { clientBinaries } from "../support/client-binaries.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, mergePatch, openGroundHere } from "../support/fixtures.js";
import { runClient } from "../support/run-client.js";
import { TestAuthority } from "../support/test-authority.js";

/** What the server says of the groups of two extension servers, which give one name to different types. */

const groups = ["one.example.com", "two.example.com"] as const;
const directory = mkdtempSync(join(tmpdir(), "aggregated-documents-"));
const servers: ExtensionApiServer[] = [];
const { kubectl123, kubectlCurrent } = clientBinaries();
let ground: GroundHere;

beforeAll(async () => {
  ground = await openGroundHere();
  const authority = await TestAuthority.create("extension servers");
  for (const group of groups) {
    const service = serviceOf(group);
    const server = await ExtensionApiServer.start({
      group,
      version: "v1",
      names: [`${service}.default.svc`],
      authority,
    });
    server.fields = fieldsOf(group);
    servers.push(server);
    await registerServer(ground.api, { group, version: "v1", port: server.port, authority, service });
  }
});

afterAll(async () => {
  await ground.dispose();
  for (const server of servers) await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  for (const [index, group] of groups.entries()) {
    Object.assign(serverOf(index), { mood: "well", fields: fieldsOf(group), openApi3: undefined });
    await look(group);
    await expect.poll(async () => (await availability(ground.api, "v1", group)).status).toBe("True");
    await expect.poll(() => schemasOf(group)).toContain(`${serviceOf(group)}Field`);
  }
});

function serviceOf(group: string): string {
  return group.split(".")[0] ?? "";
}

function fieldsOf(group: string): Record<string, object> {
  return { [`${serviceOf(group)}Field`]: { type: "string", description: `Of ${group}.` } };
}

function serverOf(index: number): ExtensionApiServer {
  const server = servers[index];
  if (server === undefined) throw new Error("it is not there");
  return server;
}

/** Changes the service, so that the server checks it again. */
let looks = 0;
async function look(group: string): Promise<void> {
  const path = `/api/v1/namespaces/default/services/${serviceOf(group)}`;
  await ground.api.patch(path, mergePatch, { metadata: { labels: { look: `${looks++}` } } });
}

async function schemasOf(group: string): Promise<string> {
  const { status, body } = await ground.api.get(`/openapi/v3/apis/${group}/v1`);
  return status === 200 ? JSON.stringify(body.components?.schemas) : "";
}

async function run(binary: string, ...args: string[]) {
  const home = mkdtempSync(join(directory, "home-"));
  return await runClient(binary, args, { kubeconfig: ground.server.kubeconfig, home });
}

test.each([
  ["1.23", kubectl123],
  ["current", kubectlCurrent],
])("kubectl %s explains the types of both", async (_release, kubectl) => {
  for (const group of groups) {
    const { stdout, stderr } = await run(kubectl, "explain", "flunders.spec", `--api-version=${group}/v1`);
    expect(stdout, stderr).toMatch(new RegExp(`${serviceOf(group)}Field\\s+<string>\\s+Of ${group}`));
  }
});

test("an OpenAPI 3 document is passed on as its server gives it", async () => {
  const [group] = groups;
  const openApi3 = {
    openapi: "3.0.0",
    info: { title: "Flunders", version: "v1" },
    paths: {},
    components: { schemas: { "com.example.Flunder": { type: "object", nullable: true } } },
    "x-of": "its own",
  };
  serverOf(0).openApi3 = openApi3;
  await look(group);
  await expect
    .poll(async () => (await ground.api.get(`/openapi/v3/apis/${group}/v1`)).body)
    .toEqual(openApi3);
  expect(await schemasOf(groups[1])).toContain("twoField");
  const protobuf = { headers: { Accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" } };
  const encoded = await ground.api.ask("GET", `/openapi/v3/apis/${group}/v1`, protobuf);
  expect(encoded.text).toContain("com.example.Flunder");
});

test("the documents follow those of a server that has changed", async () => {
  const [group] = groups;
  const addressOf = async (of: string): Promise<string> =>
    (await ground.api.get("/openapi/v3")).body.paths[`apis/${of}/v1`].serverRelativeURL;
  const before = await Promise.all(groups.map(addressOf));
  serverOf(0).fields = { added: { type: "integer" } };
  await look(group);
  await expect.poll(() => schemasOf(group)).toContain('"added"');
  expect((await ground.api.get("/openapi/v2")).text).toContain('"added"');
  expect(await schemasOf(group)).not.toContain("oneField");
  const after = await Promise.all(groups.map(addressOf));
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});

test.each([
  { release: "1.23", kubectl: kubectl123, status: 1, complaint: "two.example.com/v1: " },
  // It finds the group marked as stale, and is silent.
  { release: "current", kubectl: kubectlCurrent, status: 0, complaint: "" },
])("kubectl $release lists the resources of all groups but a broken one", async (expected) => {
  const [working, broken] = groups;
  serverOf(1).mood = "broken";
  await look(broken);
  await expect.poll(async () => (await availability(ground.api, "v1", broken)).status).toBe("False");
  const { status, stdout, stderr } = await run(expected.kubectl, "api-resources");
  expect(status, stderr).toBe(expected.status);
  expect(stdout).toMatch(/deployments +deploy +apps\/v1/);
  expect(stdout).toContain(`${working}/v1`);
  expect(stdout).not.toContain(broken);
  expect(stderr).toContain(expected.complaint);
  expect(stderr).not.toContain(working);
});

import { afterAll, afterEach, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { type EncryptedServer, EncryptedServers, isOnDisk } from "../support/encrypted-servers.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const secrets = "/api/v1/namespaces/default/secrets";
const plainText = "a-value-that-must-not-reach-the-disk";
const data = { password: Buffer.from(plainText).toString("base64") };
const keys = {
  first: { name: "first", secret: Buffer.alloc(32, 1).toString("base64") },
  second: { name: "second", secret: Buffer.alloc(32, 2).toString("base64") },
  wrong: { name: "first", secret: Buffer.alloc(32, 9).toString("base64") },
};
const identity = { identity: {} };
const servers = new EncryptedServers();

afterEach(() => servers.stop());
afterAll(() => servers.remove());

async function start(
  providers: readonly object[] | undefined,
  before?: ServerHere,
  { level = "1.23", resources }: { level?: string; resources?: readonly string[] } = {},
): Promise<EncryptedServer> {
  return await servers.start(providers, { before, resources, args: [`--api-level=${level}`] });
}

test.each([
  ["aescbc", [{ aescbc: { keys: [keys.first] } }]],
  ["aesgcm", [{ aesgcm: { keys: [keys.first] } }]],
  ["secretbox", [{ secretbox: { keys: [keys.first] } }]],
])("%s keeps the plain text of a secret off the disk", async (kind, providers) => {
  const { server, api } = await start(providers);
  expect((await api.post(secrets, { metadata: { name: "s" }, data })).status).toBe(201);
  expect((await api.get(`${secrets}/s`)).body.data).toEqual(data);
  const prefix = `${createNaming("kubernetes").encryptedValuePrefix}${kind}:v1:`;
  expect((await api.get("/metrics")).text).toContain(
    `apiserver_storage_transformation_operations_total{transformation_type="to_storage",transformer_prefix="${prefix}",status="OK"} `,
  );
  // The search finds unencrypted values, and the secret by the words that begin its value.
  await api.post("/api/v1/namespaces/default/configmaps", {
    metadata: { name: "m" },
    data: { a: "findable" },
  });
  await api.close();
  await server.stop();
  expect(isOnDisk(server, "findable")).toBe(true);
  expect(isOnDisk(server, `${prefix}first:`)).toBe(true);
  expect(isOnDisk(server, plainText)).toBe(false);
  expect(isOnDisk(server, data.password)).toBe(false);
});

test("keys are rotated by rewriting; the old one is not needed any more", async () => {
  const first = await start([{ aescbc: { keys: [keys.first] } }]);
  await first.api.post(secrets, { metadata: { name: "s" }, data });
  await first.api.close();

  const both = await start([{ aescbc: { keys: [keys.second, keys.first] } }], first.server);
  const before = (await both.api.get(`${secrets}/s`)).body;
  expect(before.data).toEqual(data);
  const rewritten = await both.api.put(`${secrets}/s`, before);
  expect(rewritten.body.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  const again = await both.api.put(`${secrets}/s`, rewritten.body);
  expect(again.body.metadata.resourceVersion).toBe(rewritten.body.metadata.resourceVersion);
  await both.api.close();

  const second = await start([{ aescbc: { keys: [keys.second] } }], both.server);
  expect((await second.api.get(`${secrets}/s`)).body.data).toEqual(data);
  await second.api.close();
});

test("identity last encrypts what was plain when it is rewritten; identity first lays it open again", async () => {
  const plain = await start(undefined);
  await plain.api.post(secrets, { metadata: { name: "s" }, data });
  await plain.api.close();

  const encrypting = await start([{ secretbox: { keys: [keys.first] } }, identity], plain.server);
  const read = (await encrypting.api.get(`${secrets}/s`)).body;
  expect(read.data).toEqual(data);
  expect((await encrypting.api.put(`${secrets}/s`, read)).status).toBe(200);
  await encrypting.api.close();

  // Identity alone refuses encrypted values instead of returning them.
  const alone = await start([identity], encrypting.server);
  const refused = await alone.api.get(`${secrets}/s`);
  expect(refused.status).toBe(500);
  expect(refused.body.message).toContain(
    'unable to transform key "/registry/secrets/default/s": no matching prefix found',
  );
  await alone.api.close();

  const opening = await start([identity, { secretbox: { keys: [keys.first] } }], alone.server);
  const encrypted = (await opening.api.get(`${secrets}/s`)).body;
  expect((await opening.api.put(`${secrets}/s`, encrypted)).status).toBe(200);
  await opening.api.close();

  const without = await start(undefined, opening.server);
  expect((await without.api.get(`${secrets}/s`)).body.data).toEqual(data);
  await without.api.close();
});

test("with a wrong key the server starts, says so of what it cannot read, and serves the rest", async () => {
  const right = await start([{ aesgcm: { keys: [keys.first] } }]);
  await right.api.post(secrets, { metadata: { name: "s" }, data });
  await right.api.close();

  const wrong = await start([{ aesgcm: { keys: [keys.wrong] } }], right.server);
  for (const path of [
    `${secrets}/s`,
    `${secrets}/s?resourceVersion=0`,
    secrets,
    `${secrets}?resourceVersion=0`,
  ]) {
    const answer = await wrong.api.get(path);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ kind: "Status", reason: "InternalError" });
    expect(answer.body.message).toContain('unable to transform key "/registry/secrets/default/s"');
  }
  expect((await wrong.api.get("/readyz")).text).toBe("ok");
  expect((await wrong.api.get("/api/v1/namespaces")).status).toBe(200);
  // New values are readable, and the right key brings the unreadable one back.
  expect((await wrong.api.post(secrets, { metadata: { name: "t" }, data })).status).toBe(201);
  expect((await wrong.api.get(`${secrets}/t`)).body.data).toEqual(data);
  await wrong.api.close();
});

test("a key service that is away fails the health checks named after it, and writes, but no start", async () => {
  const kms = { name: "vault", endpoint: "unix:///nowhere/kms.sock", timeout: "1s" };
  const { api } = await start([{ kms }]);
  for (const endpoint of ["healthz", "livez", "readyz"]) {
    expect((await api.get(`/${endpoint}/kms-provider-0`)).status).toBe(500);
    expect((await api.get(`/${endpoint}`)).text).toContain("[-]kms-provider-0 failed: reason withheld");
  }
  const refused = await api.post(secrets, { metadata: { name: "s" }, data });
  expect(refused.status).toBe(500);
  expect((await api.get(secrets)).body.items).toEqual([]);
  expect((await api.get("/api/v1/namespaces/default")).status).toBe(200);
  await api.close();
});

test("a configuration that is none is told at once", async () => {
  await expect(start([{ aescbc: { keys: [{ name: "short", secret: "YQ==" }] } }])).rejects.toThrow(
    /encryption provider configuration file .* secret is not of the expected length/,
  );
  await expect(
    startServerHere({ args: ["--encryption-provider-config=/nowhere/config.yaml"] }),
  ).rejects.toThrow(/error opening encryption provider configuration file/);
});

test.each([
  ["1.26", true],
  ["1.27", false],
  ["1.36", false],
])("at %s, what *.* names is on the disk as plain text: %j", async (level, isPlain) => {
  const providers = [{ aesgcm: { keys: [keys.first] } }];
  const { server, api } = await start(providers, undefined, { level, resources: ["*.*"] });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  expect((await api.post(definitions, boatDefinition())).status).toBe(201);
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  await expect.poll(async () => (await api.get(boats)).status).toBe(200);
  const metadata = { name: "b", annotations: { note: plainText } };
  expect((await api.post(boats, { ...boat("b"), metadata })).status).toBe(201);
  const maps = "/api/v1/namespaces/default/configmaps";
  expect((await api.post(maps, { metadata: { name: "m" }, data: { a: `map-${plainText}` } })).status).toBe(
    201,
  );
  expect((await api.get(`${maps}/m`)).body.data.a).toBe(`map-${plainText}`);
  await server.stop();
  expect(isOnDisk(server, plainText)).toBe(isPlain);
});

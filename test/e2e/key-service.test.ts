import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import type { ApiAnswer, ApiClient } from "../support/api-client.js";
import { EncryptedServers, isOnDisk } from "../support/encrypted-servers.js";
import { createFakeKeyService, type FakeKeyService } from "../support/fake-key-service.js";
import { until } from "../support/fixtures.js";

const naming = createNaming("kubernetes");
const secrets = "/api/v1/namespaces/default/secrets";
const check = "kms-provider-0";
const plainText = "a-value-that-must-not-reach-the-disk";
const data = { password: Buffer.from(plainText).toString("base64") };
const aescbc = { aescbc: { keys: [{ name: "local", secret: Buffer.alloc(32, 1).toString("base64") }] } };
const servers = new EncryptedServers();
let service: FakeKeyService;

beforeEach(async () => {
  service = createFakeKeyService(join(servers.directory, "kms.sock"));
  await service.start();
});

afterEach(async () => {
  await servers.stop();
  await service.stop();
});

afterAll(() => servers.remove());

/** On a busy machine answers are late; tests without a service wait less. */
function kms(more: object = {}): object {
  return { kms: { name: "vault", endpoint: service.endpoint, timeout: "60s", ...more } };
}

function isHealthy(answer: ApiAnswer): boolean {
  return answer.status === 200;
}

test("a secret is encrypted by the key service, and its plain text never on the disk", async () => {
  const { server, api } = await servers.start([kms()]);
  expect((await api.post(secrets, { metadata: { name: "s" }, data })).status).toBe(201);
  expect((await api.get(`${secrets}/s`)).body.data).toEqual(data);
  const patched = await api.patch(`${secrets}/s`, "application/merge-patch+json", {
    data: { more: data.password },
  });
  expect(patched.body.data).toEqual({ ...data, more: data.password });
  expect(service.calls.slice(0, 3)).toEqual(["Version", "Encrypt", "Encrypt"]);
  const { text } = await api.get("/metrics");
  expect(text).toMatch(/^apiserver_storage_data_key_generation_duration_seconds_count [2-9]$/m);
  expect(text).toMatch(/^apiserver_envelope_encryption_dek_cache_fill_percent 0\.00[2-9]$/m);
  expect(text).toMatch(
    /^apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds_count\{transformation_type="to_storage"\} [2-9]$/m,
  );
  await server.stop();
  expect(isOnDisk(server, `${naming.encryptedValuePrefix}kms:v1:vault:`)).toBe(true);
  expect(isOnDisk(server, plainText)).toBe(false);
  expect(isOnDisk(server, data.password)).toBe(false);
});

test("`cachesize` keys are remembered, and none when it is negative", async () => {
  const first = await servers.start([kms()], { args: ["--watch-cache=false"] });
  for (const name of ["a", "b", "c"]) await first.api.post(secrets, { metadata: { name }, data });

  const decrypts = async (api: ApiClient, path: string): Promise<number> => {
    service.calls.length = 0;
    expect((await api.get(path)).status).toBe(200);
    return service.calls.filter((call) => call === "Decrypt").length;
  };
  const few = await servers.start([kms({ cachesize: 2 })], {
    before: first.server,
    args: ["--watch-cache=false"],
  });
  // A controller of the server's own may have read them at its start.
  await few.api.get(`${secrets}/b`);
  await few.api.get(`${secrets}/c`);
  expect(await decrypts(few.api, `${secrets}/b`)).toBe(0);
  expect(await decrypts(few.api, `${secrets}/c`)).toBe(0);
  expect(await decrypts(few.api, `${secrets}/a`)).toBe(1);
  expect(await decrypts(few.api, `${secrets}/a`)).toBe(0);
  expect(await decrypts(few.api, `${secrets}/b`)).toBe(1);

  const none = await servers.start([kms({ cachesize: -1 })], {
    before: few.server,
    args: ["--watch-cache=false"],
  });
  expect(await decrypts(none.api, `${secrets}/a`)).toBe(1);
  expect(await decrypts(none.api, `${secrets}/a`)).toBe(1);
  expect(await decrypts(none.api, secrets)).toBe(3);
});

test("with the watch cache, reads ask nobody", async () => {
  const { api } = await servers.start([kms({ cachesize: -1 })]);
  await api.post(secrets, { metadata: { name: "s" }, data });
  expect((await api.get(secrets)).body.items).toHaveLength(1);
  await service.stop();
  expect((await api.get(`${secrets}/s`)).body.data).toEqual(data);
  expect((await api.get(secrets)).body.items).toHaveLength(1);
});

test("while the service is away writes fail clearly and its health check too; both recover", async () => {
  const { server, api } = await servers.start([kms({ timeout: "3s" })], { args: ["--v=2"] });
  expect((await api.post(secrets, { metadata: { name: "before" }, data })).status).toBe(201);
  for (const endpoint of ["healthz", "livez", "readyz"]) {
    expect((await api.get(`/${endpoint}/${check}`)).text).toBe("ok");
  }
  await service.stop();
  const refused = await api.post(secrets, { metadata: { name: "away" }, data });
  expect(refused.status).toBe(500);
  expect(refused.body).toMatchObject({ kind: "Status", status: "Failure", reason: "InternalError" });
  expect(refused.body.message).toContain(`KMS provider at ${service.endpoint}: Encrypt: `);
  // Unencrypted resources are not affected.
  const map = { metadata: { name: "m" } };
  expect((await api.post("/api/v1/namespaces/default/configmaps", map)).status).toBe(201);
  expect((await api.get(`${secrets}/away`)).status).toBe(404);

  // A good outcome stands for 20 seconds.
  const failed = await until(
    () => api.get(`/healthz/${check}`),
    (answer) => !isHealthy(answer),
  );
  expect(failed.status).toBe(500);
  expect((await api.get("/readyz?verbose")).text).toContain(`[-]${check} failed: reason withheld`);
  expect((await api.get(`/readyz?exclude=${check}`)).status).toBe(200);
  expect(server.output()).toContain(
    "failed to perform encrypt section of the healthz check for KMS Provider vault",
  );

  await service.start();
  expect((await api.post(secrets, { metadata: { name: "after" }, data })).status).toBe(201);
  expect((await until(() => api.get(`/healthz/${check}`), isHealthy)).text).toBe("ok");
});

test("a server that starts without the service serves what is not encrypted, and the rest once it is there", async () => {
  const first = await servers.start([kms()]);
  await first.api.post(secrets, { metadata: { name: "s" }, data });
  await service.stop();
  const second = await servers.start([kms({ timeout: "3s" })], { before: first.server });
  expect((await second.api.get("/api/v1/namespaces/default")).status).toBe(200);
  for (const path of [`${secrets}/s`, `${secrets}/s?resourceVersion=0`, secrets]) {
    const { status, body } = await second.api.get(path);
    expect([status, body.reason]).toEqual([500, "InternalError"]);
    expect(body.message).toMatch(
      /unable to transform key "\/registry\/secrets\/default\/s": KMS provider at/,
    );
  }
  expect(second.server.output()).toContain("the watch cache of secrets lost touch with the store");
  await service.start();
  expect((await second.api.get(`${secrets}/s`)).body.data).toEqual(data);
  const listed = await second.api.get(secrets);
  expect(listed.body.items[0].data).toEqual(data);
  // The cache takes over from the store, and a watch sees new writes.
  const ended = new AbortController();
  const path = `${secrets}?watch=1&resourceVersion=${listed.body.metadata.resourceVersion}`;
  const watch = second.api.watch(path, ended.signal);
  await second.api.post(secrets, { metadata: { name: "t" }, data });
  const { value } = await watch.next();
  expect([value?.type, value?.object.metadata.name]).toEqual(["ADDED", "t"]);
  ended.abort();
  await watch.return(undefined).catch(() => undefined);
});

test("a restart of the service within the timeout is waited for", async () => {
  const { api } = await servers.start([kms()]);
  await api.post(secrets, { metadata: { name: "s" }, data });
  await service.stop();
  const waiting = api.post(secrets, { metadata: { name: "t" }, data });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await service.start();
  expect((await waiting).status).toBe(201);
});

test("a service that does not answer costs a write no more than the timeout", async () => {
  const { api } = await servers.start([kms({ timeout: "3s" })]);
  await api.post(secrets, { metadata: { name: "s" }, data });
  service.silent = true;
  const refused = await api.post(secrets, { metadata: { name: "t" }, data });
  expect(refused.status).toBe(500);
  expect(refused.body.message).toContain("Encrypt: no answer within");
});

test("a service of another version, and one that refuses, are told apart by what they say", async () => {
  service.version = "v2";
  const { api } = await servers.start([kms()]);
  const other = await api.post(secrets, { metadata: { name: "s" }, data });
  expect(other.status).toBe(500);
  expect(other.body.message).toContain(
    "KMS provider api version v2 is not supported, only v1beta1 is supported now",
  );
  expect(service.calls).not.toContain("Encrypt");
  expect((await api.get(`/healthz/${check}`)).status).toBe(500);
  service.version = "v1beta1";
  service.failure = "the vault is sealed";
  const sealed = await api.post(secrets, { metadata: { name: "s" }, data });
  expect(sealed.status).toBe(500);
  expect(sealed.body.message).toContain("Encrypt: the vault is sealed");
  service.failure = undefined;
  expect((await api.post(secrets, { metadata: { name: "s" }, data })).status).toBe(201);
});

test("rotation from the key service to a local key and back is by rewriting", async () => {
  const rewrite = async (api: ApiClient): Promise<[string, string]> => {
    const { body } = await api.get(`${secrets}/s`);
    expect(body.data).toEqual(data);
    const rewritten = await api.put(`${secrets}/s`, body);
    expect(rewritten.status).toBe(200);
    return [body.metadata.resourceVersion, rewritten.body.metadata.resourceVersion];
  };
  const byService = await servers.start([kms()]);
  await byService.api.post(secrets, { metadata: { name: "s" }, data });

  const toLocal = await servers.start([aescbc, kms()], { before: byService.server });
  const [before, after] = await rewrite(toLocal.api);
  expect(after).not.toBe(before);
  expect(await rewrite(toLocal.api)).toEqual([after, after]);

  await service.stop();
  const local = await servers.start([aescbc], { before: toLocal.server });
  expect((await local.api.get(`${secrets}/s`)).body.data).toEqual(data);
  await service.start();

  const toService = await servers.start([kms(), aescbc], { before: local.server });
  const [third, fourth] = await rewrite(toService.api);
  expect(fourth).not.toBe(third);
  expect(await rewrite(toService.api)).toEqual([fourth, fourth]);

  const again = await servers.start([kms()], { before: toService.server });
  expect((await again.api.get(`${secrets}/s`)).body.data).toEqual(data);
});

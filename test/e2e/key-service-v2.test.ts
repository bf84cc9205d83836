import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import {
  type EncryptedServer,
  EncryptedServers,
  encryptionConfig,
  isOnDisk,
} from "../support/encrypted-servers.js";
import { createFakeKeyServiceV2, type FakeKeyServiceV2 } from "../support/fake-key-service-v2.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const naming = createNaming("kubernetes");
const secrets = "/api/v1/namespaces/default/secrets";
const maps = "/api/v1/namespaces/default/configmaps";
const plainText = "a-value-that-must-not-reach-the-disk";
const data = { password: Buffer.from(plainText).toString("base64") };
const aescbc = (name: string, byte: number) => ({
  aescbc: { keys: [{ name, secret: Buffer.alloc(32, byte).toString("base64") }] },
});
const identity = { identity: {} };
const servers = new EncryptedServers();
let service: FakeKeyServiceV2;

beforeEach(async () => {
  service = createFakeKeyServiceV2(join(servers.directory, "kms.sock"));
  await service.start();
});

afterEach(async () => {
  await servers.stop();
  await service.stop();
});

afterAll(() => servers.remove());

/** A busy machine answers late. */
function kms(more: object = {}): object {
  return { kms: { apiVersion: "v2", name: "vault", endpoint: service.endpoint, timeout: "60s", ...more } };
}

async function start(
  providers: readonly object[],
  { level, args = [], before }: { level: string; args?: readonly string[]; before?: ServerHere },
): Promise<EncryptedServer> {
  return await servers.start(providers, { before, args: [`--api-level=${level}`, ...args] });
}

/** Replaces the file as editors and kubelets do. */
function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

test.each(["1.29", "1.36"])(
  "at %s a secret is encrypted with one seed; the service goes away and comes back, and a restart reads it",
  async (level) => {
    const first = await start([kms()], { level });
    const { api } = first;
    expect((await api.post(secrets, { metadata: { name: "s" }, data })).status).toBe(201);
    expect((await api.post(secrets, { metadata: { name: "t" }, data })).status).toBe(201);
    expect(service.calls.filter((call) => call === "Encrypt")).toHaveLength(1);
    for (const endpoint of ["healthz", "readyz"]) {
      expect((await api.get(`/${endpoint}/kms-providers`)).text).toBe("ok");
    }
    expect((await api.get("/livez/kms-providers")).status).toBe(404);
    const page = (await api.get("/metrics")).text;
    const hash = "sha256:[0-9a-f]{64}";
    for (const line of [
      `apiserver_envelope_encryption_key_id_hash_total\\{transformation_type="to_storage",provider_name="vault",key_id_hash="${hash}",apiserver_id_hash="${hash}"\\} [2-9]`,
      `apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds\\{provider_name="vault",key_id_hash="${hash}",apiserver_id_hash="${hash}"\\} `,
      'apiserver_envelope_encryption_dek_source_cache_size\\{provider_name="vault"\\} 1',
      'apiserver_envelope_encryption_kms_operations_latency_seconds_count\\{provider_name="vault",method_name="/v2.KeyManagementService/Encrypt",grpc_status_code="OK"\\} 1',
      `apiserver_storage_transformation_duration_seconds_count\\{transformation_type="to_storage",transformer_prefix="${naming.encryptedValuePrefix}kms:v2:vault:"\\} [2-9]`,
    ]) {
      expect(page).toMatch(new RegExp(`^${line}`, "m"));
    }
    // Of 1.32 and later.
    expect(page.includes('{resource="secrets",transformation_type="to_storage"')).toBe(level === "1.36");

    // The seed is known: nobody asks the service.
    await service.stop();
    expect((await api.post(secrets, { metadata: { name: "away" }, data })).status).toBe(201);
    expect((await api.get(`${secrets}/s`)).body.data).toEqual(data);
    await service.start();
    service.keyId = "second";

    const second = await start([kms()], { before: first.server, level });
    const read = (await second.api.get(`${secrets}/s`)).body;
    expect(read.data).toEqual(data);
    // What an older key has encrypted is rewritten by the next write, even of the same.
    const rewritten = await second.api.put(`${secrets}/s`, read);
    expect(rewritten.body.metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);
    const again = await second.api.put(`${secrets}/s`, rewritten.body);
    expect(again.body.metadata.resourceVersion).toBe(rewritten.body.metadata.resourceVersion);
    await second.server.stop();
    expect(isOnDisk(second.server, plainText)).toBe(false);
    expect(isOnDisk(second.server, data.password)).toBe(false);
    expect(isOnDisk(second.server, `${naming.encryptedValuePrefix}kms:v2:vault:`)).toBe(true);
  },
);

test("a store that one level wrote opens at the others: with a key for each value, one key, or a seed", async () => {
  const gate = "--feature-gates=KMSv2=true";
  await service.stop();
  service = createFakeKeyServiceV2(join(servers.directory, "kms.sock"), "v2alpha1");
  await service.start();
  const alpha = await start([kms()], { level: "1.26", args: [gate] });
  expect((await alpha.api.post(secrets, { metadata: { name: "alpha" }, data })).status).toBe(201);
  await service.stop();
  service = createFakeKeyServiceV2(join(servers.directory, "kms.sock"));
  service.version = "v2beta1";
  await service.start();
  const beta = await start([kms()], { before: alpha.server, level: "1.27" });
  expect((await beta.api.post(secrets, { metadata: { name: "beta" }, data })).status).toBe(201);
  const newest = await start([kms()], { before: beta.server, level: "1.36" });
  expect((await newest.api.post(secrets, { metadata: { name: "newest" }, data })).status).toBe(201);
  const back = await start([kms()], { before: newest.server, level: "1.28" });
  for (const name of ["alpha", "beta", "newest"]) {
    expect((await back.api.get(`${secrets}/${name}`)).body.data).toEqual(data);
  }
});

test("version 2 needs its gate at 1.25 and 1.26, and version 1 needs one from 1.29 on", async () => {
  await expect(start([kms()], { level: "1.26" })).rejects.toThrow(
    'could not configure KMSv2 plugin "vault", KMSv2 feature is not enabled',
  );
  const v1 = kms({ apiVersion: "v1" });
  await start([v1], { level: "1.28" });
  const off = "Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.";
  await expect(start([v1], { level: "1.29" })).rejects.toThrow(off);
  await expect(start([v1], { level: "1.36" })).rejects.toThrow(off);
  await start([v1], { level: "1.36", args: ["--feature-gates=KMSv1=true"] });
});

test.each([
  ["1.26", undefined],
  ["1.28", /^apiserver_encryption_config_controller_automatic_reload_failures_total [1-9]/m],
  [
    "1.29",
    /^apiserver_encryption_config_controller_automatic_reload_failures_total\{apiserver_id_hash="sha256:[0-9a-f]+"\} [1-9]/m,
  ],
  [
    "1.30",
    /^apiserver_encryption_config_controller_automatic_reloads_total\{status="failure",apiserver_id_hash="sha256:[0-9a-f]+"\} [1-9]/m,
  ],
  [
    "1.36",
    /^apiserver_encryption_config_controller_automatic_reloads_total\{status="failure",apiserver_id_hash="sha256:[0-9a-f]+"\} [1-9]/m,
  ],
])("at %s a changed file is taken over without a restart, and a bad one is not", async (level, failures) => {
  const reload = "--encryption-provider-config-automatic-reload";
  const { server, api, file } = await start([aescbc("one", 1)], {
    level,
    args: [reload, "--lane-request-bytes=3000"],
  });
  const large = { more: Buffer.alloc(4000, "x").toString("base64") };
  await api.post(secrets, { metadata: { name: "small" }, data });
  expect((await api.post(secrets, { metadata: { name: "large" }, data: large })).status).toBe(201);
  await api.post(maps, { metadata: { name: "m" }, data: { a: "b" } });
  const hook = "poststarthook/start-encryption-provider-config-automatic-reload";
  expect((await api.get(`/readyz/${hook}`)).text).toBe("ok");
  expect((await api.get("/readyz/kms-providers")).text).toBe("ok");

  replace(file, "resources: none");
  await expect
    .poll(() => server.output())
    .toContain("the changed encryption configuration cannot be used; the previous one stays in use");
  if (failures !== undefined) expect((await api.get("/metrics")).text).toMatch(failures);
  expect((await api.post(secrets, { metadata: { name: "kept" }, data })).status).toBe(201);

  replace(file, encryptionConfig([aescbc("two", 2), aescbc("one", 1), identity], ["secrets", "configmaps"]));
  await expect.poll(() => server.output()).toContain("the changed encryption configuration is in use");
  for (const [path, name] of [
    [secrets, "small"],
    [secrets, "large"],
    [secrets, "kept"],
    [maps, "m"],
  ]) {
    const before = (await api.get(`${path}/${name}`)).body;
    const after = await api.put(`${path}/${name}`, before);
    expect([after.status, name]).toEqual([200, name]);
    expect(after.body.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  }
  // A lane reads it with the new key.
  expect(
    (await api.put(`${secrets}/large`, { metadata: { name: "large" }, data: { ...large, ...data } })).status,
  ).toBe(200);

  replace(file, encryptionConfig([aescbc("two", 2)], ["secrets", "configmaps"]));
  await expect.poll(() => server.output().split("configuration is in use").length).toBe(3);
  expect((await api.get(secrets)).body.items).toHaveLength(3);
  await api.close();
  const next = await start([aescbc("two", 2)], { before: server, level });
  replace(next.file, encryptionConfig([aescbc("two", 2)]));
  expect((await next.api.get(`${secrets}/large`)).body.data).toEqual({ ...large, ...data });
});

test("the option is one of 1.26, and needs a file", async () => {
  const reload = "--encryption-provider-config-automatic-reload";
  await expect(startServerHere({ args: ["--api-level=1.25", reload] })).rejects.toThrow(
    "unknown option at API level 1.25: it was added in 1.26",
  );
  await expect(startServerHere({ args: ["--api-level=1.26", reload] })).rejects.toThrow(
    "requires --encryption-provider-config",
  );
});

test("a key service joins by a changed file, once it is healthy", async () => {
  const { server, api, file } = await start([aescbc("one", 1)], {
    level: "1.36",
    args: ["--encryption-provider-config-automatic-reload"],
  });
  await api.post(secrets, { metadata: { name: "s" }, data });
  service.healthz = "sealed";
  replace(file, encryptionConfig([kms(), aescbc("one", 1)]));
  await expect.poll(() => server.output()).toContain("got unexpected healthz status: sealed");
  expect((await api.get("/readyz/kms-providers")).text).toBe("ok");
  service.healthz = "ok";
  await expect.poll(() => server.output()).toContain("the changed encryption configuration is in use");
  const read = (await api.get(`${secrets}/s`)).body;
  const { body } = await api.put(`${secrets}/s`, read);
  expect(body.metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);
  expect((await api.get("/metrics")).text).toMatch(
    /^apiserver_encryption_config_controller_last_config_info\{apiserver_id_hash="sha256:[0-9a-f]+",hash="sha256:[0-9a-f]+"\} 1$/m,
  );
});

import { createCipheriv, createHmac, hkdfSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeKeyServiceV2, type FakeKeyServiceV2 } from "../../../test/support/fake-key-service-v2.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { ManualClock } from "../../time/manual-clock.js";
import { noObserver } from "../testing/transformation-observer.js";
import { createExtendedNonceGcm } from "./ciphers.js";
import { decodeEncryptedObject } from "./encrypted-object.js";
import { type Encryption, openEncryption } from "./encryption.js";
import type { EncryptionOptions } from "./encryption-options.js";
import { ReloadedEncryption } from "./reloaded-encryption.js";
import type { ValueTransformer } from "./value-transformer.js";

const group = "apiserver.config.example.io";
const prefix = "vendor:enc:kms:v2:vault:";
const storageKey = "/registry/secrets/a/x";
const plain = Buffer.from("the plain text of a secret");

let directory: string;
let clock: ManualClock;
let service: FakeKeyServiceV2;
let opened: Encryption[];
let told: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kms-v2-"));
  clock = new ManualClock();
  opened = [];
  told = [];
  await serve("v2");
});

afterEach(async () => {
  for (const encryption of opened) encryption.close();
  await service.stop();
  await rm(directory, { recursive: true });
});

async function serve(protocol: "v2" | "v2alpha1"): Promise<void> {
  await service?.stop();
  service = createFakeKeyServiceV2(join(directory, "kms.sock"), protocol);
  await service.start();
}

async function open(
  level: ApiLevel,
  gates: Readonly<Record<string, boolean>> = { KMSv2: true, KMSv2KDF: true },
  more: object = {},
  handed: Partial<EncryptionOptions> = {},
): Promise<Encryption> {
  const kms = { apiVersion: "v2", name: "vault", endpoint: service.endpoint, timeout: "5s", ...more };
  const resources = [{ resources: ["secrets"], providers: [{ kms }] }];
  const text = JSON.stringify({ apiVersion: `${group}/v1`, kind: "EncryptionConfiguration", resources });
  const encryption = await openEncryption(Buffer.from(text), {
    file: "/config",
    group,
    level,
    isReloaded: false,
    isEnabled: (gate) => gates[gate] ?? false,
    encryptedPrefix: "vendor:enc:",
    clock,
    observer: {
      ...noObserver,
      ofService: (name) => ({
        ...noObserver.ofService(name),
        keyUsed: (direction, keyId) => told.push(`${direction} ${keyId}`),
        keyIdSeen: (keyId) => told.push(`seen ${keyId}`),
        keyIdRefused: (code) => told.push(`refused ${code}`),
      }),
    },
    notice: (text) => told.push(text),
    ...handed,
  });
  opened.push(encryption);
  return encryption;
}

function transformerOf(encryption: Encryption): ValueTransformer {
  const found = encryption.transformerFor("", "secrets");
  if (found === undefined) throw new Error("secrets have no transformer");
  return found;
}

async function transformer(...of: Parameters<typeof open>): Promise<ValueTransformer> {
  return transformerOf(await open(...of));
}

function stored(value: Uint8Array) {
  expect(Buffer.from(value.subarray(0, prefix.length)).toString()).toBe(prefix);
  return decodeEncryptedObject(value.subarray(prefix.length));
}

async function read(cipher: ValueTransformer, value: Uint8Array): Promise<[string, boolean]> {
  const { value: bytes, stale } = await cipher.fromStorage(value, storageKey);
  return [Buffer.from(bytes).toString(), stale];
}

/**
 * Advances the clock until the condition holds. Calls to the service take real time but time out by this clock, so it advances slowly,
 * and a call that still times out is retried.
 */
async function passing(condition: () => boolean | Promise<boolean>): Promise<void> {
  const step = async (): Promise<boolean> => {
    const holds = await condition();
    if (!holds) await clock.advance(1000);
    return holds;
  };
  await expect.poll(step, { interval: 50, timeout: 60_000 }).toBe(true);
}

/** The answer, for which the clock goes on. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  answer.then(settle, settle);
  await passing(() => isSettled);
  return await answer;
}

test("a key for each value is made of a seed by HKDF", async () => {
  const [secret, salt] = [Buffer.alloc(22, 0x0b), Buffer.alloc(13, 1)];
  const info = Buffer.alloc(32, 9);
  const nonce = Buffer.alloc(12, 5);
  // The first step of HKDF, which the seed stands for.
  const seed = createHmac("sha256", salt).update(secret).digest();
  const key = Buffer.from(hkdfSync("sha256", secret, salt, info, 32));
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(storageKey));
  const value = Buffer.concat([info, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const extended = createExtendedNonceGcm(seed);
  expect(Buffer.from((await extended.fromStorage(value, storageKey)).value).toString()).toBe(
    plain.toString(),
  );
  await expect(async () => extended.fromStorage(value, "/other")).rejects.toThrow("message authentication");
  await expect(async () => extended.fromStorage(value.subarray(0, 20), storageKey)).rejects.toThrow(
    "shorter",
  );
});

test.each(["1.29", "1.36"] as const)(
  "at %s a seed is encrypted once, and written with each value",
  async (level) => {
    const cipher = await transformer(level);
    expect(service.calls).toEqual(["Status", "Encrypt"]);
    const first = await cipher.toStorage(plain, storageKey);
    const second = await cipher.toStorage(plain, storageKey);
    expect(stored(first).source).toMatchObject({ type: 1, keyId: "first" });
    expect(stored(first).source.encrypted).toEqual(stored(second).source.encrypted);
    expect([...stored(first).source.annotations.keys()]).toEqual(["version.encryption.example.org"]);
    expect(stored(first).data.length).toBe(32 + 12 + plain.length + 16);
    expect(await read(cipher, first)).toEqual([plain.toString(), false]);
    expect(cipher.fromStorage(first, storageKey)).not.toBeInstanceOf(Promise);
    expect(service.calls).toEqual(["Status", "Encrypt"]);
    expect(told).toContain("to_storage first");

    // Another server has another seed, and asks the service once for both values.
    const other = await transformer(level);
    service.calls.length = 0;
    expect(await read(other, first)).toEqual([plain.toString(), false]);
    expect(await read(other, second)).toEqual([plain.toString(), false]);
    expect(service.calls).toEqual(["Decrypt"]);
  },
);

test("another thread goes on with the seed, also while the service is away, and is told when there is another", async () => {
  const changes: string[] = [];
  const encryption = await open("1.36", undefined, {}, { seedChanged: () => changes.push(service.keyId) });
  expect(changes).toEqual(["first"]);
  const { seeds } = encryption;
  await service.stop();
  const thread = await open("1.36", undefined, { timeout: "10ms" }, { seeds: structuredClone(seeds) });
  const [here, there] = [transformerOf(encryption), transformerOf(thread)];
  const value = await there.toStorage(plain, storageKey);
  expect(await read(here, value)).toEqual([plain.toString(), false]);
  expect(await read(there, await here.toStorage(plain, storageKey))).toEqual([plain.toString(), false]);
  await service.start();
  service.calls.length = 0;
  await passing(() => service.calls.includes("Status"));
  expect(service.calls).not.toContain("Encrypt");
  service.keyId = "second";
  await clock.advance(59_000);
  await passing(() => changes.length === 2);
  expect(changes).toEqual(["first", "second"]);
  expect(encryption.seeds.get("vault")?.source.keyId).toBe("second");
  expect(seeds.get("vault")?.source.keyId).toBe("first");
});

test("a key whose nonces are counted is not for other threads", async () => {
  service.version = "v2beta1";
  const { seeds } = await open("1.27", { KMSv2: true });
  expect(seeds.size).toBe(0);
});

test("at 1.28 the gate decides between a key and a seed, at 1.27 there is a key; all levels read both", async () => {
  service.version = "v2beta1";
  const key = await transformer("1.27", { KMSv2: true });
  const alsoKey = await transformer("1.28", { KMSv2: true });
  const seed = await transformer("1.28");
  const written = await Promise.all([key, alsoKey, seed].map((each) => each.toStorage(plain, storageKey)));
  expect(written.map((value) => stored(value).source.type)).toEqual([0, 0, 1]);
  const [byKey = plain, alsoByKey = plain, bySeed = plain] = written;
  expect(await read(key, alsoByKey)).toEqual([plain.toString(), false]);
  expect(await read(key, bySeed)).toEqual([plain.toString(), true]);
  expect(await read(seed, byKey)).toEqual([plain.toString(), true]);
  // The nonces of one key count up.
  const next = stored(await key.toStorage(plain, storageKey)).data;
  expect([stored(byKey).data[0], next[0]]).toEqual([0, 1]);
  expect(await read(await transformer("1.36"), byKey)).toEqual([plain.toString(), true]);
});

test.each(["1.25", "1.26"] as const)("at %s each value has a key of its own", async (level) => {
  await serve("v2alpha1");
  const encryption = await open(level, { KMSv2: true }, { cachesize: 1 });
  const cipher = transformerOf(encryption);
  expect(service.calls).toEqual([]);
  const first = await cipher.toStorage(plain, storageKey);
  const second = await cipher.toStorage(plain, storageKey);
  expect(service.calls).toEqual(["Encrypt", "Encrypt"]);
  expect(stored(first).source).toMatchObject({ type: 0, keyId: "first" });
  expect(await read(cipher, second)).toEqual([plain.toString(), false]);
  expect(await read(cipher, first)).toEqual([plain.toString(), false]);
  expect(service.calls).toEqual(["Encrypt", "Encrypt", "Decrypt"]);
  service.keyId = "second";
  expect(await read(cipher, first)).toEqual([plain.toString(), false]);
  const [check] = encryption.healthChecks;
  await check?.check();
  service.version = "v2";
  await clock.advance(21_000);
  await expect(check?.check()).rejects.toThrow(
    "kmsv2 Provider vault is not healthy, error: expected KMSv2 API version v2alpha1, got v2",
  );
});

test("a new key of the service makes what was written before stale; it can still be read, after a restart too", async () => {
  const cipher = await transformer("1.36");
  const before = await cipher.toStorage(plain, storageKey);
  service.keyId = "second";
  expect(await read(cipher, before)).toEqual([plain.toString(), false]);
  await clock.advance(59_000);
  await passing(() => told.includes("seen second"));
  await passing(async () => (await read(cipher, before))[1]);
  expect(await read(cipher, before)).toEqual([plain.toString(), true]);
  const after = await cipher.toStorage(plain, storageKey);
  expect(stored(after).source.keyId).toBe("second");
  const restarted = await transformer("1.36");
  expect(await read(restarted, before)).toEqual([plain.toString(), true]);
  expect(await read(restarted, after)).toEqual([plain.toString(), false]);
});

test("while the service is away values are written for three minutes, and read for ever; then it is used again", async () => {
  const encryption = await open("1.36");
  const cipher = transformerOf(encryption);
  const value = await cipher.toStorage(plain, storageKey);
  await service.stop();
  await clock.advance(120_000);
  await cipher.toStorage(plain, storageKey);
  await clock.advance(61_000);
  await expect(async () => cipher.toStorage(plain, storageKey)).rejects.toThrow(
    /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at \S+Z \(current time is \S+Z\)$/,
  );
  expect(await read(cipher, value)).toEqual([plain.toString(), false]);
  await passing(() => told.some((line) => line.startsWith("the key service vault is not healthy")));
  await expect(answered(encryption.healthChecks[0]?.check() ?? Promise.resolve())).rejects.toThrow(
    /^kms-provider-0: failed to perform status section of the healthz check for KMS Provider vault, error: /,
  );
  expect(told.filter((line) => line.startsWith("the key service vault is not healthy"))).toHaveLength(1);
  await service.start();
  await passing(() => told.includes("the key service vault is healthy again"));
  expect(stored(await cipher.toStorage(plain, storageKey)).source.encrypted).toEqual(
    stored(value).source.encrypted,
  );
});

test("a service that was away at the start is found; until then nothing can be read or written", async () => {
  await service.stop();
  const cipher = transformerOf(await answered(open("1.36")));
  await expect(async () => cipher.toStorage(plain, storageKey)).rejects.toThrow(
    "got unexpected nil transformer",
  );
  await service.start();
  await passing(() => told.includes("the key service vault is healthy again"));
  const written = await cipher.toStorage(plain, storageKey);
  expect(await read(cipher, written)).toEqual([plain.toString(), false]);
});

test.each<[Partial<FakeKeyServiceV2>, string]>([
  [{ healthz: "sealed" }, "got unexpected healthz status: sealed"],
  [{ version: "v1" }, "expected KMSv2 API version v2, got v1"],
  [{ keyId: "" }, 'got invalid KMSv2 KeyID hash "": keyID is empty'],
  [{ keyId: "k".repeat(1025) }, ": keyID is 1025 bytes, which exceeds the max size of 1024"],
  [
    { failure: "no" },
    "failed to rotate DEK useSeed=true, errState=got unexpected nil transformer, errGen=failed to encrypt DEK, error: KMS provider at",
  ],
])("a service with %j is not healthy", async (fault, problem) => {
  Object.assign(service, fault);
  const { healthChecks } = await open("1.36");
  await expect(healthChecks[0]?.check()).rejects.toThrow(
    /^kms-provider-0: kmsv2 Provider vault is not healthy/,
  );
  await expect(healthChecks[0]?.check()).rejects.toThrow(problem);
});

test("a changed file is used when its services are healthy; a value of before is read with it, or not", async () => {
  const reloaded = new ReloadedEncryption(await open("1.36"), {
    open: (content) => open("1.36", undefined, JSON.parse(Buffer.from(content).toString())),
    identity: { toStorage: (value) => value, fromStorage: (value) => ({ value, stale: false }) },
    clock,
  });
  const cipher = transformerOf(reloaded);
  const value = await cipher.toStorage(plain, storageKey);
  const replaced = reloaded.replace(Buffer.from('{"endpoint":"unix:///nowhere"}'));
  await expect(answered(replaced)).rejects.toThrow(
    /^health check for new transformers failed: kms-provider-0: failed to perform status section/,
  );
  expect(await read(cipher, value)).toEqual([plain.toString(), false]);
  await reloaded.replace(Buffer.from('{"name":"other"}'));
  const after = Buffer.from(await cipher.toStorage(plain, storageKey)).toString("latin1");
  expect(after.startsWith("vendor:enc:kms:v2:other:")).toBe(true);
  await expect(async () => cipher.fromStorage(value, storageKey)).rejects.toThrow("no matching prefix found");
  expect(await cipher.toStorage(plain, storageKey)).not.toBe(plain);
  expect(reloaded.transformerFor("", "configmaps").toStorage(plain, storageKey)).toBe(plain);
  reloaded.close();
});

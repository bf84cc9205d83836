import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeKeyService, type FakeKeyService } from "../../../test/support/fake-key-service.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { ManualClock } from "../../time/manual-clock.js";
import { changeObject } from "../store/change-object.js";
import { createObjectStore } from "../store/object-store.js";
import { MemoryStore } from "../testing/memory-store.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { createSecretBox } from "./ciphers.js";
import { type Encryption, openEncryption } from "./encryption.js";
import type { TransformationDirection } from "./envelope-transformer.js";
import type { TransformationObserver } from "./transformation-observer.js";
import type { ValueTransformer } from "./value-transformer.js";

const group = "apiserver.config.example.io";
const encryptedPrefix = "vendor:enc:";
const storageKey = "/registry/secrets/a/x";
const plain = Buffer.from("the plain text of a secret");
const key16 = Buffer.alloc(16, 1).toString("base64");
const key32 = Buffer.alloc(32, 2).toString("base64");
const otherKey32 = Buffer.alloc(32, 3).toString("base64");

let directory: string;
let clock: ManualClock;
let opened: Encryption[];
let transformed: string[];
let misses: number;
let arrived: TransformationDirection[];
let keysGenerated: number;
let fill: number | undefined;
const observer: TransformationObserver = {
  transformed: (direction, { prefix }, _milliseconds, isOk) =>
    transformed.push(`${direction} ${prefix} ${isOk ? "ok" : "failed"}`),
  ofService: () => ({
    called: () => {},
    keyUsed: () => {},
    keyIdSeen: () => {},
    keyIdRefused: () => {},
    keysKnown: () => {},
  }),
  keyMissed: () => {
    misses++;
  },
  arrived: (direction) => arrived.push(direction),
  keyGenerated: () => {
    keysGenerated++;
  },
  keyGenerationFailed: () => {},
  keysFilled: (fraction) => {
    fill = fraction;
  },
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "encryption-"));
  clock = new ManualClock();
  opened = [];
  transformed = [];
  misses = 0;
  arrived = [];
  keysGenerated = 0;
  fill = undefined;
});

afterEach(async () => {
  for (const encryption of opened) encryption.close();
  await rm(directory, { recursive: true });
});

async function open(...providers: object[]): Promise<Encryption> {
  return openFile({ resources: [{ resources: ["secrets"], providers }] });
}

async function openFile(content: object | string, level: ApiLevel = "1.23"): Promise<Encryption> {
  const text =
    typeof content === "string"
      ? content
      : JSON.stringify({ apiVersion: `${group}/v1`, kind: "EncryptionConfiguration", ...content });
  const encryption = await openEncryption(Buffer.from(text), {
    file: "encryption.yaml",
    group,
    level,
    isReloaded: false,
    isEnabled: () => true,
    encryptedPrefix,
    clock,
    observer,
    notice: () => {},
  });
  opened.push(encryption);
  return encryption;
}

async function transformer(...providers: object[]): Promise<ValueTransformer> {
  const found = (await open(...providers)).transformerFor("", "secrets");
  if (found === undefined) throw new Error("secrets have no transformer");
  return found;
}

function keys(kind: string, ...secrets: [string, string][]): object {
  return { [kind]: { keys: secrets.map(([name, secret]) => ({ name, secret })) } };
}

function text(value: Uint8Array): string {
  return Buffer.from(value).toString("latin1");
}

describe("providers", () => {
  test.each([
    ["aescbc", key16],
    ["aescbc", key32],
    ["aesgcm", key16],
    ["aesgcm", key32],
    ["secretbox", key32],
  ])("%s hides the value behind its prefix and gives it back", async (kind, secret) => {
    const cipher = await transformer(keys(kind, ["one", secret]));
    const stored = await cipher.toStorage(plain, storageKey);
    expect(text(stored).startsWith(`vendor:enc:${kind}:v1:one:`)).toBe(true);
    expect(text(stored)).not.toContain("plain text");
    expect(await cipher.toStorage(plain, storageKey)).not.toEqual(stored);
    const { value, stale } = await cipher.fromStorage(stored, storageKey);
    expect(text(value)).toBe(text(plain));
    expect(stale).toBe(false);
    const empty = await cipher.toStorage(Buffer.alloc(0), storageKey);
    expect((await cipher.fromStorage(empty, storageKey)).value).toHaveLength(0);
  });

  test.each(["aesgcm", "secretbox", "aescbc"])("%s refuses a value that was cut short", async (kind) => {
    const cipher = await transformer(keys(kind, ["one", key32]));
    const stored = await cipher.toStorage(plain, storageKey);
    for (const length of [stored.length - 1, stored.length - 20, 30]) {
      await expect(async () => cipher.fromStorage(stored.subarray(0, length), storageKey)).rejects.toThrow();
    }
  });

  test("aesgcm ties a value to its key in the store", async () => {
    const cipher = await transformer(keys("aesgcm", ["one", key32]));
    const stored = await cipher.toStorage(plain, storageKey);
    await expect(async () => cipher.fromStorage(stored, "/registry/secrets/a/other")).rejects.toThrow(
      "cipher: message authentication failed",
    );
  });

  test("secretbox is NaCl's: its own test vector decrypts", async () => {
    const hex = (digits: string): Buffer => Buffer.from(digits, "hex");
    const box = await createSecretBox(
      hex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"),
    );
    const nonce = hex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
    const sealed = hex(
      "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186a" +
        "c0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae" +
        "90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74" +
        "e355a5",
    );
    const { value } = await box.fromStorage(Buffer.concat([nonce, sealed]), storageKey);
    expect(Buffer.from(value).toString("hex")).toMatch(/^be075fc53c81f2d5cf141316ebeb0c7b/);
    expect(value).toHaveLength(131);
  });

  test("identity leaves values as they are, and does not take an encrypted one for a plain one", async () => {
    const cipher = await transformer({ identity: {} });
    expect(await cipher.toStorage(plain, storageKey)).toBe(plain);
    expect(await cipher.fromStorage(plain, storageKey)).toEqual({ value: plain, stale: false });
    const encrypted = Buffer.from("vendor:enc:aescbc:v1:one:xxxx");
    await expect(async () => cipher.fromStorage(encrypted, storageKey)).rejects.toThrow(
      "no matching prefix found",
    );
  });

  test("a resource that no rule names has no transformer", async () => {
    const encryption = await openFile({
      resources: [
        { resources: ["secrets", "things.example.io"], providers: [keys("aescbc", ["one", key32])] },
        { resources: ["secrets"], providers: [{ identity: {} }] },
      ],
    });
    expect(encryption.transformerFor("", "configmaps")).toBeUndefined();
    expect(encryption.transformerFor("example.io", "secrets")).toBeUndefined();
    expect(encryption.transformerFor("example.io", "things")).toBeDefined();
    // The providers of several rules for one resource are combined.
    const { value, stale } =
      (await encryption.transformerFor("", "secrets")?.fromStorage(plain, storageKey)) ?? {};
    expect([value, stale]).toEqual([plain, true]);
  });
});

describe("rotation", () => {
  test("what another key or provider than the first wrote is read, and stale", async () => {
    const old = await transformer(keys("aescbc", ["old", key32]));
    const stored = await old.toStorage(plain, storageKey);
    for (const next of [
      await transformer(keys("aescbc", ["new", otherKey32], ["old", key32])),
      await transformer(keys("secretbox", ["new", otherKey32]), keys("aescbc", ["old", key32])),
      await transformer(keys("aescbc", ["new", otherKey32]), keys("aescbc", ["old", key32])),
      await transformer({ identity: {} }, keys("aescbc", ["old", key32])),
    ]) {
      const { value, stale } = await next.fromStorage(stored, storageKey);
      expect([text(value), stale]).toEqual([text(plain), true]);
    }
    const fromPlain = await transformer(keys("aescbc", ["new", key32]), { identity: {} });
    expect(await fromPlain.fromStorage(plain, storageKey)).toEqual({ value: plain, stale: true });
  });

  test("an unchanged object is rewritten with the first key, once", async () => {
    const kv = new MemoryStore();
    const openStore = (cipher: ValueTransformer) =>
      createObjectStore<TestObject>({
        kv,
        prefix: "/registry/secrets/",
        codec: createTestCodec(),
        transformer: cipher,
      });
    const before = openStore(await transformer(keys("aesgcm", ["old", key32])));
    await before.create("a/x", testObject("a/x", "plain text"));
    const after = openStore(await transformer(keys("aesgcm", ["new", otherKey32], ["old", key32])));
    const rewrite = async (): Promise<[number, string]> => {
      const { revision } = await changeObject(after, "a/x", (current) => ({
        object: current?.decode() ?? testObject("a/x", ""),
      }));
      const { kvs } = await kv.range({ start: storageKey });
      const stored = text(kvs[0]?.value ?? Buffer.alloc(0));
      expect(stored).not.toContain("plain text");
      return [revision, stored.slice(0, 26)];
    };
    const [first, prefix] = await rewrite();
    expect(prefix).toContain("vendor:enc:aesgcm:v1:new:");
    expect(await rewrite()).toEqual([first, prefix]);
    expect((await after.get("a/x", { kind: "mostRecent" })).decode().value).toBe("plain text");

    const lost = openStore(await transformer(keys("aesgcm", ["new", key16])));
    await expect(lost.get("a/x", { kind: "mostRecent" })).rejects.toMatchObject({
      code: "Corrupt",
      message: `unable to transform key "${storageKey}": cipher: message authentication failed`,
    });
    const unknown = openStore(await transformer(keys("aesgcm", ["other", key16])));
    await expect(unknown.get("a/x", { kind: "mostRecent" })).rejects.toMatchObject({
      message: `unable to transform key "${storageKey}": no matching key was found for the provided AES transformer`,
    });
  });
});

describe("the file", () => {
  const problem = async (resources: unknown): Promise<string> => {
    const failure = await openFile({ resources }).catch((error: unknown) => error);
    return (failure as Error).message.replace(
      /^error while parsing encryption provider configuration file "[^"]*": /,
      "",
    );
  };
  const ofProvider = (provider: object): Promise<string> =>
    problem([{ resources: ["secrets"], providers: [provider] }]);

  test("may be YAML", async () => {
    const encryption = await openFile(`
apiVersion: ${group}/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, configmaps]
  providers:
  - aescbc:
      keys:
      - name: key1
        secret: ${key32}
  - identity: {}
`);
    const cipher = encryption.transformerFor("", "configmaps");
    expect(text((await cipher?.toStorage(plain, storageKey)) ?? plain)).toContain("aescbc:v1:key1:");
  });

  test("must be of the right kind", async () => {
    await expect(openFile("kind: Other")).rejects.toThrow(
      "want EncryptionConfiguration of apiserver.config.example.io/v1",
    );
    await expect(openFile("- a")).rejects.toThrow("not an EncryptionConfiguration");
    await expect(openFile("{")).rejects.toThrow("error while parsing file");
  });

  test.each<[unknown, string]>([
    [[], "resources: Required value: at least one resources is required"],
    [
      [{ resources: [], providers: [{ identity: {} }] }],
      "resources[0].resources: Required value: at least one resources[0].resources is required",
    ],
    [
      [{ resources: ["secrets"] }],
      "resources[0].providers: Required value: at least one resources[0].providers is required",
    ],
  ])("of %j is refused", async (resources, expected) => {
    expect(await problem(resources)).toBe(expected);
  });

  const at = "resources[0].providers[0]";
  test.each<[object, string]>([
    [
      {},
      `${at}: Invalid value: "REDACTED": provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity`,
    ],
    [
      { identity: {}, ...keys("aescbc", ["one", key32]) },
      `${at}: Invalid value: "REDACTED": more than one provider specified in a single element, should split into different list elements`,
    ],
    [{ aescbc: {} }, `${at}.aescbc.keys: Required value: at least one keys is required`],
    [
      keys("aescbc", ["", ""]),
      `[${at}.aescbc.keys[0].name: Required value: name is a mandatory field for a key, ${at}.aescbc.keys[0].secret: Required value: secret is a mandatory field for a key]`,
    ],
    [
      keys("secretbox", ["one", key16]),
      `${at}.secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]`,
    ],
    [
      keys("aesgcm", ["one", "AAAA"]),
      `${at}.aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]`,
    ],
    [
      keys("aesgcm", ["one", "not base64!"]),
      `${at}.aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
    ],
    [
      { kms: { endpoint: "unix:///x", timeout: "0s", cachesize: 0 } },
      `[${at}.kms.name: Required value: name is a mandatory field for a provider, ` +
        `${at}.kms.timeout: Invalid value: "0s": timeout should be a positive value, ` +
        `${at}.kms.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable]`,
    ],
    [
      { kms: { name: "k" } },
      `${at}.kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms`,
    ],
    [
      { kms: { name: "k", endpoint: "tcp://localhost:1" } },
      `${at}.kms.endpoint: Invalid value: "tcp://localhost:1": unsupported scheme "tcp" for KMS provider, only unix is supported`,
    ],
  ])("with provider %j is refused", async (provider, expected) => {
    expect(await ofProvider(provider)).toBe(expected);
  });
});

test("each value that is encrypted or decrypted is told of, by provider", async () => {
  const cipher = await transformer(keys("aesgcm", ["one", key32]), { identity: {} });
  const stored = await cipher.toStorage(plain, storageKey);
  await cipher.fromStorage(stored, storageKey);
  await cipher.fromStorage(plain, storageKey);
  await expect(async () => cipher.fromStorage(stored, "/registry/secrets/a/other")).rejects.toThrow();
  const prefix = "vendor:enc:aesgcm:v1:";
  expect(transformed).toEqual([
    `to_storage ${prefix} ok`,
    `from_storage ${prefix} ok`,
    "from_storage  ok",
    `from_storage ${prefix} failed`,
  ]);
});

describe("kms", () => {
  let service: FakeKeyService;

  const provider = (more: object = {}): object => ({
    kms: { name: "vault", endpoint: service.endpoint, ...more },
  });

  beforeEach(async () => {
    service = createFakeKeyService(join(directory, "kms.sock"));
    await service.start();
  });

  afterEach(() => service.stop());

  /** Advances the clock slowly enough for sockets to keep up. */
  async function passing(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(100);
    }
  }

  test("encrypts each value with a key of its own, which the service encrypts", async () => {
    const cipher = await transformer(provider());
    const first = await cipher.toStorage(plain, storageKey);
    const second = await cipher.toStorage(plain, storageKey);
    expect(service.calls).toEqual(["Version", "Encrypt", "Encrypt"]);
    const prefix = "vendor:enc:kms:v1:vault:";
    expect(text(first).startsWith(`${prefix}\0\x20`)).toBe(true);
    expect(text(first).slice(0, prefix.length + 34)).not.toBe(text(second).slice(0, prefix.length + 34));
    expect(text((await cipher.fromStorage(first, storageKey)).value)).toBe(text(plain));
    // The key was cached, so the answer is synchronous.
    expect(cipher.fromStorage(first, storageKey)).not.toBeInstanceOf(Promise);
    expect(service.calls).toHaveLength(3);
    expect({ arrived, keysGenerated, fill }).toEqual({
      arrived: ["to_storage", "to_storage", "from_storage", "from_storage"],
      keysGenerated: 2,
      fill: 0.002,
    });

    const another = await transformer(provider({ cachesize: -1 }));
    service.calls.length = 0;
    const read = [another.fromStorage(first, storageKey), another.fromStorage(first, storageKey)];
    for (const each of read) expect(text((await each).value)).toBe(text(plain));
    expect(service.calls).toEqual(["Version", "Decrypt"]);
    await another.fromStorage(first, storageKey);
    expect(service.calls).toEqual(["Version", "Decrypt", "Decrypt"]);
    // Both of the readers that shared a call had to wait.
    expect(misses).toBe(3);
  });

  test("a service of another version is refused, until it is replaced", async () => {
    service.version = "v2";
    const cipher = await transformer(provider());
    await expect(async () => cipher.toStorage(plain, storageKey)).rejects.toThrow(
      "KMS provider api version v2 is not supported, only v1beta1 is supported now",
    );
    service.version = "v1beta1";
    await cipher.toStorage(plain, storageKey);
  });

  test("what the service says is in the error", async () => {
    const cipher = await transformer(provider());
    service.failure = "sealed";
    await expect(async () => cipher.toStorage(plain, storageKey)).rejects.toThrow(/Encrypt: sealed/);
  });

  test("is waited for while it starts again, as long as the timeout lasts", async () => {
    const encryption = await open({ kms: { name: "vault", endpoint: service.endpoint, timeout: "1s" } });
    const cipher = encryption.transformerFor("", "secrets");
    const stored = (await cipher?.toStorage(plain, storageKey)) ?? plain;
    await service.stop();
    const late = expect(async () => cipher?.toStorage(plain, storageKey)).rejects.toThrow(/ENOENT/);
    await passing(1100);
    await late;
    const waiting = cipher?.toStorage(plain, storageKey);
    await passing(500);
    await service.start();
    await passing(300);
    expect(text((await waiting) ?? plain).slice(0, 20)).toBe(text(stored).slice(0, 20));
  });

  test("that answers nothing fails the call when the timeout is over", async () => {
    const cipher = await transformer(provider({ timeout: "1s" }));
    service.silent = true;
    const late = expect(async () => cipher.toStorage(plain, storageKey)).rejects.toThrow(
      /Version: no answer within 1000 ms/,
    );
    await passing(1100);
    await late;
    service.silent = false;
    await cipher.toStorage(plain, storageKey);
  });

  test("has a health check, whose outcome stands for a while", async () => {
    const encryption = await open(provider(), { kms: { name: "second", endpoint: "unix:///nowhere" } });
    expect(encryption.healthChecks.map(({ name }) => name)).toEqual(["kms-provider-0", "kms-provider-1"]);
    const [first, second] = encryption.healthChecks;
    await first?.check();
    await first?.check();
    expect(service.calls).toEqual(["Version", "Encrypt", "Decrypt"]);
    service.failure = "sealed";
    await clock.advance(21_000);
    await expect(first?.check()).rejects.toThrow(
      /^failed to perform encrypt section of the healthz check for KMS Provider vault, error: .*sealed$/,
    );
    service.failure = undefined;
    await expect(first?.check()).rejects.toThrow();
    await clock.advance(3001);
    await first?.check();
    const away = expect(second?.check()).rejects.toThrow(/KMS Provider second.*ENOENT/);
    await passing(3100);
    await away;
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { noRevision, prefixEnd } from "../../storage/kv.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import type { Options } from "../options/options.js";
import { resolveOptions } from "../options/parse-options.js";
import { type PreparedObject, preparedObjects, secondsOf, storePrepared } from "./prepared-objects.js";

const root = "/registry";
const seconds = 1_800_000_000;
const prepared = ["one", "two"].map((name): PreparedObject => {
  const value = Buffer.from(`${name} ${"0".repeat(36)} 00000 00000`);
  return { key: `/namespaces/${name}`, value: value.toString("base64"), uidAt: 4, timesAt: [41, 47] };
});

test("objects in an empty store have uids and times of their own, and a revision each", async () => {
  const kv = new MemoryStore();
  const uids = ["first", "second"].map((name) => name.padEnd(36, "-"));
  expect(await storePrepared(async () => prepared, { kv, root, seconds, uid: uidsOf(uids) })).toBe(true);
  const kvs = await stored(kv);
  const time = Buffer.from(secondsOf(seconds)).toString("latin1");
  expect(kvs.map(({ key, text }) => [key, text])).toEqual([
    ["/registry/namespaces/one", `one ${uids[0]} ${time} ${time}`],
    ["/registry/namespaces/two", `two ${uids[1]} ${time} ${time}`],
  ]);
  expect(kvs[1]?.revision).toBe((kvs[0]?.revision ?? 0) + 1);
});

test("a store that has something stays as it is, and no objects are asked for", async () => {
  const kv = new MemoryStore();
  await put(kv, `${root}/configmaps/default/one`);
  const objects = vi.fn(async () => prepared);
  expect(await storePrepared(objects, { kv, root, seconds, uid })).toBe(false);
  expect(await stored(kv)).toHaveLength(1);
  expect(objects).not.toHaveBeenCalled();
});

test("what is stored beside the root does not count", async () => {
  const kv = new MemoryStore();
  await put(kv, "/registry-of-others/one");
  expect(await storePrepared(async () => prepared, { kv, root, seconds, uid })).toBe(true);
});

test("what another server was faster to store stays", async () => {
  const kv = new MemoryStore();
  const key = `${root}/namespaces/two`;
  const [isComplete] = await Promise.all([
    storePrepared(async () => prepared, { kv, root, seconds, uid }),
    put(kv, key),
  ]);
  expect(isComplete).toBe(false);
  expect((await stored(kv)).map(({ text }) => text)).toEqual([expect.stringMatching(/^one/), "theirs"]);
});

describe("the objects of a built program", () => {
  const folder = mkdtempSync(join(tmpdir(), "prepared-objects-"));
  const [one, two] = prepared;
  const objects = [
    { ...one, since: "1.23", until: "1.30" },
    { ...two, since: "1.30" },
    { ...two, key: "/apiregistration.k8s.io/apiservices/v1.", since: "1.31" },
  ];
  writeFileSync(join(folder, "kubernetes.json"), JSON.stringify(objects));
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => vi.unstubAllEnvs());

  const keysFor = async (given: Partial<Options>): Promise<readonly string[] | undefined> => {
    vi.stubEnv("ORCH_PREPARED_OBJECTS", `${pathToFileURL(folder).href}/`);
    const profile = "kubernetes";
    const resolved = resolveOptions({ apiProfile: profile, ...given }, { profile });
    if (resolved.kind === "error") throw new Error(resolved.message);
    return (await preparedObjects(resolved.options, createNaming(profile)))?.map(({ key }) => key);
  };

  test("are those of the level", async () => {
    expect(await keysFor({ apiLevel: "1.29" })).toEqual(["/namespaces/one"]);
    expect(await keysFor({ apiLevel: "1.30" })).toEqual(["/namespaces/two"]);
  });

  test("are without API services where the configuration says what is served", async () => {
    const apiLevel = "1.31";
    expect(await keysFor({ apiLevel })).toHaveLength(2);
    const runtimeConfig = new Map([["api/beta", "true"]]);
    expect(await keysFor({ apiLevel, runtimeConfig })).toEqual(["/namespaces/two"]);
  });

  test.each<Partial<Options>>([
    { featureGates: new Map([["AllAlpha", true]]) },
    { emulatedVersion: { version: "1.34" } },
    { minCompatibilityVersion: { version: "1.34" } },
    { storageMediaType: "json" },
    { enablePriorityAndFairness: false },
    { controllers: ["*", "-clusterrole-aggregation"] },
    { encryptionProviderConfig: "keys.yaml" },
    {
      storeServersOverrides: [{ group: "", resource: "namespaces", servers: ["http://127.0.0.1:2379"] }],
    },
  ])("are not used with %j", async (given) => {
    expect(await keysFor({ apiLevel: "1.35", ...given })).toBeUndefined();
  });
});

describe("a time", () => {
  test("is a varint of five bytes", () => {
    // Source: https://protobuf.dev/programming-guides/encoding, least significant group first.
    expect([...secondsOf(2 ** 28)]).toEqual([128, 128, 128, 128, 1]);
    expect([...secondsOf(2 ** 35 - 1)]).toEqual([255, 255, 255, 255, 127]);
  });

  test.each([0, 2 ** 28 - 1, 2 ** 35])("of %d seconds does not fit", async (others) => {
    const kv = new MemoryStore();
    expect(await storePrepared(async () => prepared, { kv, root, seconds: others, uid })).toBe(false);
    expect(await stored(kv)).toEqual([]);
  });
});

function uid(): string {
  return "0".repeat(36);
}

function uidsOf(uids: readonly string[]): () => string {
  const left = [...uids];
  return () => left.shift() ?? "";
}

async function put(kv: MemoryStore, key: string): Promise<void> {
  await kv.transact({
    compare: [{ key, target: "mod", revision: noRevision }],
    success: [{ kind: "put", key, value: Buffer.from("theirs") }],
    failure: [],
  });
}

async function stored(kv: MemoryStore) {
  const { kvs } = await kv.range({ start: `${root}/`, end: prefixEnd(`${root}/`) });
  return kvs.map(({ key, value, modRevision }) => ({
    key,
    text: Buffer.from(value).toString("latin1"),
    revision: modRevision,
  }));
}

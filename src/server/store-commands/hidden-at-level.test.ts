import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { readTables } from "../../storage/embedded/backup.js";
import { type EmbeddedStore, openEmbeddedStore } from "../../storage/embedded/embedded-store.js";
import { hiddenAtLevel } from "./hidden-at-level.js";
import { levelReport } from "./level-report.js";
import { StoredKinds } from "./stored-kinds.js";
import { encodeStoredValue } from "./stored-value.js";

const naming = createNaming("kubernetes");
const kinds = new StoredKinds(naming);
let directory: string;
let store: EmbeddedStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hidden-at-level-"));
  store = await openEmbeddedStore({ directory });
});

afterEach(() => rm(directory, { recursive: true }));

async function put(key: string, value: Uint8Array): Promise<void> {
  await store.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });
}

async function putObject(key: string, object: object, mediaType: "json" | "protobuf" = "protobuf") {
  await put(key, await encodeStoredValue(Buffer.from(JSON.stringify(object)), kinds, mediaType));
}

/** Closes the store. */
async function report(level: ApiLevel): Promise<string> {
  await store.close();
  const hidden = await readTables(directory, (tables) =>
    hiddenAtLevel(tables, { level, naming, root: "/registry" }),
  );
  return levelReport(level, hidden);
}

const cronJob = (name: string, timeZone?: string) => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name, namespace: "n" },
  spec: {
    schedule: "* * * * *",
    ...(timeZone !== undefined && { timeZone }),
    jobTemplate: { spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } } },
  },
});

test("objects in either encoding are checked, and only fields that are set count", async () => {
  await putObject("/registry/cronjobs/n/plain", cronJob("plain"));
  await putObject("/registry/cronjobs/n/one", cronJob("one", "UTC"));
  await putObject("/registry/cronjobs/n/two", cronJob("two", "UTC"), "json");
  expect(await report("1.23")).toBe(
    "API level 1.23 does not show:\n  cronjobs.batch spec.timeZone: 2 objects (n/one, n/two)\n",
  );
});

test("an old store has nothing that its own level hides", async () => {
  await putObject("/registry/cronjobs/n/plain", cronJob("plain"));
  expect(await report("1.23")).toBe("API level 1.23 shows all of it\n");
});

test("what was written with the names of the other profile is found", async () => {
  const group = createNaming("orch").group("admissionregistration");
  const policy = {
    apiVersion: `${group}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { validations: [{ expression: "true" }] },
  };
  await putObject("/registry/validatingadmissionpolicies/p", policy);
  expect(await report("1.25")).toContain(
    "validatingadmissionpolicies.admissionregistration.k8s.io: 1 object (p)",
  );
});

test("encrypted and damaged objects are counted, with the reason", async () => {
  await put("/registry/secrets/n/a", Buffer.from("k8s:enc:aescbc:v1:key1:xyz"));
  await put("/registry/secrets/n/b", Buffer.from("k8s:enc:aescbc:v1:key1:uvw"));
  await put("/registry/configmaps/n/c", Buffer.from("no object"));
  const text = await report("1.30");
  expect(text).toMatch(/^not looked into:\n/);
  expect(text).toMatch(
    / {2}secrets 2 objects \(n\/a, n\/b\): the value is encrypted \(provider aescbc, key "key1"\)/,
  );
  expect(text).toMatch(/ {2}configmaps 1 object \(n\/c\): the value is neither/);
});

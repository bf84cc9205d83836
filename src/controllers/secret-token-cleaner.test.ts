import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Secret } from "../apis/gen/core-v1.js";
import type { Controller } from "./controller.js";
import { SecretTokenCleaner } from "./secret-token-cleaner.js";
import { SecretTokenTrackingMap } from "./secret-token-tracking.js";
import { TestRegistries } from "./testing/registries.js";

const type = "kubernetes.io/service-account-token";
const lastUsedLabel = "kubernetes.io/legacy-token-last-used";
const invalidSinceLabel = "kubernetes.io/legacy-token-invalid-since";
const nameAnnotation = "kubernetes.io/service-account.name";
const map = { namespace: "ns", name: "tracking" };
const dayMs = 86_400_000;

let now: Date;
let registries: TestRegistries;
let cleaner: SecretTokenCleaner;
let running: Controller[];

const after = (days: number): Date => new Date(Date.now() + days * dayMs);
const dateAfter = (days: number): string => after(days).toISOString().slice(0, 10);

beforeEach(async () => {
  now = new Date();
  registries = new TestRegistries(["secrets", "serviceaccounts", "pods", "configmaps"], () => now, "1.29");
  cleaner = new SecretTokenCleaner(registries.context, {
    secretType: type,
    nameAnnotation,
    uidAnnotation: "kubernetes.io/service-account.uid",
    lastUsedLabel,
    invalidSinceLabel,
    map,
    secretsOf: ({ spec }) => spec.volumes?.flatMap(({ secret }) => secret?.secretName ?? []) ?? [],
  });
  running = [cleaner];
});

afterEach(async () => {
  for (const controller of running) await controller.stop();
});

async function secret(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  const metadata = { name, namespace: "ns", labels, annotations: { [nameAnnotation]: "robot" } };
  await registries.create("secrets", { metadata, type, data: {} });
}

async function find(name: string): Promise<Secret | undefined> {
  const found = await registries.context.builtin("secrets").find("ns", name, { kind: "mostRecent" });
  return found?.decode();
}

async function cleanAt(days: number): Promise<void> {
  now = after(days);
  await cleaner.clean();
}

describe("a year after tracking began", () => {
  beforeEach(async () => {
    await registries.create("configmaps", { metadata: map, data: { since: dateAfter(0) } });
    const secrets = ["unused", "used", "mounted", "marked", "odd"].map((name) => ({ name }));
    await registries.create("serviceaccounts", { metadata: { name: "robot", namespace: "ns" }, secrets });
    const volumes = [{ name: "s", secret: { secretName: "mounted" } }];
    await registries.create("pods", {
      metadata: { name: "p", namespace: "ns" },
      spec: { containers: [{ name: "c", image: "i" }], volumes },
    });
    await secret("unused");
    await secret("used", { [lastUsedLabel]: dateAfter(300) });
    await secret("odd", { [lastUsedLabel]: "yesterday" });
    await secret("mounted");
    await secret("own");
    await cleaner.start();
  });

  const invalidSince = async (name: string): Promise<string | undefined> =>
    (await find(name))?.metadata.labels?.[invalidSinceLabel];

  test("unused token secrets are marked, and deleted a year later", async () => {
    await cleanAt(365);
    expect(await invalidSince("unused")).toBeUndefined();
    await expect
      .poll(async () => {
        await cleanAt(367);
        return await invalidSince("unused");
      })
      .toBe(dateAfter(367));
    for (const name of ["used", "mounted", "own", "odd"]) expect(await invalidSince(name)).toBeUndefined();
    await expect
      .poll(async () => {
        await cleanAt(367 + 364);
        return await invalidSince("used");
      })
      .toBe(dateAfter(367 + 364));
    expect(await find("unused")).toBeDefined();
    await expect
      .poll(async () => {
        await cleanAt(367 + 367);
        return await find("unused");
      })
      .toBeUndefined();
    expect(await find("own")).toBeDefined();
    expect(await find("mounted")).toBeDefined();
  });
});

test("nothing is cleaned up before tracking is known to have begun", async () => {
  await registries.create("serviceaccounts", {
    metadata: { name: "robot", namespace: "ns" },
    secrets: [{ name: "unused" }],
  });
  await secret("unused");
  await cleaner.start();
  await cleanAt(3000);
  expect((await find("unused"))?.metadata.labels).toBeUndefined();
});

test("a config map says since when use is tracked", async () => {
  const tracking = new SecretTokenTrackingMap(registries.context, map);
  running.push(tracking);
  await tracking.start();
  const data = async () =>
    (await registries.context.builtin("configmaps").find("ns", "tracking", { kind: "mostRecent" }))?.decode()
      .data;
  await expect.poll(data).toEqual({ since: dateAfter(0) });
});

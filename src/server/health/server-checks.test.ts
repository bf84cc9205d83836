import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { Lifecycle } from "../lifecycle/lifecycle.js";
import { createServerChecks } from "./server-checks.js";

const { signal } = new AbortController();
const naming = createNaming("orch");

test("a server is live but not ready while an informer has not synced", async () => {
  const informers = { notSynced: 2 };
  const checks = createServerChecks({
    naming,
    lifecycle: new Lifecycle(0, 0),
    informers,
    checkStore: async () => undefined,
    keyServices: [],
    keyServicesOfLivez: true,
    livezGracePeriodMs: 0,
    now: () => 0,
  });
  const all = { verbose: false, exclude: [] };
  expect((await checks.all("livez", all, signal)).status).toBe(200);
  expect((await checks.all("readyz", all, signal)).body).toContain("[-]informer-sync failed");
  expect((await checks.one("readyz", "informer-sync", signal)).body).toContain("2 informers not started yet");
  informers.notSynced = 0;
  expect((await checks.all("readyz", all, signal)).status).toBe(200);
});

test("a hook fails its check until it is done, and autoregistration has a second one", async () => {
  const lifecycle = new Lifecycle(0, 0);
  const { autoregistration } = naming.healthChecks;
  for (const name of ["priority-and-fairness-config-consumer", autoregistration]) lifecycle.declareHook(name);
  const checks = createServerChecks({
    naming,
    lifecycle,
    informers: { notSynced: 0 },
    checkStore: async () => undefined,
    keyServices: [],
    keyServicesOfLivez: true,
    livezGracePeriodMs: 0,
    now: () => 0,
  });
  const all = { verbose: false, exclude: [] };
  const failed = async () => (await checks.all("healthz", all, signal)).body.match(/(?<=\[-\])\S+/g);
  const waiting = [autoregistration, "autoregister-completion"];
  expect(await failed()).toEqual(["poststarthook/priority-and-fairness-config-consumer", ...waiting]);
  lifecycle.hookDone("priority-and-fairness-config-consumer");
  expect(await failed()).toEqual(waiting);
  lifecycle.hookDone(autoregistration);
  expect(await failed()).toBeNull();
});

test("the certificate for calls to itself has a check that is not about readiness", async () => {
  const namesWith = (checksLoopback: boolean | undefined) => {
    const checks = createServerChecks({
      naming,
      lifecycle: new Lifecycle(0, 0),
      informers: { notSynced: 0 },
      checkStore: async () => undefined,
      checksLoopback,
      keyServices: [],
      keyServicesOfLivez: true,
      livezGracePeriodMs: 0,
      now: () => 0,
    });
    return (["healthz", "livez", "readyz"] as const).filter((endpoint) =>
      checks.names(endpoint).includes("loopback-serving-certificate"),
    );
  };
  expect(namesWith(true)).toEqual(["healthz", "livez"]);
  expect(namesWith(undefined)).toEqual([]);
});

import { afterEach, expect, test } from "vitest";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { writeStatus } from "../status-write.js";
import { TestRegistries } from "../testing/registries.js";
import { ResourceQuotaController } from "./resource-quota-controller.js";

const running: ResourceQuotaController[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of quotas, pods and config maps, and a clock. */
function ground() {
  const clock = { now: 1_700_000_000_000 };
  const registries = new TestRegistries(["resourcequotas", "pods", "configmaps"], () => new Date(clock.now));
  const { context } = registries;
  const quotas = context.builtin("resourcequotas");
  const create = (resource: string, json: object) => registries.create(resource, json);
  return {
    clock,
    create,
    createQuota: (hard: object, spec: object = {}) =>
      create("resourcequotas", { metadata: { name: "q", namespace: "ns" }, spec: { hard, ...spec } }),
    remove: (resource: string, name: string) => registries.remove(resource, name, { gracePeriodSeconds: 0 }),
    start: async () => {
      const controller = new ResourceQuotaController(
        context,
        new QuotaEvaluators(testApiContext()),
        () => clock.now,
      );
      running.push(controller);
      await controller.start();
    },
    charge: (used: Record<string, string>) =>
      writeStatus(context, quotas, {
        namespace: "ns",
        name: "q",
        as: "admin",
        change: ({ status }) => {
          status.used = { ...status.used, ...used };
        },
      }),
    used: async () => (await quotas.get("ns", "q", { kind: "mostRecent" })).decode().status.used,
  };
}

const pod = (name: string, spec: object = {}) => ({
  metadata: { name, namespace: "ns" },
  spec: { containers: [{ name: "a", image: "a", resources: { requests: { cpu: "250m" } } }], ...spec },
});
const configMap = (name: string) => ({ metadata: { name, namespace: "ns" } });

test("a quota is counted at the start, by its scopes, and names that nothing counts are left out", async () => {
  const { create, createQuota, start, used } = ground();
  await create("pods", pod("a"));
  await create("pods", pod("b", { activeDeadlineSeconds: 5 }));
  await createQuota(
    { pods: "9", "requests.cpu": "9", "count/boats.example.com": "1" },
    { scopes: ["NotTerminating"] },
  );
  await start();
  await expect.poll(used).toEqual({ pods: "1", "requests.cpu": "250m" });
});

test("objects that come and go are counted", async () => {
  const { clock, create, createQuota, remove, start, used } = ground();
  await createQuota({ configmaps: "9" });
  await start();
  await expect.poll(used).toEqual({ configmaps: "0" });
  await create("configmaps", configMap("a"));
  await create("configmaps", configMap("b"));
  await expect.poll(used).toEqual({ configmaps: "2" });
  clock.now += 60_000;
  await remove("configmaps", "a");
  await expect.poll(used).toEqual({ configmaps: "1" });
});

test("what was charged a moment ago stays, though its object was not stored yet", async () => {
  const { clock, create, createQuota, remove, charge, start, used } = ground();
  await create("configmaps", configMap("a"));
  await createQuota({ configmaps: "9" });
  await start();
  await expect.poll(used).toEqual({ configmaps: "1" });
  clock.now += 60_000;
  await charge({ configmaps: "3" });
  await remove("configmaps", "a");
  await expect.poll(used).toEqual({ configmaps: "2" });
  clock.now += 60_000;
  await expect.poll(used).toEqual({ configmaps: "0" });
});

import { afterEach, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { DeviceObjects } from "../../apis/core/resource-quota/device-objects.js";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { noDevices } from "../../apis/testing/no-devices.js";
import { writeStatus } from "../status-write.js";
import { TestRegistries } from "../testing/registries.js";
import { ResourceQuotaController } from "./resource-quota-controller.js";

const running: ResourceQuotaController[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of quotas and of what they count, and a clock. */
function ground(level: ApiLevel = "1.23", devices?: DeviceObjects) {
  const clock = { now: 1_700_000_000_000 };
  const counted = ["pods", "configmaps", ...(level === "1.23" ? [] : ["resourceclaims"])];
  const registries = new TestRegistries(["resourcequotas", ...counted], () => new Date(clock.now), level);
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
        new QuotaEvaluators(testApiContext({ level }), () => devices ?? noDevices()),
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

test("recently charged usage stays, although its object is not stored yet", async () => {
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

test("devices count once, for pods, for the claims that the scheduler makes for them, and for other claims", async () => {
  const pods: Pod[] = [];
  const extended = new Map<string, string>();
  const { clock, create, createQuota, remove, start, used } = ground("1.36", {
    extendedResourceOf: (className) => extended.get(className),
    pod: async (_namespace, name) => pods.find(({ metadata }) => metadata.name === name),
    claimsOf: () => [],
  });
  const [gpus, ofClass] = ["requests.example.com/gpu", "requests.deviceclass.resource.kubernetes.io/gpu"];
  const asking = { resources: { requests: { "example.com/gpu": "2" }, limits: { "example.com/gpu": "2" } } };
  const stored = await create("pods", pod("a", { containers: [{ name: "a", image: "a", ...asking }] }));
  pods.push(stored.decode() as Pod); // as created
  const claim = (name: string, metadata: object) => ({
    metadata: { name, namespace: "ns", ...metadata },
    spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu", count: 2 } }] } },
  });
  const uid = stored.decode().metadata.uid ?? "";
  await create(
    "resourceclaims",
    claim("made", {
      annotations: { "resource.kubernetes.io/extended-resource-claim": "true" },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a", uid, controller: true }],
    }),
  );
  await create("resourceclaims", claim("other", {}));
  await create("resourceclaims", claim("third", {}));
  await createQuota({ [gpus]: "9", [ofClass]: "9", "gpu.deviceclass.resource.k8s.io/devices": "9" });
  await start();
  const devices = { "gpu.deviceclass.resource.k8s.io/devices": "6" };
  await expect.poll(used).toEqual({ ...devices, [gpus]: "2", [ofClass]: "0" });
  extended.set("gpu", "example.com/gpu");
  clock.now += 60_000;
  await remove("resourceclaims", "third");
  await expect
    .poll(used)
    .toEqual({ "gpu.deviceclass.resource.k8s.io/devices": "4", [gpus]: "4", [ofClass]: "4" });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** The server manages the fields that it changes itself while it answers a request. The client does not. */

const namespace = "/api/v1/namespaces/default";
let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround({ apiLevel: "1.32" });
});
afterAll(() => ground.dispose());

async function ofServer(target: string): Promise<Json> {
  const { metadata } = (await ground.api.get(target)).body;
  return metadata.managedFields.filter(({ manager }: Json) => manager === "kube-apiserver");
}

test("the use that a write charges to a quota", async () => {
  const { api } = ground;
  const quotas = `${namespace}/resourcequotas`;
  const hard = { configmaps: "2" };
  await api.post(quotas, { metadata: { name: "q" }, spec: { hard } });
  await api.mergePatch(`${quotas}/q/status`, { status: { hard, used: { configmaps: "0" } } });
  expect(await ofServer(`${quotas}/q`)).toEqual([]);
  expect((await api.post(`${namespace}/configmaps`, { metadata: { name: "charged" } })).code).toBe(201);
  expect(await ofServer(`${quotas}/q`)).toMatchObject([
    {
      operation: "Update",
      apiVersion: "v1",
      subresource: "status",
      fieldsV1: { "f:status": { "f:used": { "f:configmaps": {} } } },
    },
  ]);
});

test("the disruption that an eviction takes from a budget", async () => {
  const { api } = ground;
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const app = { app: "evicted" };
  const spec = { nodeName: "n1", containers: [{ name: "c", image: "i" }] };
  await api.post(`${namespace}/pods`, { metadata: { name: "evicted", labels: app }, spec });
  const conditions = [{ type: "Ready", status: "True" }];
  await api.mergePatch(`${namespace}/pods/evicted/status`, { status: { phase: "Running", conditions } });
  await api.post(budgets, {
    metadata: { name: "b" },
    spec: { minAvailable: 0, selector: { matchLabels: app } },
  });
  const counts = { expectedPods: 1, desiredHealthy: 0, currentHealthy: 1, disruptionsAllowed: 1 };
  await api.mergePatch(`${budgets}/b/status`, { status: { observedGeneration: 1, ...counts } });
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "evicted" } };
  expect((await api.post(`${namespace}/pods/evicted/eviction`, eviction)).code).toBe(201);
  expect(await ofServer(`${budgets}/b`)).toMatchObject([
    {
      operation: "Update",
      apiVersion: "policy/v1",
      subresource: "status",
      fieldsV1: {
        "f:status": {
          "f:conditions": { 'k:{"type":"DisruptionAllowed"}': { "f:status": {} } },
          "f:disruptedPods": { "f:evicted": {} },
          "f:disruptionsAllowed": {},
        },
      },
    },
  ]);
});

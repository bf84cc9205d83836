import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Before 1.26 selectors are stored whose values no label can have. */

const namespace = "/api/v1/namespaces/default";
const registration = "/apis/admissionregistration.k8s.io/v1";
const unreadable = { matchExpressions: [{ key: "tier", operator: "In", values: ["no label"] }] };
const why =
  'values[0][tier]: Invalid value: "no label": a valid label must be an empty string or consist of alphanumeric';

let store: MemoryStore;
let ground: ApiGround;

async function openAt(apiLevel: ApiLevel): Promise<void> {
  ground = await openApiGround({ apiLevel }, store);
}

beforeEach(async () => {
  store = new MemoryStore();
  await openAt("1.25");
});
afterEach(() => ground.dispose());

const hook = (selectors: object) => ({
  name: "guard.example.org",
  clientConfig: { url: "https://127.0.0.1:1/" },
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  failurePolicy: "Ignore",
  ...selectors,
});

test.each(["validating", "mutating"])("a %s webhook refuses what its rules name", async (type) => {
  const configurations = `${registration}/${type}webhookconfigurations`;
  const { api } = ground;
  const webhooks = [hook({ objectSelector: unreadable })];
  expect((await api.post(configurations, { metadata: { name: "guard" }, webhooks })).code).toBe(201);
  const create = async () => await ground.api.post(`${namespace}/configmaps`, { metadata: { name: "c" } });
  const refusal = { code: 500, message: expect.stringContaining(`Internal error occurred: ${why}`) };
  expect((await create()).body).toMatchObject(refusal);
  expect((await api.post(`${namespace}/secrets`, { metadata: { name: "s" } })).code).toBe(201);
  expect((await api.get(`${configurations}/guard`)).code).toBe(200);

  await ground.dispose();
  await openAt("1.36");
  expect((await create()).body).toMatchObject(refusal);
  expect((await ground.api.delete(`${configurations}/guard`)).code).toBe(200);
  expect((await create()).code).toBe(201);
});

test("a webhook whose other selector does not match refuses nothing", async () => {
  const { api } = ground;
  const elsewhere = { matchLabels: { team: "other" } };
  const webhooks = [hook({ objectSelector: unreadable, namespaceSelector: elsewhere })];
  await api.post(`${registration}/validatingwebhookconfigurations`, { metadata: { name: "g" }, webhooks });
  expect((await api.post(`${namespace}/configmaps`, { metadata: { name: "c" } })).code).toBe(201);
});

test("a disruption budget protects no pod, and others can be evicted", async () => {
  const { api } = ground;
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const spec = { minAvailable: 1, selector: unreadable };
  expect((await api.post(budgets, { metadata: { name: "b" }, spec })).code).toBe(201);
  const containers = [{ name: "c", image: "i" }];
  await api.post(`${namespace}/pods`, { metadata: { name: "p" }, spec: { nodeName: "n", containers } });
  await api.mergePatch(`${namespace}/pods/p/status`, { status: { phase: "Running" } });
  const evicted = await api.post(`${namespace}/pods/p/eviction`, { metadata: { name: "p" } });
  expect(evicted.code, JSON.stringify(evicted.body)).toBe(201);
});

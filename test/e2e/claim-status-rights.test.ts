import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const driver = "gpu.example.com";
const device = { driver, pool: "p", device: "d" };
const allocation = { devices: { results: [{ request: "r", ...device }] } };
const scheduler = { "impersonate-user": "scheduler" };
const agent = { "impersonate-user": "agent" };

/** Who writes the status of a claim: from 1.36 on, its parts need rights of their own. */
describe.each<[ApiLevel, boolean]>([
  ["1.35", false],
  ["1.36", true],
])("at %s", (level, isGranular) => {
  let server: ServerHere;
  let api: ApiClient;

  beforeAll(async () => {
    server = await startServerHere({ args: [`--api-level=${level}`, "--authorization-mode=RBAC"] });
    api = new ApiClient(server);
    for (const user of ["scheduler", "agent"]) {
      await grant(user, user, [{ resources: ["resourceclaims/status"], verbs: ["update", "patch"] }]);
    }
    const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] } };
    expect((await api.post(claims, { metadata: { name: "c" }, spec })).status).toBe(201);
  });
  afterAll(async () => {
    await api.close();
    await server.dispose();
  });

  async function grant(name: string, user: string, rules: readonly object[]): Promise<void> {
    const role = {
      metadata: { name },
      rules: rules.map((rule) => ({ apiGroups: ["resource.k8s.io"], ...rule })),
    };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }];
    expect((await api.post(`${rbac}/clusterroles`, role)).status).toBe(201);
    const bound = await api.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
    expect(bound.status).toBe(201);
  }

  async function write(status: object, headers: Record<string, string>) {
    const contentType = "application/merge-patch+json";
    return await api.ask("PATCH", `${claims}/c/status`, { headers, contentType, body: { status } });
  }

  test("an allocation takes the right to bind, and reports of a driver the right to report for it", async () => {
    if (isGranular) {
      const { status, body } = await write({ allocation }, scheduler);
      expect([status, body.message]).toEqual([
        422,
        'ResourceClaim.resource.k8s.io "c" is invalid: status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission: resourceclaims.resource.k8s.io is forbidden: User "scheduler" cannot patch resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope',
      ]);
      await grant("binds", "scheduler", [{ resources: ["resourceclaims/binding"], verbs: ["patch"] }]);
    }
    expect((await write({ allocation }, scheduler)).status).toBe(200);
    if (isGranular) {
      const { status, body } = await write({ devices: [device] }, agent);
      expect([status, body.message]).toEqual([
        422,
        `ResourceClaim.resource.k8s.io "c" is invalid: status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]" permission: resourceclaims.resource.k8s.io "${driver}" is forbidden: User "agent" cannot arbitrary-node:patch resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "default"`,
      ]);
      await grant("reports", "agent", [
        { resources: ["resourceclaims/driver"], verbs: ["arbitrary-node:patch"], resourceNames: [driver] },
      ]);
    }
    expect((await write({ devices: [device] }, agent)).status).toBe(200);
  });
});

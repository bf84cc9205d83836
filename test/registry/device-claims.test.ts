import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiGround, openApiGround } from "./api-ground.js";

const result = { request: "gpu", driver: "d.example.org", pool: "p", device: "gpu-0" };

describe("claims with access to devices that are in use", () => {
  let ground: ApiGround;

  beforeAll(async () => {
    ground = await openApiGround({ apiLevel: "1.35" });
    for (const [name, labels] of [
      ["admins", { "resource.kubernetes.io/admin-access": "true" }],
      ["users", { "resource.kubernetes.io/admin-access": "false" }],
    ] as const) {
      await ground.api.post("/api/v1/namespaces", { metadata: { name, labels } });
    }
  });
  afterAll(async () => {
    await ground.dispose();
  });

  const collection = (namespace: string, resource = "resourceclaims"): string =>
    `/apis/resource.k8s.io/v1/namespaces/${namespace}/${resource}`;
  const claim = (name: string, adminAccess?: boolean) => ({
    metadata: { name },
    spec: {
      devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.example.org", adminAccess } }] },
    },
  });
  const why =
    "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace";

  test("are for namespaces with the label", async () => {
    expect(await ground.api.post(collection("admins"), claim("a", true))).toMatchObject({ code: 201 });
    const { code, body } = await ground.api.post(collection("users"), claim("a", true));
    expect(code).toBe(422);
    expect(body.message).toBe(
      `ResourceClaim.resource.k8s.io "a" is invalid: spec.devices.requests[0].adminAccess: Forbidden: ${why}`,
    );
    expect(await ground.api.post(collection("users"), claim("a"))).toMatchObject({ code: 201 });
  });

  test("are not made by templates elsewhere", async () => {
    const template = { metadata: { name: "t" }, spec: { spec: claim("t", true).spec } };
    const { body } = await ground.api.post(collection("users", "resourceclaimtemplates"), template);
    expect(body.details.causes).toEqual([
      {
        reason: "FieldValueForbidden",
        field: "spec.devices.requests[0].adminAccess",
        message: `Forbidden: ${why}`,
      },
    ]);
    expect((await ground.api.post(collection("admins", "resourceclaimtemplates"), template)).code).toBe(201);
  });

  test("are not allocated elsewhere", async () => {
    const allocation = (adminAccess: boolean) => ({
      status: { allocation: { devices: { results: [{ ...result, adminAccess }] } } },
    });
    const target = `${collection("users")}/a/status`;
    const { code, body } = await ground.api.mergePatch(target, allocation(true));
    expect(code).toBe(422);
    expect(body.message).toContain(`status.allocation.devices.results[0].adminAccess: Forbidden: ${why}`);
    expect(await ground.api.mergePatch(target, allocation(false))).toMatchObject({ code: 200 });
    expect(await ground.api.mergePatch(`${collection("admins")}/a/status`, allocation(true))).toMatchObject({
      code: 200,
    });
  });

  test("a write of the claim leaves its status alone, and the other way round", async () => {
    const target = `${collection("users")}/a`;
    const { body } = await ground.api.mergePatch(`${target}/status`, {
      metadata: { labels: { a: "b" } },
      spec: { devices: { requests: [] } },
      status: { reservedFor: [{ resource: "pods", name: "p", uid: "1" }] },
    });
    expect(body.metadata.labels).toBeUndefined();
    expect(body.spec).toEqual({
      devices: {
        requests: [
          {
            name: "gpu",
            exactly: { deviceClassName: "gpu.example.org", allocationMode: "ExactCount", count: 1 },
          },
        ],
      },
    });
    const changed = await ground.api.mergePatch(target, { metadata: { labels: { a: "b" } }, status: null });
    expect(changed.body.status).toEqual(body.status);
  });
});

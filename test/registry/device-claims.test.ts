import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { Json } from "./api-caller.js";
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

const resourceGroup = "/apis/resource.k8s.io/v1";
const immutable = expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/);
const noName = expect.stringMatching(/name: Invalid value: "": a lowercase RFC 1123 label/);

describe.each<ApiLevel>(["1.34", "1.35", "1.36"])("what is refused at %s", (level) => {
  const isLater = level !== "1.34";
  let ground: ApiGround;

  beforeAll(async () => {
    const gates = ["DRAConsumableCapacity", "DRADeviceTaints"] as const;
    ground = await openApiGround({
      apiLevel: level,
      featureGates: new Map(gates.map((gate) => [gate, true])),
    });
  });
  afterAll(async () => {
    await ground.dispose();
  });

  const of = (resource: string) => `${resourceGroup}/namespaces/default/${resource}`;
  const causesOf = ({ body }: { body: Json }): string[] =>
    (body.details?.causes ?? []).map(({ field, message }: Json) => `${field}: ${message}`);

  test("a claim's specification never changes", async () => {
    const requests = [{ name: "r", exactly: { deviceClassName: "c" } }];
    const spec = { devices: { requests } };
    const unnamed = { devices: { requests: [{ exactly: { deviceClassName: "c" } }] } };
    await ground.api.post(of("resourceclaims"), { metadata: { name: "c" }, spec });
    expect(causesOf(await ground.api.mergePatch(`${of("resourceclaims")}/c`, { spec: unnamed }))).toEqual(
      isLater ? [immutable] : [immutable, noName],
    );
    const templates = of("resourceclaimtemplates");
    await ground.api.post(templates, { metadata: { name: "t" }, spec: { spec } });
    const template = await ground.api.mergePatch(`${templates}/t`, { spec: { spec: unnamed } });
    expect(causesOf(template)).toEqual([noName, immutable]);
  });

  test("a driver has a name, and conditions a reason", async () => {
    const config = [{ opaque: { driver: "", parameters: {} } }];
    const made = await ground.api.post(`${resourceGroup}/deviceclasses`, {
      metadata: { name: "c" },
      spec: { config },
    });
    const path = "spec.config[0].opaque.driver";
    expect(causesOf(made)).toEqual([
      `${path}: Required value`,
      ...(isLater ? [] : [expect.stringContaining(`${path}: Invalid value: ""`)]),
    ]);
    const allocation = {
      devices: { results: [{ ...result, request: "r", tolerations: [{ key: "A B", effect: "Any" }] }] },
    };
    const device = { driver: "d.example.org", pool: "p", device: "gpu-0" };
    const devices = [
      { ...device, conditions: [{ type: "A", status: "True" }] },
      { ...device, device: "gpu-1" },
    ];
    const told = await ground.api.mergePatch(`${of("resourceclaims")}/c/status`, {
      status: { allocation, devices },
    });
    // Nobody looks at the tolerations of what is allocated.
    expect(causesOf(told)).toEqual([
      "status.devices[0].conditions[0].lastTransitionTime: Required value",
      "status.devices[0].conditions[0].reason: Required value",
      'status.devices[1]: Invalid value: {"Driver":"d.example.org","Pool":"p","Device":"gpu-1","ShareID":""}: must be an allocated device in the claim',
    ]);
  });

  test("a policy of a capacity that claims do not share, however it comes to be", async () => {
    const device = {
      name: "gpu",
      capacity: { memory: { value: "1Gi", requestPolicy: { default: "1Gi", validValues: ["1Gi"] } } },
      allowMultipleAllocations: true,
    };
    const slice = (of: object) => ({
      metadata: { name: "s" },
      spec: {
        driver: "d.example.org",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        nodeName: "n",
        devices: [of],
      },
    });
    const { code } = await ground.api.post(`${resourceGroup}/resourceslices`, slice(device));
    expect(code).toBe(201);
    const alone = await ground.api.mergePatch(
      `${resourceGroup}/resourceslices/s`,
      slice({ ...device, allowMultipleAllocations: false }),
    );
    expect(causesOf(alone)).toEqual([
      "spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true",
    ]);
  });
});

import { afterEach, expect, test, vi } from "vitest";
import { LocalApiServices } from "../../src/aggregation/local-api-services.js";
import { ApiServiceController } from "../../src/controllers/api-service.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { openApiGround } from "./api-ground.js";

afterEach(() => {
  vi.useRealTimers();
});

test("a later start writes no API service again", async () => {
  const store = new MemoryStore();
  const start = async (now: string): Promise<readonly number[]> => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    const { server, dispose } = await openApiGround({ apiLevel: "1.36" }, store);
    const registration = server.controllers.find((each) => each instanceof LocalApiServices);
    await registration?.start();
    await registration?.stop();
    await dispose();
    const { kvs } = await store.range({
      start: "/registry/apiregistration",
      end: "/registry/apiregistration0",
    });
    expect(kvs.map(({ key }) => key)).not.toContainEqual(expect.stringContaining("/v1.apiregistration."));
    return kvs.map(({ modRevision }) => modRevision);
  };
  const first = await start("2026-01-01T00:00:00Z");
  expect(first.length).toBeGreaterThan(10);
  expect(await start("2026-01-02T00:00:00Z")).toEqual(first);
});

test("the server owns the group of a version only where there is one", async () => {
  const { server, api, dispose } = await openApiGround({ apiLevel: "1.25" });
  const registration = server.controllers.find((each) => each instanceof LocalApiServices);
  await registration?.start();
  await registration?.stop();
  const ownedOf = async (name: string) => {
    const { body } = await api.get(`/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
    return Object.keys(body.metadata.managedFields[0].fieldsV1["f:spec"]);
  };
  expect(await ownedOf("v1.")).not.toContain("f:group");
  expect(await ownedOf("v1.apps")).toContain("f:group");
  await dispose();
});

test("of its own service, the server owns what it sets, not what the registry completes", async () => {
  const { server, api, dispose } = await openApiGround({ apiLevel: "1.25" });
  const controller = new ApiServiceController(server.context, {
    name: "kubernetes",
    clusterIp: "10.0.0.1",
    port: () => 6443,
    nodePort: 0,
    endpoints: { reconcile: async () => undefined, remove: async () => undefined },
  });
  await controller.start();
  const { body } = await api.get("/api/v1/namespaces/default/services/kubernetes");
  await controller.stop();
  expect(body.spec).toMatchObject({ clusterIPs: [body.spec.clusterIP], ipFamilies: ["IPv4"] });
  const owned = Object.keys(body.metadata.managedFields[0].fieldsV1["f:spec"]);
  expect(owned).toContain("f:clusterIP");
  expect(owned).not.toContain("f:clusterIPs");
  expect(owned).not.toContain("f:ipFamilies");
  await dispose();
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { EndpointSlices } from "./endpoint-slices.js";
import { EndpointsController } from "./endpoints.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster("1.35");
  await ground.start(
    (cluster) => new EndpointSlices(cluster),
    (cluster) => new EndpointsController(cluster),
  );
  const zone = { "topology.kubernetes.io/zone": "north" };
  await ground.registries.create("nodes", { metadata: { name: "node-0", labels: zone } });
  await ground.registries.create("pods", {
    metadata: { name: "web", namespace: "ns", labels: { app: "web" } },
    spec: { nodeName: "node-0", containers: [{ name: "c", image: "web:1" }] },
  });
  await ground.cluster.writer("agent").changePart("pods", { namespace: "ns", name: "web" }, ({ status }) => {
    status.phase = "Running";
    status.podIPs = [{ ip: "10.1.0.1" }];
    status.conditions = [{ type: "Ready", status: "True" }];
  });
});

afterEach(() => ground.stop());

const addService = (spec: object) =>
  ground.registries.create("services", {
    metadata: { name: "web", namespace: "ns" },
    spec: {
      clusterIP: "None",
      clusterIPs: ["None"],
      selector: { app: "web" },
      ports: [{ port: 80 }],
      ...spec,
    },
  });

const endpoints = () => {
  const slices = ground.cluster.views.of("endpointslices.discovery").find("namespace", "ns");
  return [...slices].flatMap(({ stored }) => stored.decode().endpoints ?? []);
};

test.each([
  [undefined, undefined],
  ["PreferClose", { forZones: [{ name: "north" }] }],
  ["PreferSameNode", { forZones: [{ name: "north" }], forNodes: [{ name: "node-0" }] }],
])("with traffic distribution %s, an endpoint has the hints %j", async (trafficDistribution, hints) => {
  await addService({ trafficDistribution });
  await expect.poll(endpoints).toHaveLength(1);
  expect(endpoints()[0]?.hints).toEqual(hints);
});

test("endpoints say that a controller made them", async () => {
  await addService({});
  const labels = async () => (await ground.find("endpoints", "web"))?.metadata.labels;
  await expect.poll(labels).toMatchObject({
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    "service.kubernetes.io/headless": "",
  });
});

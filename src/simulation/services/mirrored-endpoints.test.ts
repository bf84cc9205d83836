import { afterEach, beforeEach, expect, test } from "vitest";
import type { EndpointSubset } from "../../apis/gen/core-v1.js";
import { TestCluster } from "../testing/test-cluster.js";
import { EndpointSlices } from "./endpoint-slices.js";
import { MirroredEndpoints } from "./mirrored-endpoints.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster("1.33");
  await ground.start(
    (cluster) => new MirroredEndpoints(cluster),
    (cluster) => new EndpointSlices(cluster),
  );
});

afterEach(() => ground.stop());

const addService = (spec: object = {}) =>
  ground.registries.create("services", {
    metadata: { name: "db", namespace: "ns" },
    spec: { clusterIP: "None", clusterIPs: ["None"], ports: [{ port: 80 }], ...spec },
  });

const addEndpoints = (subsets: readonly EndpointSubset[], metadata: object = {}) =>
  ground.registries.create("endpoints", { metadata: { name: "db", namespace: "ns", ...metadata }, subsets });

const subset = { addresses: [{ ip: "10.1.2.3" }], ports: [{ name: "sql", port: 5432, protocol: "TCP" }] };

const slices = () => {
  const views = ground.cluster.views.of("endpointslices.discovery").find("namespace", "ns");
  return [...views].map(({ stored }) => stored.decode());
};

test("endpoints of a service without a selector become a slice that follows them", async () => {
  await addService();
  const annotations = { note: "n", "kubectl.kubernetes.io/last-applied-configuration": "{}" };
  await addEndpoints([subset], { labels: { app: "db" }, annotations });
  await expect.poll(slices).toMatchObject([
    {
      metadata: {
        generateName: "db-",
        annotations: { note: "n" },
        labels: {
          app: "db",
          "kubernetes.io/service-name": "db",
          "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
        },
        ownerReferences: [{ kind: "Endpoints", name: "db", controller: true }],
      },
      addressType: "IPv4",
      ports: [{ name: "sql", port: 5432, protocol: "TCP" }],
      endpoints: [{ addresses: ["10.1.2.3"], conditions: { ready: true } }],
    },
  ]);
  const [first] = slices();
  expect(first?.metadata.annotations).toEqual({ note: "n" });
  await ground.cluster.writer("test").change("endpoints", { namespace: "ns", name: "db" }, (endpoints) => {
    endpoints.subsets = [
      { ...subset, addresses: [{ ip: "10.2.3.4" }], notReadyAddresses: [{ ip: "10.2.3.5" }] },
    ];
  });
  await expect
    .poll(() => slices().flatMap(({ endpoints = [] }) => endpoints))
    .toMatchObject([
      { addresses: ["10.2.3.4"], conditions: { ready: true } },
      { addresses: ["10.2.3.5"], conditions: { ready: false } },
    ]);
  expect(slices().map(({ metadata }) => metadata.uid)).toEqual([first?.metadata.uid]);
});

test("each family of addresses has slices of its own", async () => {
  await addService();
  await addEndpoints([{ ...subset, addresses: [{ ip: "2001:db8::1" }, { ip: "10.1.2.3" }] }]);
  const families = () =>
    slices().map(({ addressType, endpoints }) => [addressType, endpoints?.[0]?.addresses]);
  await expect
    .poll(() => families().sort())
    .toEqual([
      ["IPv4", ["10.1.2.3"]],
      ["IPv6", ["2001:db8::1"]],
    ]);
  await ground.cluster.writer("test").change("endpoints", { namespace: "ns", name: "db" }, (endpoints) => {
    endpoints.subsets = [{ ...subset, addresses: [{ ip: "2001:db8::2" }] }];
  });
  await expect.poll(families).toEqual([["IPv6", ["2001:db8::2"]]]);
});

test("ports with equal addresses are in one slice, whichever subset names them", async () => {
  await addService();
  const named = (name: string, port: number, ...ips: readonly string[]) => ({
    addresses: ips.map((ip) => ({ ip })),
    ports: [{ name, port, protocol: "TCP" }],
  });
  await addEndpoints([
    named("a", 1, "10.0.0.1"),
    named("b", 2, "10.0.0.1"),
    named("c", 3, "10.0.0.1", "10.0.0.2"),
  ]);
  await expect
    .poll(() =>
      slices()
        .map(({ ports = [] }) => ports.map(({ name }) => name).join(","))
        .sort(),
    )
    .toEqual(["a,b", "c"]);
});

test.each([
  ["without a service", undefined, {}],
  ["of a service with a selector", { selector: { app: "db" } }, {}],
  ["that say so", {}, { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } }],
  ["that hold an election", {}, { annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } }],
])("endpoints %s are not mirrored", async (_, service, metadata) => {
  if (service !== undefined) await addService(service);
  await addEndpoints([subset], metadata);
  await ground.registries.create("services", {
    metadata: { name: "other", namespace: "ns" },
    spec: { clusterIP: "None", clusterIPs: ["None"], ports: [{ port: 80 }] },
  });
  await ground.registries.create("endpoints", {
    metadata: { name: "other", namespace: "ns" },
    subsets: [subset],
  });
  const mirrored = () =>
    slices().filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === "Endpoints");
  await expect.poll(() => mirrored().map(({ metadata }) => metadata.generateName)).toEqual(["other-"]);
});

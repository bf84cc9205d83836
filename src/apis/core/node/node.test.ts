import { expect, test } from "vitest";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { nodes } from "./resource.js";

const definition = nodes(testApiContext());
const ground = kindGround(definition);
const node = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", creationTimestamp: "2021-12-31T23:59:00Z", ...metadata },
  spec,
  status,
});
const configSource = { configMap: { namespace: "ns", name: "c", kubeletConfigKey: "k" } };

test("what can be allocated is the capacity unless the node says so; amounts are rounded up to thousandths", () => {
  expect(ground.read(node({}, { capacity: { cpu: "1500u", memory: "1Gi" } })).status).toMatchObject({
    capacity: { cpu: "2m", memory: "1Gi" },
    allocatable: { cpu: "2m", memory: "1Gi" },
  });
});

test.each<[JsonObject, JsonObject]>([
  [{ podCIDR: "10.0.0.0/24" }, { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] }],
  [
    { podCIDRs: ["10.0.0.0/24", "fd00::/64"] },
    { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24", "fd00::/64"] },
  ],
  [
    { podCIDR: "10.1.0.0/24", podCIDRs: ["10.0.0.0/24"] },
    { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] },
  ],
])("networks %j become %j", (spec, expected) => {
  expect(ground.read(node(spec)).spec).toEqual(expected);
});

test("a node comes with its status; later only the subresource changes it", () => {
  const status = { conditions: [{ type: "Ready", status: "True" }] };
  expect(ground.write(node({}, status)).status).toMatchObject(status);
  expect(ground.rewrite(node({}, status), node()).status).toMatchObject(status);
  const written = ground.rewrite(node({ providerID: "a" }), node({ providerID: "b" }, status), "status");
  expect(written).toMatchObject({ spec: { providerID: "a" }, status });
});

test("configuration by config map stays only where it is, and warns", () => {
  expect(ground.write(node({ configSource })).spec.configSource).toBeUndefined();
  expect(ground.rewrite(node(), node({ configSource })).spec.configSource).toBeUndefined();
  expect(ground.rewrite(node({ configSource }), node({ configSource })).spec.configSource).toBeDefined();
  const object = ground.read(node({ configSource }));
  expect(definition.strategy.warningsOnUpdate?.(testWriteContext(), object, object)).toEqual([
    "spec.configSource: deprecated in v1.22, support removal is planned in v1.23",
  ]);
});

test("unused fields warn as the level does", () => {
  const warningsAt = (level: ApiLevel) => {
    const found = nodes(testApiContext({ level }));
    const object = kindGround(found).read(node({ configSource, externalID: "x" }));
    return found.strategy.warningsOnCreate?.(testWriteContext(), object);
  };
  const planned = "spec.configSource: deprecated in v1.22, support removal is planned in v1.23";
  const removed = "spec.configSource: the feature is removed";
  const unused = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
  expect((["1.25", "1.26", "1.27", "1.36"] as const).map(warningsAt)).toEqual([
    [planned],
    [removed],
    [removed, unused],
    [removed, unused],
  ]);
});

const badName =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

test.each<[readonly string[], readonly string[]]>([
  [["A", "A/b", "B1"], []],
  [["B", "A"], ['status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically']],
  [["A", "A"], ['status.declaredFeatures[1]: Duplicate value: "A"']],
  [["a"], [`status.declaredFeatures[0]: Invalid value: "a": invalid feature name "a": ${badName}`]],
  [
    ["A".repeat(254)],
    [expect.stringMatching(/invalid feature name "A+": must be no more than 253 characters$/)],
  ],
])("features %j of a node", (declaredFeatures, errors) => {
  const found = kindGround(nodes(testApiContext({ level: "1.36" })));
  const declaring = node({}, { declaredFeatures: [...declaredFeatures] });
  expect(found.createErrors(declaring)).toEqual(errors);
  expect(found.updateErrors(node(), declaring, "status")).toEqual(errors);
});

test("the swap of a new node is more than nothing since 1.33", () => {
  const errorsAt = (level: ApiLevel, capacity: number) =>
    kindGround(nodes(testApiContext({ level }))).createErrors(node({}, { nodeInfo: { swap: { capacity } } }));
  const error = "metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero";
  expect(errorsAt("1.33", 1)).toEqual([]);
  expect(errorsAt("1.33", 0)).toEqual([error]);
  expect(errorsAt("1.36", 0)).toEqual([error]);
  expect(errorsAt("1.32", 0)).toEqual([]);
});

test("networks of pods are not told to repeat since 1.33", () => {
  const cidr = "10.0.0.0/24";
  const errorsAt = (level: ApiLevel) =>
    kindGround(nodes(testApiContext({ level }))).createErrors(node({ podCIDRs: [cidr, cidr] }));
  const families = expect.stringMatching(/^spec\.podCIDRs: .* may specify no more than one CIDR/);
  expect(errorsAt("1.32")).toEqual([families, 'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"']);
  expect(errorsAt("1.33")).toEqual([families]);
});

const taint = { key: "a", effect: "NoSchedule" };
test.each<[JsonObject, string[]]>([
  [node({ podCIDRs: ["10.0.0.0/24", "fd00::/64"], taints: [taint, { ...taint, effect: "NoExecute" }] }), []],
  [
    node({
      taints: [
        { key: "", value: "-", effect: "" },
        taint,
        { ...taint, value: "x", timeAdded: "2022-03-04T05:06:07Z" },
        { key: "b", effect: "x" },
      ],
    }),
    [
      expect.stringContaining("metadata.taints[0].key: Invalid value"),
      expect.stringContaining("metadata.taints[0].key: Invalid value"),
      expect.stringContaining('metadata.taints[0].value: Invalid value: "-": a valid label must be'),
      "metadata.taints[0].effect: Required value",
      'metadata.taints[2]: Duplicate value: core.Taint{Key:"a", Value:"x", Effect:"NoSchedule", TimeAdded:time.Date(2022, time.March, 4, 5, 6, 7, 0, time.Local)}: taints must be unique by key and effect pair',
      'metadata.taints[3].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    node({}, { capacity: { cpu: "-1" }, allocatable: { pods: "1500m" } }),
    [
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      `status.allocatable.pods: Invalid value: ${printQuantity("1500m").text}: must be an integer`,
    ],
  ],
  [node({ podCIDRs: ["x"] }), ['spec.podCIDRs[0]: Invalid value: []string{"x"}: must be valid CIDR']],
  [
    node({ podCIDRs: ["10.0.0.0/24", "x"] }),
    [
      'spec.podCIDRs[1]: Invalid value: []string{"10.0.0.0/24", "x"}: must be valid CIDR',
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:"x" with error:invalid CIDR address: x',
      'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "x"}: may specify no more than one CIDR for each IP family',
    ],
  ],
  [
    node({ podCIDRs: ["10.0.0.0/24", "10.0.0.0/24"] }),
    [
      'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.0.0/24"}: may specify no more than one CIDR for each IP family',
      'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"',
    ],
  ],
  [
    node({}, {}, { annotations: { "scheduler.alpha.kubernetes.io/taints": '[{"key":"a"}]' } }),
    ["metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect: Required value"],
  ],
  [
    node(
      {},
      {},
      {
        annotations: {
          "scheduler.alpha.kubernetes.io/preferAvoidPods":
            '{"preferAvoidPods":[{},{"podSignature":{"podController":{}}}]}',
        },
      },
    ),
    [
      "metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature: Required value",
      "metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[1].PodSignature.PodController.Controller: Invalid value: false: must point to a controller",
    ],
  ],
])("a new node %#", (json, errors) => {
  expect(ground.createErrors(json)).toEqual(errors);
});

test("an annotation that is no JSON is refused with what is wrong", () => {
  const annotations = { "scheduler.alpha.kubernetes.io/taints": "x" };
  expect(ground.createErrors(node({}, {}, { annotations }))).toEqual([
    expect.stringMatching(
      /^metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io\/taints": invalid character/,
    ),
  ]);
});

const cidrWhy = 'Forbidden: node updates may not change podCIDR except from "" to valid';
test.each<[string, JsonObject, JsonObject, string[]]>([
  ["networks and provider are given", node(), node({ podCIDR: "10.0.0.0/24", providerID: "a" }), []],
  [
    "another network",
    node({ podCIDR: "10.0.0.0/24" }),
    node({ podCIDR: "10.1.0.0/24" }),
    [`spec.podCIDRs: ${cidrWhy}`],
  ],
  ["no network", node({ podCIDR: "10.0.0.0/24" }), node(), [`spec.podCIDRs: ${cidrWhy}`]],
  [
    "another provider",
    node({ providerID: "a", externalID: "x" }),
    node({ providerID: "b", externalID: "y" }),
    [
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      "spec.externalID: Forbidden: may not be updated",
    ],
  ],
  [
    "another configuration",
    node({ configSource }),
    node({ configSource: { configMap: { namespace: "", name: "C", kubeletConfigKey: "", uid: "u" } } }),
    [
      "spec.configSource.configMap.uid: Forbidden: uid must not be set in spec",
      "spec.configSource.configMap.namespace: Required value: namespace must be set",
      expect.stringContaining('spec.configSource.configMap.name: Invalid value: "C"'),
      "spec.configSource.configMap.kubeletConfigKey: Required value: kubeletConfigKey must be set",
    ],
  ],
])("an update: %s", (_name, old, changed, errors) => {
  expect(ground.updateErrors(old, changed)).toEqual(errors);
});

test("a status has no address twice and says where its configuration is from", () => {
  const address = { type: "InternalIP", address: "10.0.0.1" };
  const config = { assigned: { configMap: { ...configSource.configMap, uid: "u" } }, active: {} };
  const errors = ground.updateErrors(
    node({}, { config }),
    node({}, { addresses: [address, { ...address, type: "ExternalIP" }, address], config }),
    "status",
  );
  expect(errors).toEqual([
    'status.addresses[2]: Duplicate value: core.NodeAddress{Type:"InternalIP", Address:"10.0.0.1"}',
    "status.config.assigned.configMap.resourceVersion: Required value: resourceVersion must be set in status",
    "status.config.active: Invalid value: core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}: exactly one reference subfield must be non-nil",
  ]);
});

test("nodes can be selected by whether pods are scheduled on them", () => {
  const { names, values } = definition.selectableFields;
  expect(names).toEqual(["spec.unschedulable"]);
  expect([node(), node({ unschedulable: true })].map((json) => values(ground.read(json)))).toEqual([
    { "spec.unschedulable": "false" },
    { "spec.unschedulable": "true" },
  ]);
});

test("rows show what the node reports", () => {
  const labels = {
    "node-role.kubernetes.io/worker": "",
    "kubernetes.io/role": "edge",
    "node-role.kubernetes.io/": "x",
  };
  const full = node(
    { unschedulable: true },
    {
      conditions: [{ type: "Ready", status: "False" }],
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      nodeInfo: { kubeletVersion: "v1.23.1", osImage: "Linux" },
    },
    { labels },
  );
  expect(ground.cells(full)).toEqual({
    Name: "a",
    Status: "NotReady,SchedulingDisabled",
    Roles: "edge,worker",
    Age: "60s",
    Version: "v1.23.1",
    "Internal-IP": "10.0.0.1",
    "External-IP": "<none>",
    "OS-Image": "Linux",
    "Kernel-Version": "<unknown>",
    "Container-Runtime": "<unknown>",
  });
  expect(ground.cells(node())).toMatchObject({ Status: "Unknown", Roles: "<none>", Version: "" });
});

test.each<[ApiLevel, object, string]>([
  ["1.35", { kernelVersion: "6.12", architecture: "arm64" }, "6.12"],
  ["1.36", { kernelVersion: "6.12", architecture: "arm64" }, "6.12 (arm64)"],
  ["1.36", { kernelVersion: "6.12" }, "6.12"],
])("at %s the kernel of %j is shown as %s", (level, nodeInfo, shown) => {
  const ground = kindGround(nodes(testApiContext({ level })), level);
  expect(ground.cells(node({}, { nodeInfo: { ...nodeInfo } }))["Kernel-Version"]).toBe(shown);
});

test("a node tells of its swap from 1.33 on", () => {
  const swapping = node({}, { nodeInfo: { swap: { capacity: 1024 } } });
  const decode = (level: ApiLevel) => kindUnderTest(nodes(testApiContext({ level })), level).decode(swapping);
  expect(() => decode("1.32")).toThrow("has no field status.nodeInfo.swap");
  expect(decode("1.33").status.nodeInfo?.swap).toEqual({ capacity: 1024 });
  expect(decode("1.36").status.nodeInfo?.swap).toEqual({ capacity: 1024 });
});

import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { resourceSlices } from "./resource.js";

const gates = {
  DRAConsumableCapacity: true,
  DRADeviceBindingConditions: true,
  DRADeviceTaints: true,
  DRAPartitionableDevices: true,
};
const now = () => new Date("2022-02-03T04:05:06.789Z");
const at = (level: ApiLevel) => kindUnderTest(resourceSlices(testApiContext({ level, gates, now })), level);
const slices = at("1.35");

const slice: JsonObject = {
  metadata: { name: "s" },
  spec: {
    driver: "d.example.org",
    pool: { name: "node-1", generation: 1, resourceSliceCount: 1 },
    nodeName: "node-1",
    devices: [
      { name: "gpu-0", attributes: { model: { string: "a" } }, capacity: { memory: { value: "1Gi" } } },
    ],
  },
};

function withDevice(device: JsonObject): JsonObject {
  return changed(slice, "spec.devices", [{ name: "gpu-0", ...device }]);
}

test("a slice is valid, and says how often it changed", () => {
  const { object, errors } = slices.create(slice);
  expect(errors).toEqual([]);
  expect(object.metadata.generation).toBe(1);
  const changedSlice = changed(slice, "spec.pool.generation", 2);
  expect(
    slices.update(changedSlice, { ...slice, metadata: { name: "s", generation: 1 } }).object.metadata,
  ).toMatchObject({ generation: 2 });
  expect(slices.cells(slice).slice(0, 4)).toEqual(["s", "node-1", "d.example.org", "node-1"]);
});

describe.each<[string, JsonValue | undefined, string[]]>([
  [
    "spec.driver",
    "",
    ["spec.driver: Required value", expect.stringMatching(/^spec.driver: Invalid value: ""/)],
  ],
  ["spec.pool.name", "", ["spec.pool.name: Required value"]],
  [
    "spec.pool.resourceSliceCount",
    0,
    ["spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero"],
  ],
  [
    "spec.pool.generation",
    -1,
    ["spec.pool.generation: Invalid value: -1: must be greater than or equal to zero"],
  ],
  [
    "spec.nodeName",
    undefined,
    [
      "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
    ],
  ],
  [
    "spec.allNodes",
    true,
    [
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ],
  ],
  ["spec.allNodes", false, ["spec.allNodes: Invalid value: false: must be either unset or set to true"]],
  [
    "spec.sharedCounters",
    [{ name: "a", counters: { b: { value: "1" } } }],
    ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
  ],
])("%s as %j", (path, value, errors) => {
  test("is refused", () => {
    expect(slices.create(changed(slice, path, value)).errors).toEqual(errors);
  });
});

test("before 1.33, nodes are chosen in three ways", () => {
  const both = changed(changed(slice, "spec.devices", undefined), "spec.allNodes", true);
  expect(at("1.32").create(both).errors).toEqual([
    'spec: Invalid value: "null": exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required',
  ]);
});

test("names of drivers in capitals are warned of since 1.35", () => {
  const warnings = (level: ApiLevel) => {
    const { strategy } = resourceSlices(testApiContext({ level, gates, now }));
    return strategy.warningsOnCreate?.(
      testWriteContext(),
      at(level).decode(changed(slice, "spec.driver", "D")),
    );
  };
  expect(warnings("1.34") ?? []).toEqual([]);
  expect(warnings("1.35")).toHaveLength(1);
});

const device = "spec.devices[0]";

test.each<[string, JsonObject, string[]]>([
  [
    "no value of an attribute",
    { attributes: { a: {} } },
    [`${device}.attributes[a]: Invalid value: "": exactly one value must be specified`],
  ],
  [
    "two values of an attribute",
    { attributes: { a: { int: 1, string: "x" } } },
    [
      `${device}.attributes[a]: Invalid value: resource.DeviceAttribute{IntValue:(*int64)(0xc000000000), BoolValue:(*bool)(nil), StringValue:(*string)(0xc000000000), VersionValue:(*string)(nil)}: exactly one value must be specified`,
    ],
  ],
  [
    "a bad version",
    { attributes: { a: { version: "1" } } },
    [
      `${device}.attributes[a].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0`,
    ],
  ],
  [
    "a long text",
    { attributes: { a: { string: "a".repeat(65) } } },
    [`${device}.attributes[a].string: Too long: must have at most 64 bytes`],
  ],
  [
    "a bad name",
    { attributes: { "d.example.org/": { int: 1 } } },
    [`${device}.attributes[d.example.org/]: Invalid value: "": the name must not be empty`],
  ],
  [
    "too many attributes",
    {
      attributes: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: index }])),
    },
    [`${device}: Invalid value: 33: the total number of attributes and capacities must not exceed 32`],
  ],
  [
    "a policy of a device that is not shared",
    { capacity: { memory: { value: "1", requestPolicy: { default: "1" } } } },
    [`${device}.capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true`],
  ],
  [
    "policies that do not fit the capacity",
    {
      allowMultipleAllocations: true,
      capacity: {
        a: { value: "10", requestPolicy: { default: "3", validValues: ["2", "1", "20"] } },
        b: { value: "10", requestPolicy: { default: "3", validRange: { min: "1", max: "8", step: "2" } } },
        c: { value: "10", requestPolicy: { default: "3", validRange: { min: "4", max: "20" } } },
        d: { value: "10", requestPolicy: { validValues: ["1"] } },
      },
    },
    [
      `${device}.capacity[a].requestPolicy.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
      `${device}.capacity[a].requestPolicy.validValues[2]: Invalid value: "20": option is larger than capacity value: 10`,
      `${device}.capacity[a].requestPolicy.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
      `${device}.capacity[b].requestPolicy.validRange.step: Invalid value: "8": value is not a multiple of a given step (2) from (1)`,
      `${device}.capacity[c].requestPolicy.validRange.min: Invalid value: "3": default is less than min: 4`,
      `${device}.capacity[c].requestPolicy.validRange.max: Invalid value: "20": max is larger than capacity value: 10`,
      `${device}.capacity[d].requestPolicy.default: Required value: required when validValues is defined`,
    ],
  ],
  [
    "taints",
    { taints: [{ key: "", effect: "Never" }, { key: "a" }] },
    [
      expect.stringMatching(/taints\[0\].key: Invalid value: "": name part must be non-empty/),
      expect.stringMatching(/taints\[0\].key/),
      `${device}.taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"`,
      `${device}.taints[1].effect: Required value`,
    ],
  ],
  [
    "nodes of a device in a slice of one node",
    { nodeName: "n" },
    [
      `${device}: Invalid value: "null": \`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be set if \`perDeviceNodeSelection\` is set to true in the ResourceSlice spec`,
    ],
  ],
  [
    "counters",
    { consumesCounters: [{ counterSet: "a" }, { counterSet: "a", counters: { B: { value: "1" } } }] },
    [
      `${device}.consumesCounters[0].counters: Required value`,
      expect.stringMatching(/consumesCounters\[1\].counters\[B\]: Invalid value: "B"/),
      `${device}.consumesCounters[1]: Duplicate value: "a"`,
    ],
  ],
])("%s", (_, json, errors) => {
  expect(slices.create(withDevice(json)).errors).toEqual(errors);
});

test("older levels keep counters with the devices that take them", () => {
  const sharedCounters = [{ name: "a", counters: { b: { value: "1" } } }];
  const taking = (counterSet: string, counter: string): JsonObject =>
    changed(
      withDevice({ consumesCounters: [{ counterSet, counters: { [counter]: { value: "1" } } }] }),
      "spec.sharedCounters",
      sharedCounters,
    );
  expect(at("1.34").create(taking("a", "b")).errors).toEqual([]);
  expect(at("1.34").create(taking("a", "c")).errors).toEqual([
    `${device}.consumesCounters[0].counters: Invalid value: "c": must reference a counter defined in the ResourceSlice sharedCounters`,
  ]);
  expect(at("1.34").create(taking("c", "b")).errors).toEqual([
    `${device}.consumesCounters[0].counterSet: Invalid value: "c": must reference a counterSet defined in the ResourceSlice sharedCounters`,
  ]);
  expect(slices.create(changed(taking("x", "y"), "spec.sharedCounters", undefined)).errors).toEqual([]);
});

test("older levels limit the counters that one device and all devices take", () => {
  const setOf = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { value: "1" }]));
  const taking = (devices: number, counters: number): JsonObject =>
    changed(
      changed(
        slice,
        "spec.devices",
        Array.from({ length: devices }, (_, index) => ({
          name: `gpu-${index}`,
          consumesCounters: [{ counterSet: "a", counters: setOf(counters) }],
        })),
      ),
      "spec.sharedCounters",
      [{ name: "a", counters: setOf(counters) }],
    );
  expect(at("1.34").create(taking(32, 32)).errors).toEqual([]);
  expect(at("1.34").create(taking(33, 32)).errors).toEqual([
    "spec.devices: Invalid value: 1056: the total number of counters in devices must not exceed 1024",
  ]);
  expect(at("1.34").create(taking(1, 33)).errors).toEqual([
    `${device}: Invalid value: 33: the total number of counters must not exceed 32`,
    "spec.sharedCounters: Invalid value: 33: the total number of shared counters must not exceed 32",
  ]);
});

test("a device that takes counters of no set is told first that it has to name one", () => {
  const taking = changed(
    withDevice({ consumesCounters: [{ counterSet: "", counters: { b: { value: "1" } } }] }),
    "spec.sharedCounters",
    [{ name: "a", counters: { b: { value: "1" } } }],
  );
  expect(at("1.34").create(taking).errors).toEqual([
    `${device}.consumesCounters[0].counterSet: Required value`,
    `${device}.consumesCounters[0].counterSet: Invalid value: "": must reference a counterSet defined in the ResourceSlice sharedCounters`,
  ]);
});

const cIdentifier =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

test.each<[ApiLevel, string[]]>([
  [
    "1.36",
    [
      `${device}.attributes: Invalid value: "a!": ${cIdentifier}`,
      `${device}.attributes[a!]: Invalid value: "": exactly one value must be specified`,
      `${device}.attributes: Invalid value: "": ${cIdentifier}`,
      `${device}.attributes: Invalid value: "": the domain must not be empty`,
      `${device}.attributes: Invalid value: "": the name must not be empty`,
    ],
  ],
  [
    "1.34",
    [
      `${device}.attributes[a!]: Invalid value: "a!": ${cIdentifier}`,
      `${device}.attributes[a!]: Required value: exactly one value must be specified`,
      `${device}.attributes[]: Required value: name required`,
      `${device}.attributes[/]: Required value: the domain must not be empty`,
      `${device}.attributes[/]: Required value: the name must not be empty`,
    ],
  ],
])("level %s: attributes with bad names and no value", (level, errors) => {
  const bad = withDevice({ attributes: { "a!": {}, "": { int: 1 }, "/": { int: 1 } } });
  expect(at(level).create(bad).errors).toEqual(errors);
});

test("driver, pool and node of a slice do not change", () => {
  const other = changed(changed(slice, "spec.driver", "e.example.org"), "spec.pool.name", "other");
  expect(slices.update(changed(other, "spec.nodeName", "other"), slice).errors).toEqual([
    'spec.pool.name: Invalid value: "other": field is immutable',
    'spec.driver: Invalid value: "e.example.org": field is immutable',
    'spec.nodeName: Invalid value: "other": field is immutable',
  ]);
});

test("taints are told when they were added, and are not looked at again", () => {
  const tainted = withDevice({ taints: [{ key: "a", effect: "NoSchedule" }] });
  const [device] = slices.create(tainted).object.spec.devices ?? [];
  expect(device?.taints?.[0]?.timeAdded).toBe("2022-02-03T04:05:06Z");
  const wrong = withDevice({ taints: [{ key: "a", effect: "Never", timeAdded: "2022-01-01T00:00:00Z" }] });
  expect(slices.update(wrong, wrong).errors).toEqual([]);
});

test.each(["v1", "v1beta2", "v1beta1"])(
  "in %s a device counts once for each resource of a node",
  (version) => {
    const given = { ...gates, DRANodeAllocatableResources: true };
    const kind = kindUnderTest(resourceSlices(testApiContext({ level: "1.36", gates: given, now })), "1.36");
    const mapped = { nodeAllocatableResourceMappings: { memory: {} } };
    const device = { name: "gpu-0", ...(version === "v1beta1" ? { basic: mapped } : mapped) };
    const { spec } = kind.decode(changed(slice, "spec.devices", [device]), version);
    expect(spec.devices?.[0]?.nodeAllocatableResourceMappings).toEqual({
      memory: { allocationMultiplier: "1" },
    });
  },
);

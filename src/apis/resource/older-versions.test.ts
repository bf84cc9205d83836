import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { resourcesOfLevel } from "../builtin-resources.js";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { deviceClasses } from "./device-class/resource.js";
import { resourceClaims } from "./resource-claim/resource.js";
import { resourceSlices } from "./resource-slice/resource.js";

type Gates = { readonly [N in FeatureGateName]?: boolean };

const gates: Gates = {
  DynamicResourceAllocation: true,
  DRAPrioritizedList: true,
  DRAPartitionableDevices: true,
};
const claims = (level: ApiLevel, more: Gates = {}) =>
  kindUnderTest(resourceClaims(testApiContext({ level, gates: { ...gates, ...more } })), level);
const slices = (level: ApiLevel) => kindUnderTest(resourceSlices(testApiContext({ level, gates })), level);

const metadata = { name: "a" };
const flat: JsonObject = {
  metadata,
  spec: { devices: { requests: [{ name: "gpu", deviceClassName: "gpu.example.org" }] } },
};

describe.each<[ApiLevel, string]>([
  ["1.36", "v1beta1"],
  ["1.33", "v1alpha3"],
  ["1.31", "v1alpha3"],
])("level %s, %s", (level, version) => {
  test("a request has the fields of an exact one", () => {
    const { object, errors } = claims(level).create(flat, { version });
    expect(errors).toEqual([]);
    const exactly = { deviceClassName: "gpu.example.org", allocationMode: "ExactCount", count: 1 };
    expect(object.spec.devices.requests).toEqual([{ name: "gpu", exactly }]);
    expect(claims(level).encode(object, version)).toMatchObject({
      spec: { devices: { requests: [{ name: "gpu", ...exactly }] } },
      status: {},
    });
  });

  test("a device is described in basic", () => {
    const slice: JsonObject = {
      metadata,
      spec: {
        driver: "d.example.org",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        nodeName: "n",
        devices: [
          {
            name: "gpu-0",
            basic: {
              attributes: { model: { string: "a" } },
              capacity: { memory: version === "v1alpha3" ? "1Gi" : { value: "1Gi" } },
            },
          },
        ],
      },
    };
    const { object, errors } = slices(level).create(slice, { version });
    expect(errors).toEqual([]);
    expect(object.spec.devices).toEqual([
      { name: "gpu-0", attributes: { model: { string: "a" } }, capacity: { memory: { value: "1Gi" } } },
    ]);
    expect(slices(level).encode(object, version)).toMatchObject({ spec: slice.spec });
  });

  test("neither a node's name nor all nodes may be empty values", () => {
    const slice: JsonObject = {
      metadata,
      spec: {
        driver: "d.example.org",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        nodeName: "",
        allNodes: false,
      },
    };
    expect(slices(level).create(slice, { version }).errors).toEqual([
      expect.stringMatching(/^spec: Required value: exactly one of `nodeName`/),
    ]);
  });
});

test("alternatives come without a class", () => {
  const alternatives = changed(flat, "spec.devices.requests", [
    { name: "gpu", firstAvailable: [{ name: "large", deviceClassName: "c" }] },
  ]);
  const { object, errors } = claims("1.33").create(alternatives, { version: "v1beta1" });
  expect(errors).toEqual([]);
  const firstAvailable = [{ name: "large", deviceClassName: "c", allocationMode: "ExactCount", count: 1 }];
  expect(object.spec.devices.requests).toEqual([{ name: "gpu", firstAvailable }]);
  expect(claims("1.33").encode(object, "v1beta1")).toMatchObject({
    spec: { devices: { requests: [{ name: "gpu", deviceClassName: "", firstAvailable }] } },
  });
});

test.each<[ApiLevel, string]>([
  ["1.36", "spec.devices.requests[0].exactly.count"],
  ["1.32", "spec.devices.requests[0].count"],
])("level %s: errors name %s", (level, field) => {
  const none = changed(flat, "spec.devices.requests", [{ name: "a", deviceClassName: "c", count: -1 }]);
  expect(claims(level).create(none, { version: "v1beta1" }).errors).toEqual([
    `${field}: Invalid value: -1: must be greater than zero`,
  ]);
});

test.each<[ApiLevel, string]>([
  ["1.33", "spec.devices[0]"],
  ["1.32", "spec.devices[0].basic"],
])("level %s: errors of a device name %s", (level, path) => {
  const attributes = { a: { version: "1" } };
  const slice: JsonObject = {
    metadata,
    spec: {
      driver: "d.example.org",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      nodeName: "n",
      devices: [{ name: "gpu_0", basic: { attributes } }],
    },
  };
  expect(slices(level).create(slice, { version: "v1beta1" }).errors).toEqual([
    expect.stringMatching(/^spec\.devices\[0\]\.name: Invalid value/),
    `${path}.attributes[a].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0`,
  ]);
});

test.each<[ApiLevel, string]>([
  [
    "1.33",
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  ],
  ["1.32", "must be the name of a request in the claim"],
])("level %s: constraints of unknown requests", (level, why) => {
  const unknown = changed(flat, "spec.devices.constraints", [
    { requests: ["other"], matchAttribute: "d.example.org/numa" },
  ]);
  expect(claims(level).create(unknown, { version: "v1beta1" }).errors).toEqual([
    `spec.devices.constraints[0].requests[0]: Invalid value: "other": ${why}`,
  ]);
});

test("a request without anything lacks a class or, since 1.33, either form, and both forms exclude each other", () => {
  const requests = (request: JsonObject): JsonObject =>
    changed(flat, "spec.devices.requests", [{ name: "a", ...request }]);
  expect(claims("1.32").create(requests({}), { version: "v1beta1" }).errors).toEqual([
    "spec.devices.requests[0].deviceClassName: Required value",
  ]);
  for (const request of [{}, { count: 0 }]) {
    expect(claims("1.33").create(requests(request), { version: "v1beta1" }).errors).toEqual([
      "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
    ]);
  }
  const both = requests({ deviceClassName: "c", firstAvailable: [{ name: "b", deviceClassName: "c" }] });
  expect(claims("1.33").create(both, { version: "v1beta1" }).errors).toEqual([
    expect.stringMatching(/but multiple fields are set$/),
  ]);
});

test("controllers of drivers are of 1.31 alone, behind their gate", () => {
  const controlled = changed(flat, "spec.controller", "d.example.org");
  const on = claims("1.31", { DRAControlPlaneController: true });
  expect(on.create(controlled).object.spec.controller).toBe("d.example.org");
  expect(on.encode(on.create(controlled).object)).toMatchObject({ spec: { controller: "d.example.org" } });
  expect(claims("1.31").create(controlled).object.spec.controller).toBeUndefined();
  expect(() => claims("1.32").create(controlled)).toThrow("no field spec.controller");
});

describe("as in 1.31, when drivers could have a controller", () => {
  const on: Gates = { DRAControlPlaneController: true };
  const controlled = claims("1.31", on);
  const allocation = (more: JsonObject = {}): JsonObject => ({
    devices: { results: [{ request: "gpu", driver: "d.example.org", pool: "p", device: "a" }] },
    ...more,
  });
  const withStatus = (status: JsonObject): JsonObject => ({ ...flat, status });
  const consumer = { resource: "pods", name: "p", uid: "1" };

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      "a controller is a domain",
      { allocation: allocation({ controller: "Not_One" }) },
      {},
      [
        expect.stringMatching(
          /^status\.allocation\.controller: Invalid value: "Not_One": a lowercase RFC 1123/,
        ),
      ],
    ],
    [
      "values of node selectors may be anything",
      {
        allocation: allocation({
          nodeSelector: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] }],
          },
        }),
      },
      {},
      [],
    ],
    [
      "what is stored is checked again",
      { allocation: allocation({ devices: { results: [{}] } }) },
      { allocation: allocation() },
      expect.arrayContaining([
        'status.allocation.devices.results[0].request: Invalid value: "": must be the name of a request in the claim',
        "status.allocation.devices.results[0].pool: Required value",
        expect.stringMatching(/^status\.allocation: Invalid value: .*: field is immutable$/),
      ]),
    ],
    [
      "devices in use are not asked back",
      { allocation: allocation(), reservedFor: [consumer], deallocationRequested: true },
      { allocation: allocation(), reservedFor: [consumer] },
      [
        "status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set",
      ],
    ],
    [
      "devices that are asked back get no new consumers",
      { allocation: allocation(), reservedFor: [consumer], deallocationRequested: true },
      { allocation: allocation(), deallocationRequested: true },
      [
        "status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
      ],
    ],
    [
      "only devices are asked back",
      { deallocationRequested: true },
      { allocation: allocation(), deallocationRequested: true },
      ["status: Forbidden: `allocation` must be set when `deallocationRequested` is set"],
    ],
    [
      "the request ends with the allocation",
      { allocation: allocation() },
      { allocation: allocation(), deallocationRequested: true },
      ["status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set"],
    ],
    ["both end together", {}, { allocation: allocation(), deallocationRequested: true }, []],
  ])("%s", (_, status, old, errors) => {
    expect(controlled.update(withStatus(status), withStatus(old), "status").errors).toEqual(errors);
  });

  test("claims name their controller and attributes in full", () => {
    expect(controlled.create(changed(flat, "spec.controller", "Not_One")).errors).toEqual([
      expect.stringMatching(/^spec\.controller: Invalid value: "Not_One": a lowercase RFC 1123/),
    ]);
    const matching = changed(flat, "spec.devices.constraints", [{ matchAttribute: "a" }]);
    const at = "spec.devices.constraints[0].matchAttribute";
    expect(claims("1.31").create(matching).errors).toEqual([
      `${at}.domain: Required value: must include a prefix`,
    ]);
    expect(claims("1.32").create(matching).errors).toEqual([
      `${at}: Invalid value: "a": must include a domain`,
    ]);
  });

  test("claims have access as administrators without a gate", () => {
    const access = (level: ApiLevel) =>
      claims(level).encode(
        claims(level).create(changed(flat, "spec.devices.requests.0.adminAccess", true)).object,
      );
    const request = { name: "gpu", deviceClassName: "gpu.example.org" };
    expect(access("1.31")).toMatchObject({
      spec: { devices: { requests: [{ ...request, adminAccess: true }] } },
    });
    expect(JSON.stringify(access("1.32"))).not.toContain("adminAccess");
  });

  test("classes select nodes", () => {
    const classes = (enabled: Gates) =>
      kindUnderTest(
        deviceClasses(testApiContext({ level: "1.31", gates: { ...gates, ...enabled } })),
        "1.31",
      );
    const suitable = { metadata, spec: { suitableNodes: { nodeSelectorTerms: [] } } };
    expect(classes(on).create(suitable).errors).toEqual([
      "suitableNodes.nodeSelectorTerms: Required value: must have at least one node selector term",
    ]);
    expect(classes({}).create(suitable).errors).toEqual([]);
  });

  test("expressions may cost and be as long as they like", () => {
    const expression = `[1, 2].all(a, ${"true && ".repeat(2000)}device.driver == "d")`;
    const selecting = changed(flat, "spec.devices.requests.0.selectors", [{ cel: { expression } }]);
    expect(claims("1.31").create(selecting).errors).toEqual([]);
    expect(claims("1.32").create(selecting).errors).toHaveLength(1);
  });

  test("slices select nodes by any values, and say which node they left", () => {
    const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
    const slice = (spec: JsonObject): JsonObject => ({
      metadata,
      spec: { driver: "d.example.org", pool, devices: [], ...spec },
    });
    const term = { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] };
    const selecting = (...terms: JsonObject[]) => slice({ nodeSelector: { nodeSelectorTerms: terms } });
    expect(slices("1.31").create(selecting(term)).errors).toEqual([]);
    expect(slices("1.32").create(selecting(term)).errors).toHaveLength(1);
    expect(slices("1.31").create(selecting(term, term)).errors).toEqual([
      expect.stringMatching(/: must have exactly one selector term$/),
    ]);
    const left = slices("1.32").update(slice({ allNodes: true }), slice({ nodeName: "n" })).errors;
    expect(left).toEqual(['spec.nodeName: Invalid value: "": field is immutable']);
  });
});

test.each(["1.26", "1.27", "1.30", "1.31", "1.33", "1.34"] as const)(
  "at %s no gate is needed to serve claims, so that they can be removed once it is off",
  (level) => {
    const { known } = resourcesOfLevel(testApiContext({ level }));
    const claims = known.find(({ group, resource }) => resource === "resourceclaims" && group !== "");
    expect(claims?.versions.map(({ featureGate }) => featureGate)).toEqual(
      claims?.versions.map(() => undefined),
    );
    expect(claims?.versions).not.toEqual([]);
  },
);

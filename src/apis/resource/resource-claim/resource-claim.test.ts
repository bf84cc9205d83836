import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { GatedFields } from "../../definition/gated-fields.js";
import { partStrategy } from "../../definition/resource-definition.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { resourceClaims } from "./resource.js";

const allGates = {
  DRAAdminAccess: true,
  DRAConsumableCapacity: true,
  DRADeviceBindingConditions: true,
  DRADeviceTaints: true,
  DRAPrioritizedList: true,
};
const claims = kindUnderTest(resourceClaims(testApiContext({ level: "1.35", gates: allGates })), "1.35");

function claimOf(devices: JsonValue, status?: JsonValue): JsonObject {
  const metadata = { name: "c", namespace: "ns" };
  return { metadata, spec: { devices }, ...(status !== undefined && { status }) };
}

function requesting(exactly: JsonObject): JsonObject {
  return claimOf({
    requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.example.org", ...exactly } }],
  });
}

function selecting(expression: string): JsonObject {
  return requesting({ selectors: [{ cel: { expression } }] });
}

const at = "spec.devices.requests[0]";

test.each<[ApiLevel, object]>([
  ["1.34", { distinctAttribute: "d/a" }],
  ["1.35", {}],
])("at %s, a constraint keeps of a distinct attribute whose gate is off %j", (level, kept) => {
  const { schemas } = testApiContext({ level });
  const gated = new GatedFields(
    () => schemas.message("resource/v1.ResourceClaim"),
    () => false,
  );
  const constraint = { distinctAttribute: "d/a" };
  gated.drop({ spec: { devices: { constraints: [constraint] } } });
  expect(constraint).toEqual(kept);
});

describe("claims of devices", () => {
  test("ask for one device unless they say otherwise", () => {
    const { object, errors } = claims.create(requesting({ tolerations: [{ key: "a", value: "b" }] }));
    expect(errors).toEqual([]);
    expect(object.spec.devices.requests?.[0]?.exactly).toMatchObject({
      allocationMode: "ExactCount",
      count: 1,
      tolerations: [{ key: "a", operator: "Equal", value: "b" }],
    });
    expect(object.status).toEqual({});
  });

  test.each<[string, JsonObject, string[]]>([
    ["all devices", requesting({ allocationMode: "All" }), []],
    [
      "a number of all devices",
      requesting({ allocationMode: "All", count: 2 }),
      [`${at}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'`],
    ],
    [
      "no device",
      requesting({ count: -1 }),
      [`${at}.exactly.count: Invalid value: -1: must be greater than zero`],
    ],
    [
      "an unknown mode",
      requesting({ allocationMode: "Some" }),
      [`${at}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"`],
    ],
    ["no class", requesting({ deviceClassName: "" }), [`${at}.exactly.deviceClassName: Required value`]],
    [
      "nothing",
      claimOf({ requests: [{ name: "gpu" }] }),
      [`${at}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    ],
    [
      "both forms",
      claimOf({
        requests: [
          {
            name: "gpu",
            exactly: { deviceClassName: "c" },
            firstAvailable: [{ name: "a", deviceClassName: "c" }],
          },
        ],
      }),
      [
        `${at}: Invalid value: "null": exactly one of \`exactly\` or \`firstAvailable\` is required, but multiple fields are set`,
      ],
    ],
    [
      "too many alternatives",
      claimOf({
        requests: [
          {
            name: "gpu",
            firstAvailable: Array.from({ length: 9 }, (_, index) => ({
              name: `a${index}`,
              deviceClassName: "c",
            })),
          },
        ],
      }),
      [`${at}.firstAvailable: Too many: 9: must have at most 8 items`],
    ],
    [
      "the same name twice",
      claimOf({
        requests: [
          { name: "a", exactly: { deviceClassName: "c" } },
          { name: "a", exactly: { deviceClassName: "c" } },
        ],
      }),
      ['spec.devices.requests[1]: Duplicate value: "a"'],
    ],
    [
      "a toleration of an unknown effect",
      requesting({ tolerations: [{ key: "a", operator: "Exists", value: "b", effect: "Never" }] }),
      [
        `${at}.exactly.tolerations[0].value: Invalid value: "b": must be empty for operator \`Exists\``,
        `${at}.exactly.tolerations[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"`,
      ],
    ],
    [
      "constraints of unknown requests",
      claimOf({ constraints: [{ requests: ["b"], matchAttribute: "numa" }, {}] }),
      [
        "spec.devices.constraints[0].requests[0]: Invalid value: \"b\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
        'spec.devices.constraints[0].matchAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name separated by a slash',
        'spec.devices.constraints[1]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
      ],
    ],
    [
      "configurations",
      claimOf({
        config: [{}, { opaque: { driver: "d.example.org", parameters: { a: "b".repeat(11_000) } } }],
      }),
      [
        "spec.devices.config[0].opaque: Required value",
        "spec.devices.config[1].opaque.parameters: Too long: must have at most 10240 bytes",
      ],
    ],
  ])("%s", (_, json, errors) => {
    expect(claims.create(json).errors).toEqual(errors);
  });

  const expression = `${at}.exactly.selectors[0].cel.expression`;

  test.each<[string, string[]]>([
    ['device.driver == "d.example.org" && device.attributes["d.example.org"].model == "a100"', []],
    ['device.capacity["d.example.org"].memory.compareTo(quantity("1Gi")) >= 0', []],
    ['cel.bind(gpu, device.attributes["d.example.org"], gpu.healthy && gpu.family == "a")', []],
    ['device.attributes["d.example.org"].version.isGreaterThan(semver("1.0.0"))', []],
    ["device.allowMultipleAllocations", []],
    ["device.attributes.exists(domain, device.attributes[domain].exists(name, name == 'a'))", []],
    ["1", [`${expression}: Invalid value: "1": must evaluate to bool or the unknown type, not int`]],
    [
      "device.size > 1",
      [
        `${expression}: Invalid value: "device.size > 1": compilation failed: ERROR: <input>:1:7: undefined field 'size'\n | device.size > 1\n | ......^`,
      ],
    ],
    [
      `device.attributes["d"].text.matches("${"a*".repeat(400)}") && ${Array.from({ length: 4 }, () => "device.attributes.all(a, device.attributes.all(b, device.attributes[a].all(c, c == b + b)))").join(" && ")}`,
      [`${expression}: Forbidden: too complex, exceeds cost limit`],
    ],
    ["true".padEnd(10_241, " "), [`${expression}: Too long: must have at most 10240 bytes`]],
  ])("select by %s", (text, errors) => {
    expect(claims.create(selecting(text)).errors).toEqual(errors);
  });

  test("do not change", () => {
    const { errors } = claims.update(requesting({ count: 2 }), requesting({}));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^spec: Invalid value: .*: field is immutable$/s);
    expect(claims.update(selecting("true"), selecting("true")).errors).toEqual([]);
  });

  test("show what happened to them", () => {
    const allocation = { devices: {} };
    const reservedFor = [{ resource: "pods", name: "p", uid: "1" }];
    const metadata = { name: "c", deletionTimestamp: "2022-01-01T00:00:00Z" };
    const base = claimOf({});
    const state = (json: JsonObject): JsonValue | undefined => claims.cells(json)[1];
    expect(state(base)).toBe("pending");
    expect(state({ ...base, status: { allocation } })).toBe("allocated");
    expect(state({ ...base, status: { allocation, reservedFor } })).toBe("allocated,reserved");
    expect(state({ ...base, metadata })).toBe("deleted");
    expect(state({ ...base, metadata, status: { allocation } })).toBe("deleted,allocated");
  });
});

describe("the status of a claim", () => {
  const result = { request: "gpu", driver: "d.example.org", pool: "node-1", device: "gpu-0" };
  const allocation = { devices: { results: [result] } };
  const { request: _request, ...device } = result;
  const claim = requesting({});
  const withStatus = (status: JsonValue): JsonObject => ({ ...claim, status });
  const update = (status: JsonValue, old: JsonValue = {}) =>
    claims.update(withStatus(status), withStatus(old), "status");

  test("tells what was allocated, for whom, and what drivers know", () => {
    const reservedFor = [{ resource: "pods", name: "p", uid: "1" }];
    const networkData = { interfaceName: "eth0", ips: ["10.0.0.1/8", "2001:db8::1/64"] };
    const status = { allocation, reservedFor, devices: [{ ...device, data: { a: 1 }, networkData }] };
    const { object, errors } = update(status);
    expect(errors).toEqual([]);
    expect(object.status).toEqual(status);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      "reservations without devices",
      { reservedFor: [{ resource: "", name: "", uid: "" }] },
      [
        "status.reservedFor[0].resource: Required value",
        "status.reservedFor[0].name: Required value",
        "status.reservedFor[0].uid: Required value",
        "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
      ],
    ],
    [
      "more consumers than a claim may have",
      {
        allocation,
        reservedFor: Array.from({ length: 257 }, (_, index) => ({
          resource: "pods",
          name: "p",
          uid: `${index}`,
        })),
      },
      ["status.reservedFor: Too many: 257: must have at most 256 items"],
    ],
    [
      "devices of others",
      { devices: [device] },
      [
        "status.devices[0]: Invalid value: d.example.org/node-1/gpu-0: must be an allocated device in the claim",
      ],
    ],
    [
      "bad results",
      {
        allocation: {
          devices: {
            results: [{ ...result, request: "a/b/c", driver: "", pool: "A/b", device: "x_y", shareID: "1" }],
            config: [{ source: "Elsewhere", opaque: { driver: "d.example.org", parameters: [] } }],
          },
        },
      },
      [
        "status.allocation.devices.results[0].request: Invalid value: \"a/b/c\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
        "status.allocation.devices.results[0].driver: Required value",
        expect.stringMatching(/^status.allocation.devices.results\[0\].driver: Invalid value: ""/),
        expect.stringMatching(/^status.allocation.devices.results\[0\].pool: Invalid value: "A"/),
        expect.stringMatching(/^status.allocation.devices.results\[0\].device: Invalid value: "x_y"/),
        'status.allocation.devices.results[0].shareID: Invalid value: "1": error validating uid: invalid UUID length: 1',
        'status.allocation.devices.config[0].source: Unsupported value: "Elsewhere": supported values: "FromClaim", "FromClass"',
        'status.allocation.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": parameters must be a valid JSON object',
      ],
    ],
    [
      "conditions that overlap",
      {
        allocation: {
          devices: {
            results: [{ ...result, bindingConditions: ["a"], bindingFailureConditions: ["a", "a"] }],
          },
        },
      },
      [
        'status.allocation.devices.results[0].bindingFailureConditions[1]: Duplicate value: "a"',
        'status.allocation.devices.results[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions',
        'status.allocation.devices.results[0].bindingFailureConditions[1]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions',
      ],
    ],
    [
      "bad addresses",
      { allocation, devices: [{ ...device, networkData: { ips: ["10.0.0.1", "2001:DB8::1/64"] } }] },
      [
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[0].networkData.ips[1]: Invalid value: "2001:DB8::1/64": must be in canonical form ("2001:db8::1/64")',
      ],
    ],
  ])("%s", (_, status, errors) => {
    expect(update(status).errors).toEqual(errors);
  });

  test("may have addresses in any form before 1.33", () => {
    const ips = ["2001:DB8::1/64", "10.0.0.1"];
    const empty = { metadata: { name: "c" }, spec: { devices: {} } };
    const status = { allocation, devices: [{ ...device, networkData: { ips } }] };
    const errorsAt = (level: ApiLevel) =>
      kindUnderTest(
        resourceClaims(testApiContext({ level, gates: { ...allGates, DRAResourceClaimDeviceStatus: true } })),
        level,
      ).update({ ...empty, status }, empty, "status").errors;
    const unreadable =
      'status.devices[0].networkData.ips[1]: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
    expect(errorsAt("1.32")).toContain(unreadable);
    expect(errorsAt("1.32").join()).not.toContain("ips[0]");
    expect(errorsAt("1.33").join()).toContain("ips[0]");
  });

  test("keeps what was allocated, until that is freed with all that belongs to it", () => {
    const other = { devices: { results: [{ ...result, device: "gpu-1" }] } };
    expect(update({ allocation: other }, { allocation }).errors).toEqual([
      expect.stringMatching(/^status.allocation: Invalid value: .*: field is immutable$/s),
    ]);
    const { object, errors } = update({ devices: [device] }, { allocation, devices: [device] });
    expect(errors).toEqual([]);
    expect(object.status).toEqual({});
  });

  test("takes no new consumers while the claim is being deleted", () => {
    const metadata = { name: "c", deletionTimestamp: "2022-01-01T00:00:00Z" };
    const deleted = (uids: readonly string[]): JsonObject => ({
      ...withStatus({ allocation, reservedFor: uids.map((uid) => ({ resource: "pods", name: "p", uid })) }),
      metadata,
    });
    expect(claims.update(deleted(["1"]), deleted(["1", "2"]), "status").errors).toEqual([]);
    expect(claims.update(deleted(["1", "3"]), deleted(["1", "2"]), "status").errors).toEqual([
      "status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
    ]);
  });
});

test("fields whose gates are off are dropped", () => {
  const plain = kindUnderTest(resourceClaims(testApiContext({ level: "1.35" })), "1.35");
  const { object } = plain.create(
    requesting({
      adminAccess: true,
      tolerations: [{ operator: "Exists" }],
      capacity: { requests: { a: "1" } },
    }),
  );
  expect(object.spec.devices.requests?.[0]?.exactly).toEqual({
    deviceClassName: "gpu.example.org",
    allocationMode: "ExactCount",
    count: 1,
    adminAccess: true,
  });
});

test("a request with two kinds of content is refused, before 1.35 with what is wrong in both", () => {
  const errorsAt = (level: ApiLevel) => {
    const plain = kindUnderTest(resourceClaims(testApiContext({ level })), level);
    const exactly = { deviceClassName: "gpu.example.org", count: -1 };
    const firstAvailable = [{ name: "a", allocationMode: "All" }];
    return plain.create(claimOf({ requests: [{ name: "gpu", exactly, firstAvailable }] })).errors;
  };
  const both =
    'spec.devices.requests[0]: Invalid value: "null": exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set';
  expect(errorsAt("1.35")).toEqual([both]);
  expect(errorsAt("1.34")).toEqual([
    "spec.devices.requests[0].firstAvailable[0].deviceClassName: Required value",
    "spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero",
    both,
  ]);
});

test("before 1.35 the items of a list that is too long are validated, unless it is far too long", () => {
  const errorsAt = (level: ApiLevel, count: number) => {
    const plain = kindUnderTest(resourceClaims(testApiContext({ level })), level);
    const request = { name: "gpu", exactly: { deviceClassName: "gpu.example.org" } };
    return plain.create(claimOf({ requests: Array<JsonValue>(count).fill(request) })).errors;
  };
  const tooMany = (count: number) => `spec.devices.requests: Too many: ${count}: must have at most 32 items`;
  expect(errorsAt("1.35", 33)).toEqual([tooMany(33)]);
  const before = errorsAt("1.34", 33);
  expect(before.slice(0, 2)).toEqual([tooMany(33), 'spec.devices.requests[1].name: Duplicate value: "gpu"']);
  expect(before).toHaveLength(33);
  expect(errorsAt("1.34", 129)).toEqual([tooMany(129)]);
});

test("the time of an allocation is kept, although no conditions are to be met first", () => {
  const plain = kindUnderTest(resourceClaims(testApiContext({ level: "1.35" })), "1.35");
  const result = { request: "gpu", driver: "d.example.org", pool: "node-1", device: "gpu-0" };
  const allocationTimestamp = "2025-03-04T05:06:07Z";
  const waiting = { ...result, bindingConditions: ["ready"], bindingFailureConditions: ["failed"] };
  const { object, errors } = plain.update(
    { ...requesting({}), status: { allocation: { devices: { results: [waiting] }, allocationTimestamp } } },
    requesting({}),
    "status",
  );
  expect(errors).toEqual([]);
  expect(object.status).toEqual({ allocation: { devices: { results: [result] }, allocationTimestamp } });
});

test("the metadata of a status has no owner since 1.35: it is reset", () => {
  const resetAt = (level: ApiLevel) =>
    partStrategy(resourceClaims(testApiContext({ level })), "status").resetFields;
  expect(resetAt("1.34")).toEqual([["spec"]]);
  expect(resetAt("1.35")).toEqual([["metadata"], ["spec"]]);
});

import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { endpointSlices } from "./resource.js";

const context = testApiContext();
const { domain } = context.naming;
const slice = kindUnderTest(endpointSlices(context));
const zoneKey = `topology.${domain}/zone`;
const nodeKey = `${domain}/hostname`;

const json = {
  metadata: { name: "s", creationTimestamp: "2021-12-31T23:59:00Z" },
  addressType: "IPv4",
  endpoints: [
    {
      addresses: ["10.0.0.1"],
      conditions: { ready: true, serving: true },
      nodeName: "n",
      hints: { forZones: [{ name: "a" }] },
    },
  ],
  ports: [{ name: "http", port: 80 }],
};

test("a slice as it should be", () => {
  const { object, errors } = slice.create(json);
  expect(errors).toEqual([]);
  expect(object.metadata.generation).toBe(1);
  expect(object.ports?.[0]?.protocol).toBe("TCP");
});

test.each([
  ["addressType", "", ["addressType: Required value"]],
  ["addressType", "IP", ['addressType: Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6"']],
  [
    "addressType",
    "IPv6",
    ['endpoints[0].addresses[0]: Invalid value: "10.0.0.1": must be a valid IPv6 address'],
  ],
  ["endpoints.0.addresses", [], ["endpoints[0].addresses: Required value: must contain at least 1 address"]],
  [
    "endpoints.0.addresses",
    ["10.0.0.1", "127.0.0.1"],
    [
      expect.stringMatching(
        /^endpoints\[0\]\.addresses\[1\]: Invalid value: "127.0.0.1": may not be in the loopback range/,
      ),
    ],
  ],
  [
    "endpoints.0.hostname",
    "A",
    [expect.stringMatching(/^endpoints\[0\]\.hostname: Invalid value: "A": a lowercase RFC 1123 label/)],
  ],
  [
    "endpoints.0.hints.forZones",
    [{ name: "a" }, { name: "a" }],
    ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
  ],
  ["ports", [{ name: "a" }, { name: "a" }], ['ports[1].name: Duplicate value: "a"']],
  [
    "ports",
    [{ protocol: "ICMP" }],
    ['ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(slice.create(changed(json, path, value)).errors).toEqual(errors);
});

test("too many endpoints are not looked at one by one", () => {
  const endpoints = Array.from({ length: 1001 }, () => ({}));
  expect(slice.create({ ...json, endpoints }).errors).toEqual([
    "endpoints: Too many: 1001: must have at most 1000 items",
  ]);
});

test("keeps the type of its addresses", () => {
  const update = slice.update({ ...json, addressType: "FQDN", endpoints: [] }, json);
  expect(update.errors).toEqual(['addressType: Invalid value: "FQDN": field is immutable']);
});

test("counts changes of content and labels, not of annotations", () => {
  const generation = (change: string, value: string): unknown =>
    slice.update(changed(json, change, value), json).object.metadata.generation;
  expect(generation("metadata.annotations.a", "b")).toBeUndefined();
  expect(generation("metadata.labels.a", "b")).toBe(1);
  expect(generation("ports.0.appProtocol", "x")).toBe(1);
});

describe("between versions", () => {
  test("zone and node are keys of the older topology", () => {
    const object = slice.decode(changed(json, "endpoints.0.zone", "z"));
    expect(slice.encode(object, "v1beta1")).toMatchObject({
      endpoints: [{ nodeName: "n", topology: { [zoneKey]: "z", [nodeKey]: "n" } }],
    });
  });

  test.each([
    ["zone and node", { [zoneKey]: "z", [nodeKey]: "n" }, { zone: "z" }],
    ["a node of its own", { [nodeKey]: "m" }, { deprecatedTopology: { [nodeKey]: "m" } }],
    ["something else", { rack: "1", [nodeKey]: "n" }, { deprecatedTopology: { rack: "1" } }],
  ])("topology with %s comes back as it was", (_what, topology, expected) => {
    const older = {
      ...json,
      endpoints: [{ addresses: ["10.0.0.1"], conditions: {}, topology, nodeName: "n" }],
    };
    const object = slice.decode(older, "v1beta1");
    const { zone, deprecatedTopology } = object.endpoints?.[0] ?? {};
    expect({ zone, deprecatedTopology }).toEqual({
      zone: undefined,
      deprecatedTopology: undefined,
      ...expected,
    });
    expect(slice.encode(object, "v1beta1")).toMatchObject({
      endpoints: [{ topology: { [nodeKey]: "n", ...topology } }],
    });
  });

  test("topology cannot be written by the newer one, but a node that only it had stays", () => {
    const endpoint = {
      addresses: ["10.0.0.1"],
      conditions: {},
      deprecatedTopology: { [nodeKey]: "m", rack: "1" },
    };
    const old = { ...json, endpoints: [endpoint] };
    const next = { ...json, endpoints: [{ ...endpoint, conditions: { ready: false } }] };
    expect(slice.create(old).object.endpoints?.[0]).not.toHaveProperty("deprecatedTopology.rack");
    const updated = slice.update(next, old).object.endpoints?.[0];
    expect(updated?.nodeName).toBe("m");
    expect(updated?.deprecatedTopology).toBeUndefined();
    const untouched = slice.update(old, old).object.endpoints?.[0];
    expect(untouched?.deprecatedTopology).toEqual({ [nodeKey]: "m", rack: "1" });
  });
});

test("fields of switched-off gates go, unless they were there", () => {
  const gated = kindUnderTest(
    endpointSlices(
      testApiContext({ gates: { TopologyAwareHints: false, EndpointSliceTerminatingCondition: false } }),
    ),
  );
  const created = gated.create(json).object.endpoints?.[0];
  expect(created?.hints).toBeUndefined();
  expect(created?.conditions).toEqual({ ready: true, serving: undefined, terminating: undefined });
  const updated = gated.update(json, json).object.endpoints?.[0];
  expect(updated?.hints).toEqual({ forZones: [{ name: "a" }] });
  expect(updated?.conditions.serving).toBe(true);
});

test("prints at most three ports and addresses", () => {
  expect(slice.cells(json)).toEqual(["s", "IPv4", "80", "10.0.0.1", "60s"]);
  const many = {
    addressType: "IPv4",
    endpoints: [{ addresses: ["a", "b", "c", "d"] }],
    ports: [{}, { name: "x" }],
  };
  expect(slice.cells(many)).toEqual(["", "IPv4", ",x", "a,b,c + 1 more...", "<unknown>"]);
  expect(slice.cells({ addressType: "IPv4" }).slice(2, 4)).toEqual(["<unset>", "<unset>"]);
});

test.each<[ApiLevel, addressType: string, address: string, errors: unknown[]]>([
  ["1.32", "IPv4", "x", [expect.stringMatching(/must be a valid IPv4 address$/), expect.anything()]],
  [
    "1.33",
    "IPv4",
    "x",
    ["endpoints[0].addresses[0]: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ],
  ["1.35", "IPv4", "fd00::1", ["endpoints[0].addresses: must be an IPv4 address"]],
  ["1.35", "IPv6", "10.0.0.1", ["endpoints[0].addresses: must be an IPv6 address"]],
  ["1.35", "IPv6", "::ffff:10.0.0.1", ["endpoints[0].addresses[0]: must not be an IPv4-mapped IPv6 address"]],
  ["1.35", "IPv4", "10.0.0.01", []],
  ["1.32", "IPv6", "FD00::1", []],
  ["1.33", "IPv6", "FD00::1", ['endpoints[0].addresses[0]: must be in canonical form ("fd00::1")']],
])("at %s, %s addresses such as %s", (level, addressType, address, errors) => {
  const { create } = kindUnderTest(endpointSlices(testApiContext({ level })), level);
  const found = create({ ...json, addressType, endpoints: [{ addresses: [address] }] }).errors;
  expect(found.map((text) => text.replace(/Invalid value: "[^"]*": /, ""))).toEqual(errors);
});

test("an IPv6 address that was stored in another form is refused, too, when endpoints change", () => {
  const { update } = kindUnderTest(endpointSlices(testApiContext({ level: "1.36" })));
  const old = { ...json, addressType: "IPv6", endpoints: [{ addresses: ["FD00::1"] }] };
  const changed = { ...old, endpoints: [{ addresses: ["FD00::1"], nodeName: "n" }] };
  expect(update(changed, old).errors).toEqual([expect.stringContaining("must be in canonical form")]);
});

test("wrong endpoints that did not change stay valid since 1.33, and the errors of ports come before theirs", () => {
  const changed = {
    ...json,
    addressType: "IPv6",
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [{ name: "_" }],
  };
  const old = { ...changed, addressType: "IPv4" };
  const fieldsAt = (level: ApiLevel, before: typeof old): readonly string[] => {
    const { update } = kindUnderTest(endpointSlices(testApiContext({ level })), level);
    return update(changed, before).errors.map((text) => text.slice(0, text.indexOf(":")));
  };
  const other = { ...old, endpoints: [] };
  expect(fieldsAt("1.32", old)).toEqual(["endpoints[0].addresses[0]", "ports[0].name", "addressType"]);
  expect(fieldsAt("1.33", old)).toEqual(["ports[0].name", "addressType"]);
  expect(fieldsAt("1.33", other)).toEqual(["ports[0].name", "endpoints[0].addresses", "addressType"]);
});

test("names as addresses are warned about when they are new", () => {
  const warnings = (level: ApiLevel) => {
    const { strategy } = endpointSlices(testApiContext({ level }));
    const object = slice.decode({ ...json, addressType: "FQDN", endpoints: [] });
    const [before, write] = [slice.decode(json), testWriteContext()];
    return [
      strategy.warningsOnCreate?.(write, object) ?? [],
      strategy.warningsOnUpdate?.(write, object, before) ?? [],
    ];
  };
  expect(warnings("1.26")).toEqual([[], []]);
  for (const level of ["1.27", "1.36"] as const) {
    expect(warnings(level)).toEqual([["spec.addressType: FQDN endpoints are deprecated"], []]);
  }
});

test("odd addresses are warned about, but not the controllers", () => {
  const definition = endpointSlices(testApiContext({ level: "1.33" }));
  const warningsOf = (manager: string) => {
    const metadata = { name: "s", labels: { "endpointslice.kubernetes.io/managed-by": manager } };
    const endpoints = [{ addresses: ["fd00:0::1"] }];
    const object = kindUnderTest(definition).decode({ ...json, metadata, addressType: "IPv6", endpoints });
    return definition.strategy.warningsOnCreate?.(testWriteContext(), object);
  };
  expect(warningsOf("me")).toEqual([expect.stringMatching(/^endpoints\[0\]\.addresses\[0\]: IPv6 address /)]);
  expect(warningsOf("endpointslice-controller.k8s.io")).toEqual([]);
  expect(warningsOf("endpointslicemirroring-controller.k8s.io")).toEqual([]);
});

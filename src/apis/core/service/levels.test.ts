import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, apiLevels } from "../../../apimachinery/levels/api-level.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { services } from "./resource.js";

const at = (level: ApiLevel, gates: TestContextChoices["gates"] = {}) =>
  kindGround(services(testApiContext({ level, gates })), level);

const service = (spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns" },
  spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], ...spec },
  ...more,
});

function warnings(level: ApiLevel, json: JsonObject): string[] {
  const definition = services(testApiContext({ level }));
  const object = at(level).write(json);
  return definition.strategy.warningsOnCreate?.(testWriteContext(), object) ?? [];
}

test("services without addresses have no policy for traffic within the cluster since 1.24", () => {
  const policy = (level: ApiLevel, type: string) =>
    at(level).read(service({ type })).spec.internalTrafficPolicy;
  expect(policy("1.23", "ExternalName")).toBe("Cluster");
  expect(policy("1.24", "ExternalName")).toBeUndefined();
  expect(policy("1.35", "ExternalName")).toBeUndefined();
  expect(policy("1.35", "NodePort")).toBe("Cluster");
  for (const level of apiLevels) {
    const errors = at(level).createErrors({
      metadata: { name: "a", namespace: "ns" },
      spec: { type: "ExternalName", externalName: "localhost", ports: [{ port: 80 }] },
    });
    expect([level, errors]).toEqual([level, []]);
  }
});

test("a policy for traffic within the cluster is dropped with the address, since 1.24", () => {
  const external = service({ type: "ExternalName", internalTrafficPolicy: "Local" });
  const written = (level: ApiLevel) => {
    const object = at(level).write(external);
    services(testApiContext({ level })).strategy.canonicalize?.(testWriteContext(), object);
    return object.spec.internalTrafficPolicy;
  };
  const stored = (level: ApiLevel) => {
    const object = at(level).read(external);
    services(testApiContext({ level })).setReadDefaults?.(object);
    return object.spec.internalTrafficPolicy;
  };
  expect([written("1.23"), stored("1.23")]).toEqual(["Local", "Local"]);
  expect([written("1.24"), stored("1.24")]).toEqual([undefined, undefined]);
});

test("several protocols behind a load balancer are fine since 1.24", () => {
  const ports = [
    { name: "a", port: 80 },
    { name: "b", port: 81, protocol: "UDP" },
  ];
  const errors = (level: ApiLevel, gates?: TestContextChoices["gates"]) =>
    at(level, gates).createErrors(service({ type: "LoadBalancer", ports }));
  expect(errors("1.23", { MixedProtocolLBService: false })).toHaveLength(1);
  expect(errors("1.24")).toEqual([]);
  expect(errors("1.30")).toEqual([]);
});

test("services are selected by cluster IP and type since 1.31", () => {
  const headless = service({ clusterIP: "None", clusterIPs: ["None"] });
  const fieldsAt = (level: ApiLevel) => {
    const { selectableFields } = services(testApiContext({ level }));
    return selectableFields.values(at(level).write(headless));
  };
  expect(fieldsAt("1.30")).toEqual({});
  expect(fieldsAt("1.31")).toEqual({ "spec.clusterIP": "None", "spec.type": "ClusterIP" });
});

test("the port of node agents may be exposed since 1.33", () => {
  const balancer = service({ type: "LoadBalancer", ports: [{ port: 10_250 }] });
  expect(at("1.32").createErrors(balancer)).toHaveLength(1);
  expect(at("1.33").createErrors(balancer)).toEqual([]);
});

describe("a policy for traffic from outside", () => {
  const external = service({ externalIPs: ["1.2.3.4"], externalTrafficPolicy: "Local" });

  test("is for services with external addresses since 1.29", () => {
    expect(at("1.28").createErrors(external)).toEqual([
      "spec.externalTrafficPolicy: Invalid value: \"Local\": may only be set when `type` is 'NodePort' or 'LoadBalancer'",
    ]);
    expect(at("1.29").createErrors(external)).toEqual([]);
    expect(at("1.28").read(service({ externalIPs: ["1.2.3.4"] })).spec.externalTrafficPolicy).toBeUndefined();
    expect(at("1.29").read(service({ externalIPs: ["1.2.3.4"] })).spec.externalTrafficPolicy).toBe("Cluster");
  });

  test("is refused without, and goes with the addresses", () => {
    expect(at("1.29").createErrors(service({ externalTrafficPolicy: "Local" }))).toEqual([
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ]);
    expect(
      at("1.29").rewrite(external, service({ externalTrafficPolicy: "Local" })).spec.externalTrafficPolicy,
    ).toBeUndefined();
  });
});

test("the distribution of traffic has more values with each level", () => {
  const written = (level: ApiLevel, value: string) =>
    at(level).createErrors(service({ trafficDistribution: value }));
  expect(written("1.31", "PreferClose")).toEqual([]);
  expect(written("1.33", "PreferSameNode")).toEqual([
    'spec.trafficDistribution: Unsupported value: "PreferSameNode": supported values: "PreferClose"',
  ]);
  expect(written("1.34", "PreferSameNode")).toEqual([]);
  expect(written("1.35", "x")).toEqual([
    'spec.trafficDistribution: Unsupported value: "x": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
  ]);
});

test("names begin with a digit since 1.36", () => {
  const problems = (level: ApiLevel) =>
    services(testApiContext({ level })).strategy.validateName("1a", false).length;
  expect(problems("1.23")).toBe(1);
  expect(problems("1.35")).toBe(1);
  expect(problems("1.36")).toBe(0);
});

describe("the status", () => {
  const balancer = service({ type: "LoadBalancer" });
  const withIngress = (ingress: JsonObject, spec: JsonObject = { type: "LoadBalancer" }) =>
    service(spec, { status: { loadBalancer: { ingress: [ingress] } } });
  const errors = (level: ApiLevel, object: JsonObject, old: JsonObject = balancer) =>
    at(level).updateErrors(old, object, "status");

  test("the mode of an address is VIP unless given, since 1.30", () => {
    const modeAt = (level: ApiLevel) =>
      at(level).read(withIngress({ ip: "1.2.3.4" })).status.loadBalancer.ingress?.[0]?.ipMode;
    expect(modeAt("1.29")).toBeUndefined();
    expect(modeAt("1.30")).toBe("VIP");
    expect(errors("1.30", withIngress({ ip: "1.2.3.4", ipMode: "Proxy" }))).toEqual([]);
    expect(errors("1.30", withIngress({ ip: "1.2.3.4", ipMode: "x" }))).toEqual([
      'status.loadBalancer.ingress[0].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"',
    ]);
    expect(errors("1.35", withIngress({ hostname: "a", ipMode: "VIP" }))).toEqual([
      "status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set",
    ]);
  });

  test.each<[ApiLevel, string]>([
    ["1.29", "must be a valid IP address"],
    ["1.30", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ])("at %s, what is no address of a load balancer %s", (level, why) => {
    expect(errors(level, withIngress({ ip: "x" }))).toContain(
      `status.loadBalancer.ingress[0].ip: Invalid value: "x": ${why}`,
    );
  });

  test("other types have no load balancer since 1.29", () => {
    const plain = service();
    const object = withIngress({ ip: "1.2.3.4" }, {});
    const refused = [
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ];
    expect(errors("1.28", object, plain)).toEqual([]);
    expect(errors("1.29", object, plain)).toEqual(refused);
    expect(errors("1.35", object, plain)).toEqual(refused);
    expect(at("1.29", { AllowServiceLBStatusOnNonLB: true }).updateErrors(plain, object, "status")).toEqual(
      [],
    );
  });
});

describe("addresses that programs read in different ways", () => {
  const odd = service({ externalIPs: ["1.2.3.04"] });

  test("are refused where they are new, since 1.36", () => {
    const ranges = service({ type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.1/8"] });
    expect(at("1.35").createErrors(odd)).toEqual([]);
    expect(at("1.35").createErrors(ranges)).toEqual([]);
    expect(at("1.36").createErrors(odd)).toEqual([
      'spec.externalIPs[0]: Invalid value: "1.2.3.04": must not have leading 0s',
    ]);
    expect(at("1.36").createErrors(ranges)).toEqual([
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ]);
    expect(at("1.36").updateErrors(odd, odd)).toEqual([]);
    expect(at("1.36").updateErrors(ranges, ranges)).toEqual([]);
  });

  test("networks are checked one by one since 1.30", () => {
    const ranges = service({ type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0/8", "x"] });
    expect(at("1.29").createErrors(ranges)).toHaveLength(1);
    expect(at("1.30").createErrors(ranges)).toEqual([
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ]);
  });
});

test("two annotations about topology must agree since 1.27", () => {
  const annotations = {
    "service.kubernetes.io/topology-aware-hints": "Auto",
    "service.kubernetes.io/topology-mode": "Disabled",
  };
  const both = { ...service(), metadata: { name: "a", namespace: "ns", annotations } };
  expect(at("1.26").createErrors(both)).toEqual([]);
  expect(at("1.27").createErrors(both)).toEqual([
    'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "Disabled": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
  ]);
  expect(warnings("1.26", both)).toEqual([]);
  expect(warnings("1.27", both)).toEqual([
    "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
  ]);
});

test.each<[string, ApiLevel, JsonObject, string[]]>([
  ["plain", "1.36", {}, []],
  [
    "headless",
    "1.34",
    {
      clusterIP: "None",
      clusterIPs: ["None"],
      externalIPs: ["1.2.3.4"],
      loadBalancerIP: "1.2.3.4",
      sessionAffinity: "ClientIP",
    },
    [
      "spec.loadBalancerIP is ignored for headless services",
      "spec.externalIPs is ignored for headless services",
      "spec.SessionAffinity is ignored for headless services",
    ],
  ],
  ["headless, before", "1.33", { clusterIP: "None", clusterIPs: ["None"], externalIPs: ["1.2.3.4"] }, []],
  [
    "external addresses",
    "1.36",
    { externalIPs: ["1.2.3.4"] },
    ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"],
  ],
  ["external addresses, before", "1.35", { externalIPs: ["1.2.3.4"] }, []],
  [
    "external name",
    "1.35",
    { type: "ExternalName", externalName: "a.b", clusterIP: "", clusterIPs: [], externalIPs: ["1.2.3.4"] },
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
  [
    "name of another type",
    "1.28",
    { externalName: "a.b" },
    ['spec.externalName is ignored when spec.type is not "ExternalName"'],
  ],
  ["name of another type, before", "1.27", { externalName: "a.b" }, []],
  [
    "external name, before",
    "1.27",
    { type: "ExternalName", externalName: "a.b", clusterIP: "", clusterIPs: [], externalIPs: ["1.2.3.4"] },
    [],
  ],
  [
    "deprecated distribution",
    "1.35",
    { trafficDistribution: "PreferClose" },
    ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ],
  ["distribution, before", "1.34", { trafficDistribution: "PreferClose" }, []],
  [
    "networks",
    "1.33",
    { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.1/8"] },
    [
      'spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    ],
  ],
])("warnings: %s at %s", (_name, level, spec, expected) => {
  expect(warnings(level, service(spec))).toEqual(expected);
});

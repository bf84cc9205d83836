import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { endpoints } from "../core/endpoints/resource.js";
import { nodes } from "../core/node/resource.js";
import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { endpointSlices } from "../discovery/endpoint-slice/resource.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { kindGround } from "../testing/kind-ground.js";
import { ingresses } from "./ingress/resource.js";
import { ingressClasses } from "./ingress-class/resource.js";
import { networkPolicies } from "./network-policy/resource.js";
import { serviceCidrs } from "./service-cidr/resource.js";

type Kind<T extends ApiObject> = (context: ApiContext) => ResourceDefinition<T>;

function at<T extends ApiObject>(kind: Kind<T>, level: ApiLevel) {
  const definition = kind(testApiContext({ level }));
  const ground = kindGround(definition, level);
  return {
    ...ground,
    warnings: (json: JsonObject): string[] =>
      definition.strategy.warningsOnCreate?.(testWriteContext(), ground.write(json)) ?? [],
  };
}

const metadata = { name: "a", namespace: "ns", resourceVersion: "1" };

describe("endpoints", () => {
  const object: JsonObject = { metadata, subsets: [{ addresses: [{ ip: "10.0.0.01" }] }] };

  test("addresses that can be read in two ways are refused where they are new, since 1.36", () => {
    expect(at(endpoints, "1.35").createErrors(object)).toEqual([]);
    expect(at(endpoints, "1.36").createErrors(object)).toEqual([
      'subsets[0].addresses[0].ip: Invalid value: "10.0.0.01": must not have leading 0s',
    ]);
    expect(at(endpoints, "1.36").updateErrors(object, object)).toEqual([]);
  });

  test("warn of them since 1.33", () => {
    expect(at(endpoints, "1.32").warnings(object)).toEqual([]);
    expect(at(endpoints, "1.33").warnings(object)).toEqual([
      'subsets[0].addresses[0].ip: non-standard IP address "10.0.0.01" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ]);
  });
});

test("what is wrong with an update of a network policy is told twice before 1.36, and once since", () => {
  const wrong = { metadata, spec: { podSelector: {}, policyTypes: ["Wrong"] } };
  const count = (level: ApiLevel) => at(networkPolicies, level).updateErrors(wrong, wrong).length;
  expect([count("1.35"), count("1.36")]).toEqual([2, 1]);
});

describe("slices of endpoints", () => {
  const slice = (endpoint: JsonObject, addressType = "IPv4"): JsonObject => ({
    metadata,
    addressType,
    endpoints: [endpoint],
  });

  test("strict addresses since 1.36, warnings since 1.33", () => {
    const object = slice({ addresses: ["10.0.0.01"] });
    expect(at(endpointSlices, "1.35").createErrors(object)).toEqual([]);
    expect(at(endpointSlices, "1.36").createErrors(object)).toEqual([
      'endpoints[0].addresses[0]: Invalid value: "10.0.0.01": must not have leading 0s',
    ]);
    expect(at(endpointSlices, "1.36").updateErrors(object, object)).toEqual([]);
    expect(at(endpointSlices, "1.32").warnings(object)).toEqual([]);
    expect(at(endpointSlices, "1.33").warnings(object)).toHaveLength(1);
  });

  test("names as addresses are deprecated since 1.27", () => {
    const object = slice({ addresses: ["a.example.com"] }, "FQDN");
    expect(at(endpointSlices, "1.26").warnings(object)).toEqual([]);
    expect(at(endpointSlices, "1.27").warnings(object)).toEqual([
      "spec.addressType: FQDN endpoints are deprecated",
    ]);
  });

  test("hints are for at most eight nodes, each once", () => {
    const hints = (...names: string[]) =>
      slice({ addresses: ["10.0.0.1"], hints: { forNodes: names.map((name) => ({ name })) } });
    const errors = (...names: string[]) => at(endpointSlices, "1.34").createErrors(hints(...names));
    expect(errors("a", "b.c")).toEqual([]);
    expect(errors("a", "a")).toEqual(['endpoints[0].hints.forNodes[1].name: Duplicate value: "a"']);
    expect(errors("A")).toHaveLength(1);
    expect(errors(..."abcdefghi")).toEqual([
      "endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items",
    ]);
  });

  test("hints for zones are kept since 1.24", () => {
    const object = slice({ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }] } });
    const gateOff = kindGround(endpointSlices(testApiContext({ gates: { TopologyAwareHints: false } })));
    expect(gateOff.write(object).endpoints?.[0]?.hints).toBeUndefined();
    expect(at(endpointSlices, "1.24").write(object).endpoints?.[0]?.hints).toEqual({
      forZones: [{ name: "a" }],
    });
  });
});

describe("network policies", () => {
  const policy = (ipBlock: JsonObject): JsonObject => ({
    metadata,
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] },
  });
  const path = "spec.ingress[0].from[0].ipBlock";

  test("networks that can be read in two ways are refused where they are new, since 1.36", () => {
    const object = policy({ cidr: "10.0.0.1/8", except: ["10.1.0.1/16"] });
    expect(at(networkPolicies, "1.35").createErrors(object)).toEqual([]);
    expect(at(networkPolicies, "1.36").createErrors(object)).toEqual([
      `${path}.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
      `${path}.except[0]: Invalid value: "10.1.0.1/16": must not have bits set beyond the prefix length`,
    ]);
    expect(at(networkPolicies, "1.36").updateErrors(object, object)).toEqual([]);
  });

  test("warn of them since 1.33", () => {
    const object = policy({ cidr: "10.0.0.1/8" });
    expect(at(networkPolicies, "1.32").warnings(object)).toEqual([]);
    expect(at(networkPolicies, "1.33").warnings(object)).toEqual([
      `${path}.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)`,
    ]);
  });

  test("what is no network is refused in the words of the level", () => {
    expect(at(networkPolicies, "1.29").createErrors(policy({ cidr: "x" }))).toEqual([
      `${path}.cidr: Invalid value: "x": not a valid CIDR`,
    ]);
    const twice = policy({ cidr: "10.0.0.0/8", except: ["x", "y"] });
    expect(at(networkPolicies, "1.29").createErrors(twice)).toHaveLength(1);
    expect(at(networkPolicies, "1.30").createErrors(twice)).toHaveLength(2);
    expect(at(networkPolicies, "1.30").createErrors(policy({ cidr: "10.0.0.0/8", except: ["x"] }))).toEqual([
      `${path}.except[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
    ]);
  });

  test("values that no label has are refused in new selectors since 1.26", () => {
    const matchExpressions = [{ key: "a", operator: "In", values: ["-"] }];
    const object = { metadata, spec: { podSelector: { matchExpressions } } };
    expect(at(networkPolicies, "1.25").createErrors(object)).toEqual([]);
    expect(at(networkPolicies, "1.26").createErrors(object)).toEqual([
      expect.stringMatching(
        /^spec.podSelector.matchExpressions\[0\].values\[0\]: Invalid value: "-": a valid label/,
      ),
    ]);
    expect(at(networkPolicies, "1.35").updateErrors(object, object)).toEqual([]);
  });
});

describe("ingresses", () => {
  const ingress = (name: string): JsonObject => ({
    metadata,
    spec: { defaultBackend: { service: { name, port: { number: 80 } } } },
  });
  const withAddress = (ip: string): JsonObject => ({
    ...ingress("web"),
    status: { loadBalancer: { ingress: [{ ip }] } },
  });

  test("name services with a leading digit since 1.36", () => {
    expect(at(ingresses, "1.35").createErrors(ingress("1web"))).toHaveLength(1);
    expect(at(ingresses, "1.35").updateErrors(ingress("1web"), ingress("1web"))).toEqual([]);
    expect(at(ingresses, "1.36").createErrors(ingress("1web"))).toEqual([]);
    expect(at(ingresses, "1.36").createErrors(ingress("Web"))).toHaveLength(1);
  });

  test("warn of the annotation for the class since 1.27", () => {
    const object = {
      ...ingress("web"),
      metadata: { ...metadata, annotations: { "kubernetes.io/ingress.class": "x" } },
    };
    expect(at(ingresses, "1.26").warnings(object)).toEqual([]);
    expect(at(ingresses, "1.27").warnings(object)).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
    const both = { ...object, spec: { ingressClassName: "x" } };
    expect(at(ingresses, "1.27").warnings(both)).toEqual([]);
    const { strategy } = ingresses(testApiContext({ level: "1.27" }));
    const stored = at(ingresses, "1.27").write(object);
    expect(strategy.warningsOnUpdate?.(testWriteContext(), stored, stored) ?? []).toEqual([]);
  });

  test("may name their class in the annotation and the field since 1.27, when both are the same", () => {
    const named = (annotation: string): JsonObject => ({
      metadata: { ...metadata, annotations: { "kubernetes.io/ingress.class": annotation } },
      spec: { ingressClassName: "x", defaultBackend: { service: { name: "a", port: { number: 80 } } } },
    });
    const path = "annotations.kubernetes.io/ingress.class";
    expect(at(ingresses, "1.26").createErrors(named("x"))).toEqual([
      `${path}: Invalid value: "x": can not be set when the class field is also set`,
    ]);
    expect(at(ingresses, "1.27").createErrors(named("x"))).toEqual([]);
    expect(at(ingresses, "1.27").createErrors(named("y"))).toEqual([
      `${path}: Invalid value: "y": must match \`ingressClassName\` when both are specified`,
    ]);
    expect(at(ingresses, "1.27").updateErrors(named("x"), named("y"))).toEqual([]);
  });

  test.each<[ApiLevel, string]>([
    ["1.29", "must be a valid IP address"],
    ["1.30", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ])("at %s, no address in the status %s", (level, why) => {
    expect(at(ingresses, level).updateErrors(withAddress("10.0.0.1"), withAddress("x"), "status")).toEqual([
      `status.loadBalancer.ingress[0].ip: Invalid value: "x": ${why}`,
    ]);
  });

  test("addresses in the status are strict since 1.36", () => {
    const update = (level: ApiLevel, old = "10.0.0.1") =>
      at(ingresses, level).updateErrors(withAddress(old), withAddress("10.0.0.02"), "status");
    expect(update("1.35")).toEqual([]);
    expect(update("1.36")).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "10.0.0.02": must not have leading 0s',
    ]);
    expect(update("1.36", "10.0.0.02")).toEqual([]);
  });
});

describe("nodes", () => {
  const node = (podCIDR: string): JsonObject => ({
    metadata: { name: "n", resourceVersion: "1" },
    spec: { podCIDRs: [podCIDR], podCIDR },
    status: { nodeInfo: { kubeProxyVersion: "v1" } },
  });

  test("networks of pods are strict since 1.36, with warnings since 1.33", () => {
    const odd = node("10.0.0.1/24");
    expect(at(nodes, "1.35").createErrors(odd)).toEqual([]);
    expect(at(nodes, "1.36").createErrors(odd)).toHaveLength(1);
    expect(at(nodes, "1.36").updateErrors(odd, odd)).toEqual([]);
    expect(at(nodes, "1.32").warnings(odd)).toEqual([]);
    expect(at(nodes, "1.33").warnings(odd)).toHaveLength(1);
  });

  test("keep the version of a proxy that their agents report", () => {
    const json = node("10.0.0.0/24");
    expect(at(nodes, "1.33").write(json).status.nodeInfo.kubeProxyVersion).toBe("v1");
    expect(at(nodes, "1.33").rewrite(json, json, "status").status.nodeInfo.kubeProxyVersion).toBe("v1");
  });
});

test("the class of ingresses that name none is marked since 1.36", () => {
  const shown = (level: ApiLevel, value: string) =>
    at(ingressClasses, level).cells({
      metadata: { name: "a", annotations: { "ingressclass.kubernetes.io/is-default-class": value } },
      spec: { controller: "example.com/c" },
    }).Name;
  expect([shown("1.35", "true"), shown("1.36", "true"), shown("1.36", "false")]).toEqual([
    "a",
    "a (default)",
    "a",
  ]);
});

test("updates of the status of a service CIDR reset no fields before 1.36", () => {
  const resetAt = (level: ApiLevel) => {
    const { strategy, subresources } = serviceCidrs(testApiContext({ level }));
    const [status] = subresources;
    return [strategy.resetFields, status?.kind === "part" ? status.strategy.resetFields : undefined];
  };
  expect(resetAt("1.35")).toEqual([undefined, []]);
  expect(resetAt("1.36")[1]).toEqual([["metadata"], ["spec"]]);
});

import { describe, expect, test } from "vitest";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { ingresses } from "./ingress/resource.js";
import { ingressClasses } from "./ingress-class/resource.js";
import { networkPolicies } from "./network-policy/resource.js";

const context = testApiContext();
const { domain } = context.naming;
const ingress = kindUnderTest(ingresses(context));
const ingressClass = kindUnderTest(ingressClasses(context));
const networkPolicy = kindUnderTest(networkPolicies(context));

const backend = { service: { name: "web", port: { number: 80 } } };
const ingressJson = {
  metadata: { name: "i", creationTimestamp: "2021-12-31T23:59:00Z" },
  spec: {
    ingressClassName: "nginx",
    rules: [{ host: "a.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    tls: [{ hosts: ["a.example.com"], secretName: "cert" }],
  },
  status: {
    loadBalancer: { ingress: [{ ip: "10.0.0.2" }, { hostname: "lb.example.com" }, { ip: "10.0.0.1" }] },
  },
};

describe("ingress", () => {
  test("starts without status, at generation 1", () => {
    const { object, errors } = ingress.create(ingressJson);
    expect(errors).toEqual([]);
    expect(object.status).toEqual({ loadBalancer: {} });
    expect(object.metadata.generation).toBe(1);
  });

  test("counts changes of the spec, and takes its status from the status part only", () => {
    const json = changed(changed(ingressJson, "spec.tls", []), "status.loadBalancer", {});
    const main = ingress.update(json, ingressJson).object;
    expect(main.metadata.generation).toBe(1);
    expect(main.status.loadBalancer.ingress).toHaveLength(3);
    const status = ingress.update(json, ingressJson, "status").object;
    expect(status.spec.tls).toHaveLength(1);
    expect(status.status.loadBalancer.ingress).toBeUndefined();
  });

  test.each([
    [
      "spec.rules",
      undefined,
      [
        "spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified",
      ],
    ],
    ["spec.defaultBackend", backend, []],
    [
      "spec.defaultBackend",
      {},
      ['spec.defaultBackend: Invalid value: "": resource or service backend is required'],
    ],
    [
      "spec.defaultBackend",
      { ...backend, resource: { kind: "K", name: "n" } },
      ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
    ],
    ["spec.defaultBackend", { resource: { apiGroup: "x.io", kind: "K", name: "n" } }, []],
    [
      "spec.defaultBackend",
      { resource: { kind: "", name: "a/b" } },
      [
        "spec.defaultBackend.resource.kind: Required value: kind is required",
        "spec.defaultBackend.resource.name: Invalid value: \"a/b\": may not contain '/'",
      ],
    ],
    [
      "spec.rules.0.host",
      "10.0.0.1",
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    ["spec.rules.0.host", "*.example.com", []],
    ["spec.rules.0.http.paths", [], ["spec.rules[0].http.paths: Required value"]],
    [
      "spec.rules.0.http.paths.0.pathType",
      undefined,
      ["spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified"],
    ],
    [
      "spec.rules.0.http.paths.0.pathType",
      "Fuzzy",
      [
        'spec.rules[0].http.paths[0].pathType: Unsupported value: "Fuzzy": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
    ],
    [
      "spec.rules.0.http.paths.0.path",
      "x",
      ['spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
    ],
    [
      "spec.rules.0.http.paths.0.path",
      "/a//b/..",
      [
        "spec.rules[0].http.paths[0].path: Invalid value: \"/a//b/..\": must not contain '//'",
        "spec.rules[0].http.paths[0].path: Invalid value: \"/a//b/..\": cannot end with '/..'",
      ],
    ],
    [
      "spec.rules.0.http.paths.0.backend.service.port",
      {},
      ["spec.rules[0].http.paths[0].backend: Required value: port name or number is required"],
    ],
    [
      "spec.rules.0.http.paths.0.backend.service.port",
      { name: "http", number: 80 },
      ['spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      "spec.rules.0.http.paths.0.backend.service.port",
      { number: 70000 },
      [
        "spec.rules[0].http.paths[0].backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive",
      ],
    ],
    [
      "spec.rules.0.http.paths.0.backend.service.name",
      "",
      ["spec.rules[0].http.paths[0].backend.service.name: Required value"],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(ingress.create(changed(ingressJson, path, value)).errors).toEqual(errors);
  });

  test("names its class in one place when it is new", () => {
    const json = changed(ingressJson, "metadata.annotations", { [`${domain}/ingress.class`]: "nginx" });
    expect(ingress.create(json).errors).toEqual([
      `annotations.${domain}/ingress.class: Invalid value: "nginx": can not be set when the class field is also set`,
    ]);
    expect(ingress.update(json, ingressJson).errors).toEqual([]);
  });

  test("keeps a secret name that was always wrong", () => {
    const json = changed(ingressJson, "spec.tls.0.secretName", "Bad_Name");
    expect(ingress.create(json).errors).toHaveLength(1);
    expect(ingress.update(json, ingressJson).errors).toHaveLength(1);
    expect(ingress.update(json, json).errors).toEqual([]);
  });

  test("refuses a load balancer's address that is none", () => {
    const json = changed(ingressJson, "status.loadBalancer.ingress", [{ ip: "x" }, { hostname: "10.0.0.1" }]);
    expect(ingress.update(json, ingressJson, "status").errors).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ]);
  });

  test("prints its hosts, at most three, and its addresses in order", () => {
    expect(ingress.cells(ingressJson)).toEqual([
      "i",
      "nginx",
      "a.example.com",
      "10.0.0.1,10.0.0.2,lb.example.com",
      "80, 443",
      "60s",
    ]);
    const hosts = ["a", "b", "c", "d", "e"].map((host) => ({ host }));
    expect(ingress.cells({ spec: { rules: hosts } })).toEqual([
      "",
      "<none>",
      "a,b,c + 2 more...",
      "",
      "80",
      "<unknown>",
    ]);
    expect(ingress.cells({ spec: { rules: [{}] } })[2]).toBe("*");
  });
});

describe("ingress class", () => {
  const json = {
    metadata: { name: "c" },
    spec: { controller: "example.com/c", parameters: { apiGroup: "x.io", kind: "K", name: "n" } },
  };

  test("has parameters for the cluster unless it says otherwise", () => {
    expect(ingressClass.decode(json).spec.parameters?.scope).toBe("Cluster");
    expect(ingressClass.create(json).errors).toEqual([]);
  });

  test.each([
    ["spec.controller", undefined, ["spec.controller: Required value"]],
    [
      "spec.controller",
      "nginx",
      ['spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      "spec.controller",
      "example.com/",
      [
        'spec.controller: Invalid value: "example.com/": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    ],
    [
      "spec.parameters.scope",
      "Galaxy",
      ['spec.parameters.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespace"'],
    ],
    [
      "spec.parameters.scope",
      "Namespace",
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      "spec.parameters.namespace",
      "ns",
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    ["spec.parameters.name", "", ["spec.parameters.name: Required value: name is required"]],
  ])("with %s = %j", (path, value, errors) => {
    expect(ingressClass.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("keeps its controller", () => {
    expect(ingressClass.update(changed(json, "spec.controller", "example.com/d"), json).errors).toEqual([
      'spec.controller: Invalid value: "example.com/d": field is immutable',
    ]);
  });

  test("prints what its parameters are", () => {
    expect(ingressClass.cells(json).slice(0, 3)).toEqual(["c", "example.com/c", "K.x.io/n"]);
    expect(ingressClass.cells({})[2]).toBe("<none>");
  });
});

describe("network policy", () => {
  const json = {
    metadata: { name: "p" },
    spec: {
      podSelector: { matchLabels: { app: "web" } },
      ingress: [
        {
          ports: [{ port: 80, endPort: 90 }],
          from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }],
        },
      ],
      egress: [{ to: [{ podSelector: {} }] }],
    },
  };

  test("is about what it has rules for", () => {
    expect(networkPolicy.decode(json).spec.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(networkPolicy.decode({}).spec.policyTypes).toEqual(["Ingress"]);
    expect(networkPolicy.decode(json).spec.ingress?.[0]?.ports?.[0]?.protocol).toBe("TCP");
    expect(networkPolicy.create(json).errors).toEqual([]);
  });

  test.each([
    [
      "spec.ingress.0.ports.0.protocol",
      "ICMP",
      [
        'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
      ],
    ],
    [
      "spec.ingress.0.ports.0.port",
      0,
      ["spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ],
    [
      "spec.ingress.0.ports.0.port",
      "http",
      [
        "spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric",
      ],
    ],
    [
      "spec.ingress.0.ports.0.port",
      undefined,
      [
        "spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is not specified",
      ],
    ],
    [
      "spec.ingress.0.ports.0.endPort",
      79,
      ["spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`"],
    ],
    ["spec.egress.0.to.0", {}, ["spec.egress[0].to[0]: Required value: must specify a peer"]],
    [
      "spec.egress.0.to.0.ipBlock",
      { cidr: "10.0.0.0/8" },
      ["spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer"],
    ],
    ["spec.ingress.0.from.0.ipBlock.cidr", "", ["spec.ingress[0].from[0].ipBlock.cidr: Required value"]],
    [
      "spec.ingress.0.from.0.ipBlock.cidr",
      "x",
      ['spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": not a valid CIDR'],
    ],
    [
      "spec.ingress.0.from.0.ipBlock.except",
      ["10.0.0.0/8"],
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      ],
    ],
    [
      "spec.ingress.0.from.0.ipBlock.except",
      ["11.1.2.3/16"],
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.1.2.3/16": must be a strict subset of `cidr`',
      ],
    ],
    [
      "spec.ingress.0.from.0.ipBlock.except",
      ["2001:db8::1/64"],
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "2001:db8::1/64": must be a strict subset of `cidr`',
      ],
    ],
    [
      "spec.policyTypes",
      ["Sideways"],
      ['spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
    ],
    [
      "spec.policyTypes",
      ["Ingress", "Egress", "Ingress"],
      [
        'spec.policyTypes: Invalid value: []networking.PolicyType{"Ingress", "Egress", "Ingress"}: may not specify more than two policyTypes',
      ],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(networkPolicy.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("a range within an IPv6 range is fine", () => {
    const block = { cidr: "2001:db8::/32", except: ["2001:db8:1::/48"] };
    expect(networkPolicy.create(changed(json, "spec.ingress.0.from.0.ipBlock", block)).errors).toEqual([]);
  });

  test("ranges of ports go while their gate is off, unless there were some", () => {
    const gated = kindUnderTest(networkPolicies(testApiContext({ gates: { NetworkPolicyEndPort: false } })));
    const without = changed(json, "spec.ingress.0.ports.0.endPort", undefined);
    const endPort = (object: ReturnType<typeof gated.decode>) =>
      object.spec.ingress?.[0]?.ports?.[0]?.endPort;
    expect(endPort(gated.create(json).object)).toBeUndefined();
    expect(endPort(gated.update(json, without).object)).toBeUndefined();
    expect(endPort(gated.update(json, json).object)).toBe(90);
  });

  test("prints whom it is about", () => {
    expect(networkPolicy.cells(json)).toEqual(["p", "app=web", "<unknown>"]);
    expect(networkPolicy.cells({})[1]).toBe("<none>");
  });
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { setServiceReadDefaults } from "./read-defaults.js";
import { services } from "./resource.js";

const gates = { MixedProtocolLBService: false };
const ground = kindGround(services(testApiContext({ gates })));

const port = { port: 80 };
const service = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns", creationTimestamp: "2021-12-31T23:59:00Z", ...metadata },
  spec: { ports: [port], clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], ...spec },
});

describe("defaults", () => {
  test("of the least service", () => {
    expect(ground.read({ spec: { ports: [port] } }).spec).toEqual({
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
    });
  });

  test("of a load balancer with client affinity", () => {
    const { spec } = ground.read(
      service({
        type: "LoadBalancer",
        sessionAffinity: "ClientIP",
        ports: [{ port: 80, targetPort: "http" }],
      }),
    );
    expect(spec).toMatchObject({
      ports: [{ port: 80, protocol: "TCP", targetPort: "http" }],
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
      externalTrafficPolicy: "Cluster",
      allocateLoadBalancerNodePorts: true,
    });
  });

  test("without affinity its configuration is dropped", () => {
    const { spec } = ground.read(service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }));
    expect(spec.sessionAffinityConfig).toBeUndefined();
  });

  test("fields of disabled gates are not set, and dropped unless in use", () => {
    const without = kindGround(
      services(
        testApiContext({
          gates: {
            ServiceLBNodePortControl: false,
            ServiceInternalTrafficPolicy: false,
            ServiceLoadBalancerClass: false,
          },
        }),
      ),
    );
    const balancer = service({ type: "LoadBalancer", loadBalancerClass: "a/b" });
    const given = service({ type: "LoadBalancer", loadBalancerClass: "a/b", internalTrafficPolicy: "Local" });
    expect(without.read(balancer).spec.allocateLoadBalancerNodePorts).toBeUndefined();
    expect(without.write(given).spec).toMatchObject({
      loadBalancerClass: undefined,
      internalTrafficPolicy: undefined,
    });
    expect(without.rewrite(given, given).spec).toMatchObject({
      loadBalancerClass: "a/b",
      internalTrafficPolicy: "Local",
    });
  });
});

describe("a new service", () => {
  test.each<[string, JsonObject]>([
    ["plain", {}],
    ["headless without ports", { clusterIP: "None", clusterIPs: ["None"], ports: [] }],
    [
      "external",
      { type: "ExternalName", externalName: "example.com.", clusterIP: "", clusterIPs: [], ports: [] },
    ],
    [
      "load balancer with everything",
      {
        type: "LoadBalancer",
        loadBalancerClass: "example.com/fast",
        loadBalancerSourceRanges: ["10.0.0.0/8", " 192.168.0.0/16 "],
        externalIPs: ["1.2.3.4"],
        externalTrafficPolicy: "Local",
        healthCheckNodePort: 30_000,
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_400 } },
        selector: { app: "web" },
        ports: [
          { name: "a", port: 80, nodePort: 30_001, appProtocol: "example.com/x" },
          { name: "b", port: 81, nodePort: 30_002, targetPort: "http" },
        ],
      },
    ],
    [
      "one port over two protocols",
      {
        ports: [
          { name: "a", port: 53 },
          { name: "b", port: 53, protocol: "UDP" },
        ],
      },
    ],
  ])("is fine: %s", (_name, spec) => {
    expect(ground.createErrors(service(spec))).toEqual([]);
  });

  const localBalancer = { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_000 };
  const twoPorts = (first: JsonObject, second: JsonObject): JsonObject => ({
    ports: [
      { name: "a", port: 80, ...first },
      { name: "b", port: 81, ...second },
    ],
  });
  test.each<[JsonObject, string[]]>([
    [{ ports: [] }, ["spec.ports: Required value"]],
    [
      { ports: [{ port: 0, protocol: "x", targetPort: 70_000 }] },
      [
        "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        'spec.ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        "spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      ],
    ],
    [
      { ports: [{ port: 1, targetPort: "A--" }] },
      [
        'spec.ports[0].targetPort: Invalid value: "A--": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.ports[0].targetPort: Invalid value: "A--": must contain at least one letter or number (a-z, 0-9)',
        'spec.ports[0].targetPort: Invalid value: "A--": must not contain consecutive hyphens',
        'spec.ports[0].targetPort: Invalid value: "A--": must not begin or end with a hyphen',
      ],
    ],
    [twoPorts({ name: "" }, {}), ["spec.ports[0].name: Required value"]],
    [twoPorts({}, { name: "a" }), ['spec.ports[1].name: Duplicate value: "a"']],
    [
      twoPorts({}, { port: 80 }),
      [
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      { type: "NodePort", ...twoPorts({ nodePort: 30_000 }, { nodePort: 30_000 }) },
      ["spec.ports[1].nodePort: Duplicate value: 30000"],
    ],
    [
      { ports: [{ port: 1, nodePort: 30_000 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      { type: "x" },
      [
        'spec.type: Unsupported value: "x": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      { type: "LoadBalancer", ports: [{ port: 10_250 }] },
      [
        "spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet",
      ],
    ],
    [
      { type: "NodePort", clusterIP: "None", clusterIPs: ["None"] },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      { type: "ExternalName", externalName: "", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
      [
        "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
        "spec.ipFamilies: Forbidden: may not be set for ExternalName services",
        "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services",
        "spec.externalName: Required value",
      ],
    ],
    [
      { sessionAffinity: "x" },
      ['spec.sessionAffinity: Unsupported value: "x": supported values: "ClientIP", "None"'],
    ],
    [
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
      [
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
      ],
    ],
    [
      { externalIPs: ["x", "127.0.0.1"] },
      [
        'spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      { loadBalancerSourceRanges: ["x"] },
      [
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.LoadBalancerSourceRanges: Invalid value: "[x]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
    [
      { allocateLoadBalancerNodePorts: true, loadBalancerClass: "a/b", externalTrafficPolicy: "Local" },
      [
        "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
        "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
        `spec.externalTrafficPolicy: Invalid value: "Local": may only be set when \`type\` is 'NodePort' or 'LoadBalancer'`,
      ],
    ],
    [{ ...localBalancer, healthCheckNodePort: 0 }, ["spec.healthCheckNodePort: Required value"]],
    [
      { healthCheckNodePort: 1 },
      [
        "spec.healthCheckNodePort: Invalid value: 1: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      { type: "NodePort", externalTrafficPolicy: "x", internalTrafficPolicy: "y" },
      [
        'spec.externalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "y": supported values: "Cluster", "Local"',
      ],
    ],
  ])("%j is refused", (spec, errors) => {
    expect(ground.createErrors(service(spec))).toEqual(errors);
  });

  test.each<[JsonObject, string[]]>([
    [{ clusterIPs: [] }, ["spec.clusterIPs: Required value"]],
    [
      { clusterIPs: ["10.0.0.2"] },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.2"}: first value must match `clusterIP`'],
    ],
    [
      { clusterIP: "" },
      [
        'spec.clusterIPs: Invalid value: []string{"10.0.0.1"}: must be empty when `clusterIP` is not specified',
      ],
    ],
    [
      { clusterIPs: ["10.0.0.1", "10.0.0.2"] },
      [
        'spec.clusterIPs: Invalid value: []string{"10.0.0.1", "10.0.0.2"}: may specify no more than one IP for each IP family',
      ],
    ],
    [
      { clusterIP: "None", clusterIPs: ["None", "10.0.0.1"] },
      [
        `spec.clusterIPs: Invalid value: []string{"None", "10.0.0.1"}: 'None' must be the first and only value`,
      ],
    ],
    [
      { ipFamilies: ["IPv6", "IPv6", "x"] },
      [
        'spec.ipFamilies[1]: Duplicate value: "IPv6"',
        'spec.ipFamilies[2]: Unsupported value: "x": supported values: "IPv4", "IPv6"',
        'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      { ipFamilyPolicy: "x" },
      [
        'spec.ipFamilyPolicy: Unsupported value: "x": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
  ])("addresses and families: %j is refused", (spec, errors) => {
    expect(ground.createErrors(service(spec))).toEqual(errors);
  });

  test("the annotation of source ranges is checked as the field is", () => {
    const key = "service.beta.kubernetes.io/load-balancer-source-ranges";
    const annotated = (value: string, spec: JsonObject = { type: "LoadBalancer" }): JsonObject =>
      service(spec, { annotations: { [key]: value } });
    expect(ground.createErrors(annotated("10.0.0.0/8, 192.168.0.0/16"))).toEqual([]);
    expect(ground.createErrors(annotated("x", {}))).toEqual([
      `metadata.annotations[${key}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
      `metadata.annotations[${key}]: Invalid value: "x": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 `,
    ]);
  });

  test("several protocols behind a load balancer need their gate, or a service that has them", () => {
    const mixed = service({ type: "LoadBalancer", ...twoPorts({}, { protocol: "UDP" }) });
    const errors = ground.createErrors(mixed);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^spec.ports: .*may not contain more than 1 protocol when type is 'LoadBalancer'$/,
    );
    expect(ground.updateErrors(mixed, mixed)).toEqual([]);
    expect(kindGround(services(testApiContext())).createErrors(mixed)).toEqual([]);
  });
});

describe("an update", () => {
  const dual = service({
    clusterIPs: ["10.0.0.1", "fd00::1"],
    ipFamilies: ["IPv4", "IPv6"],
    ipFamilyPolicy: "RequireDualStack",
  });
  const single = service({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["the same", dual, dual, []],
    ["down by policy", dual, single, []],
    ["up", single, dual, []],
    [
      "down without the policy",
      dual,
      service({ ipFamilies: ["IPv4"], ipFamilyPolicy: "PreferDualStack" }),
      [
        "spec.clusterIPs[0]: Invalid value: []string{\"10.0.0.1\"}: `ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary clusterIP",
        "spec.clusterIPs[0]: Invalid value: []string{\"10.0.0.1\"}: `ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary ipFamily",
      ],
    ],
    [
      "another address",
      single,
      service({
        clusterIP: "10.0.0.9",
        clusterIPs: ["10.0.0.9"],
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
      }),
      ['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.9"}: may not change once set'],
    ],
    [
      "another family",
      service({ ipFamilies: ["IPv6"], clusterIP: "fd00::1", clusterIPs: ["fd00::1"] }),
      service({ ipFamilies: ["IPv4"] }),
      [
        'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.1"}: may not change once set',
        'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv4"}: may not change once set',
      ],
    ],
    [
      "no address",
      single,
      service({ clusterIP: "", clusterIPs: [], ipFamilies: ["IPv4"] }),
      ["spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset"],
    ],
    [
      "another class",
      service({ type: "LoadBalancer", loadBalancerClass: "a/b" }),
      service({ type: "LoadBalancer", loadBalancerClass: "a/c" }),
      ['spec.loadBalancerClass: Invalid value: "a/c": may not change once set'],
    ],
    [
      "another port for health checks",
      service({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_000 }),
      service({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_001 }),
      ["spec.healthCheckNodePort: Forbidden: field is immutable"],
    ],
    [
      "headless to another family",
      service({ clusterIP: "None", clusterIPs: ["None"], ipFamilies: ["IPv4"] }),
      service({ clusterIP: "None", clusterIPs: ["None"], ipFamilies: ["IPv6"] }),
      [],
    ],
  ])("%s", (_name, old, changed, errors) => {
    expect(ground.updateErrors(old, changed)).toEqual(errors);
  });

  const balancer = service({
    type: "LoadBalancer",
    loadBalancerClass: "a/b",
    allocateLoadBalancerNodePorts: true,
    externalTrafficPolicy: "Local",
    healthCheckNodePort: 30_000,
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ port: 80, nodePort: 30_001 }],
  });
  const specOf = (json: JsonObject): JsonObject => json.spec as JsonObject; // made above

  test("a change of type drops what only the old type has", () => {
    const plain = ground.rewrite(balancer, { ...balancer, spec: { ...specOf(balancer), type: "ClusterIP" } });
    expect(plain.spec).toMatchObject({
      healthCheckNodePort: undefined,
      externalTrafficPolicy: undefined,
      loadBalancerClass: undefined,
      allocateLoadBalancerNodePorts: undefined,
      ports: [{ port: 80, nodePort: undefined }],
      clusterIP: "10.0.0.1",
    });
    const external = ground.rewrite(balancer, {
      ...balancer,
      spec: { ...specOf(balancer), type: "ExternalName" },
    });
    expect(external.spec).toMatchObject({
      clusterIP: undefined,
      clusterIPs: undefined,
      ipFamilies: undefined,
      ipFamilyPolicy: undefined,
    });
  });

  test("what the same write changes too is left to validation", () => {
    const changed = { ...specOf(balancer), type: "ClusterIP", ports: [{ port: 80, nodePort: 30_009 }] };
    expect(ground.updateErrors(balancer, { ...balancer, spec: changed })).toContain(
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    );
  });

  test("the address of a load balancer goes with its type", () => {
    const status = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
    const old = { ...balancer, status };
    expect(ground.rewrite(old, balancer).status).toEqual(status);
    const plain = { ...balancer, spec: { ...specOf(balancer), type: "NodePort" } };
    expect(ground.rewrite(old, plain).status.loadBalancer).toEqual({});
  });
});

test("a status is of addresses and names", () => {
  const status = (ingress: JsonObject): JsonObject => ({
    ...service({ type: "LoadBalancer" }),
    status: { loadBalancer: { ingress: [ingress] } },
  });
  const errors = (ingress: JsonObject): string[] =>
    ground.updateErrors(service({ type: "LoadBalancer" }), status(ingress), "status");
  expect(errors({ ip: "1.2.3.4" })).toEqual([]);
  expect(errors({ ip: "x", hostname: "1.2.3.4" })).toEqual([
    'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
    'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ]);
  expect(ground.rewrite(service(), service({ clusterIP: "10.0.0.9" }), "status").spec.clusterIP).toBe(
    "10.0.0.1",
  );
});

test.each<[JsonObject, object]>([
  [
    service({ selector: { b: "2", a: "1" } }),
    {
      Name: "a",
      Type: "ClusterIP",
      "Cluster-IP": "10.0.0.1",
      "External-IP": "<none>",
      "Port(s)": "80/TCP",
      Age: "60s",
      Selector: "a=1,b=2",
    },
  ],
  [
    service({ type: "NodePort", externalIPs: ["1.2.3.4"], ports: [{ port: 80, nodePort: 30_000 }] }),
    { "External-IP": "1.2.3.4", "Port(s)": "80:30000/TCP", Selector: "<none>" },
  ],
  [service({ type: "LoadBalancer" }), { "External-IP": "<pending>" }],
  [
    {
      ...service({ type: "LoadBalancer", externalIPs: ["9.9.9.9"] }),
      status: { loadBalancer: { ingress: [{ hostname: "b" }, { ip: "1.1.1.1", hostname: "x" }] } },
    },
    { "External-IP": "1.1.1.1,b,9.9.9.9" },
  ],
  [
    service({ type: "ExternalName", externalName: "example.com", clusterIP: "", clusterIPs: [], ports: [] }),
    { "Cluster-IP": "<none>", "External-IP": "example.com", "Port(s)": "<none>" },
  ],
])("row of %j", (json, cells) => {
  expect(ground.cells(json)).toMatchObject(cells);
});

test.each<[JsonObject, unknown]>([
  [{ clusterIP: "10.0.0.1" }, [["10.0.0.1"], ["IPv4"], "SingleStack"]],
  [{ clusterIP: "fd00::1" }, [["fd00::1"], ["IPv6"], "SingleStack"]],
  [{ clusterIP: "None", selector: { a: "b" } }, [["None"], ["IPv6"], "SingleStack"]],
  [{ clusterIP: "None" }, [["None"], ["IPv6", "IPv4"], "RequireDualStack"]],
  [{ type: "ExternalName" }, [undefined, undefined, undefined]],
])("a stored %j from before dual stack gets lists, families and policy", (spec, expected) => {
  const object = ground.read({ spec });
  setServiceReadDefaults(object, "IPv6", "1.23");
  const { clusterIPs, ipFamilies, ipFamilyPolicy } = object.spec;
  expect([clusterIPs, ipFamilies, ipFamilyPolicy]).toEqual(expected);
});

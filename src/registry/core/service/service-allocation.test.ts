import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import { MemoryStore } from "../../../storage/testing/memory-store.js";
import { createIpRange } from "./ip-range.js";
import { staticNodePorts } from "./service-allocation.js";
import { createServiceGround, refusal, type ServiceGroundChoices } from "./testing/service-ground.js";

const dual = { ranges: ["10.0.0.0/29", "fd00::/120"] };

async function started(choices?: ServiceGroundChoices) {
  const ground = await createServiceGround(choices);
  await ground.allocation.repair.repairOnce();
  return ground;
}

const addresses = ({ spec }: Service) => [
  spec.clusterIP,
  spec.clusterIPs,
  spec.ipFamilies,
  spec.ipFamilyPolicy,
];
const nodePorts = ({ spec }: Service) => (spec.ports ?? []).map(({ nodePort }) => nodePort);

describe("cluster IPs", () => {
  test("a new service gets a free address, but not the first: that is the API server's own", async () => {
    const ground = await started();
    expect(addresses(await ground.create("a"))).toEqual(["10.0.0.2", ["10.0.0.2"], ["IPv4"], "SingleStack"]);
    expect((await ground.create("b")).spec.clusterIP).toBe("10.0.0.3");
    expect((await ground.create("own", { clusterIP: "10.0.0.1" })).spec.clusterIPs).toEqual(["10.0.0.1"]);
    expect(await ground.taken("serviceips")).toBe("111");
  });

  test("an address that is asked for must be free and in the range", async () => {
    const ground = await started();
    await ground.create("a", { clusterIP: "10.0.0.4" });
    expect(await refusal(ground.create("b", { clusterIP: "10.0.0.4" }))).toBe(
      '422 Service "b" is invalid: spec.clusterIPs: Invalid value: []string{"10.0.0.4"}: failed to allocate IP 10.0.0.4: provided IP is already allocated',
    );
    expect(await refusal(ground.create("b", { clusterIP: "10.9.9.9" }))).toBe(
      '422 Service "b" is invalid: spec.clusterIPs: Invalid value: []string{"10.9.9.9"}: failed to allocate IP 10.9.9.9: the provided IP (10.9.9.9) is not in the valid range. The range of valid IPs is 10.0.0.0/29',
    );
  });

  test.each<[ApiLevel, string]>([
    ["1.33", '[]string{"10.0.0.3"}'],
    ["1.34", '["10.0.0.3"]'],
  ])("at %s, addresses are refused in the words of the level", async (level, value) => {
    const ground = await started({ level });
    const refused = refusal(ground.create("a", { clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.3"] }));
    await ground.create("b", { clusterIP: "10.0.0.3" });
    expect(await refusal(ground.create("c", { clusterIP: "10.0.0.3" }))).toBe(
      `422 Service "c" is invalid: spec.clusterIPs: Invalid value: ${value}: failed to allocate IP 10.0.0.3: provided IP is already allocated`,
    );
    expect(await refused).toBe(
      `422 Service "a" is invalid: spec.clusterIPs: Invalid value: ${value}: first value must match \`clusterIP\``,
    );
  });

  test("a service of an unknown type is refused as such, not for its address", async () => {
    const ground = await started();
    await ground.create("a", { clusterIP: "10.0.0.3" });
    const odd = { type: "Odd", clusterIP: "10.0.0.3" };
    expect(await refusal(ground.create("b", odd))).toMatch(/ spec\.type: Unsupported value: "Odd"/);
  });

  test("an address cannot be given up for none, whatever families are asked for", async () => {
    for (const ipFamilyPolicy of ["SingleStack", "RequireDualStack"]) {
      const ground = await started();
      await ground.create("a");
      const headless = ground.update("a", ({ spec }) => {
        Object.assign(spec, { clusterIP: "None", clusterIPs: ["None"], ipFamilyPolicy });
      });
      expect(await refusal(headless)).toMatch(
        /^422 Service "a" is invalid: .*clusterIPs\[0\]: .*may not change once set/,
      );
      expect(await ground.taken("serviceips")).toBe("10");
    }
  });

  test.each<[ApiLevel, string]>([
    ["1.35", ""],
    ["1.36", ' for Service "b"'],
  ])("when all are taken, the answer is an internal error, worded as at %s", async (level, whose) => {
    const ground = await started({ level, ranges: ["10.0.0.0/30"] });
    await ground.create("a");
    expect(await refusal(ground.create("b"))).toBe(
      `500 Internal error occurred: failed to allocate a serviceIP${whose}: range is full`,
    );
    await ground.remove("a");
    expect((await ground.create("b")).spec.clusterIP).toBe("10.0.0.2");
  });

  test("headless and external services take none", async () => {
    const ground = await started();
    const headless = await ground.create("h", { clusterIP: "None", selector: { a: "b" } });
    expect(addresses(headless)).toEqual(["None", ["None"], ["IPv4"], "SingleStack"]);
    const unselected = await ground.create("u", { clusterIP: "None" });
    expect(addresses(unselected)).toEqual(["None", ["None"], ["IPv4", "IPv6"], "RequireDualStack"]);
    const external = await ground.create("e", {
      type: "ExternalName",
      externalName: "example.com",
      ports: [],
    });
    expect(addresses(external)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await ground.taken("serviceips")).toBe("0");
    await ground.remove("h");
    expect(await ground.taken("serviceips")).toBe("0");
  });

  test("a dry run takes nothing and answers with an address that no service has", async () => {
    const ground = await started();
    const object = await ground.create("a", { type: "NodePort" }, true);
    expect(object.spec.clusterIP).toBe("10.0.0.0");
    expect(nodePorts(object)).toEqual([32_769]);
    expect(await ground.taken("serviceips")).toBe("0");
    expect(await ground.taken("servicenodeports")).toBe("0");
    const { spec } = await ground.create("a");
    expect(await refusal(ground.create("a", { clusterIP: spec.clusterIP ?? "" }, true))).toBe(
      '409 services "a" already exists',
    );
    await ground.remove("a", true);
    expect(await ground.taken("serviceips")).toBe("10");
  });

  test("a create that fails gives back what it took", async () => {
    const ground = await started();
    await ground.create("a");
    expect(await refusal(ground.create("a", { type: "NodePort" }))).toBe('409 services "a" already exists');
    expect(await refusal(ground.create("b", { type: "NodePort", sessionAffinity: "x" }))).toMatch(
      /^422 .*spec.sessionAffinity/,
    );
    expect(
      await refusal(ground.create("b", { type: "NodePort", ports: [{ port: 1, nodePort: 80 }] })),
    ).toMatch(/^422 /);
    expect(await ground.taken("serviceips")).toBe("10");
    expect(await ground.taken("servicenodeports")).toBe("0");
  });

  test("what a deleted service had is free again, and its endpoints go with it", async () => {
    const ground = await started(dual);
    await ground.create("a", { type: "NodePort", ipFamilyPolicy: "RequireDualStack" });
    expect(await ground.taken("secondaryserviceips")).toBe("1");
    await ground.remove("a");
    for (const range of ["serviceips", "secondaryserviceips", "servicenodeports"] as const) {
      expect(await ground.taken(range)).toBe("0");
    }
    expect(ground.deletedEndpoints).toEqual(["ns/a"]);
  });

  test("two servers on one store give each address once", async () => {
    const kv = new MemoryStore();
    const [first, second] = [await started({ kv }), await started({ kv })];
    const created = await Promise.all(
      Array.from({ length: 5 }, (_, index) => (index % 2 === 0 ? first : second).create(`s${index}`)),
    );
    expect(new Set(created.map(({ spec }) => spec.clusterIP)).size).toBe(5);
    expect(await first.taken("serviceips")).toBe("111110");
  });
});

describe("IP families", () => {
  test.each([
    ["nothing said", {}, ["10.0.0.2"], ["IPv4"], "SingleStack"],
    [
      "preferred",
      { ipFamilyPolicy: "PreferDualStack" },
      ["10.0.0.2", "fd00::1"],
      ["IPv4", "IPv6"],
      undefined,
    ],
    [
      "required",
      { ipFamilyPolicy: "RequireDualStack" },
      ["10.0.0.2", "fd00::1"],
      ["IPv4", "IPv6"],
      undefined,
    ],
    ["the other one", { ipFamilies: ["IPv6"] }, ["fd00::1"], ["IPv6"], "SingleStack"],
    [
      "in the other order",
      { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6"] },
      ["fd00::1", "10.0.0.2"],
      ["IPv6", "IPv4"],
      undefined,
    ],
    ["by address", { clusterIP: "fd00::7" }, ["fd00::7"], ["IPv6"], "SingleStack"],
  ])("%s", async (_name, spec, ips, families, policy) => {
    const ground = await started(dual);
    const object = await ground.create("a", spec);
    expect([object.spec.clusterIPs, object.spec.ipFamilies]).toEqual([ips, families]);
    expect(object.spec.clusterIP).toBe(ips[0]);
    if (policy !== undefined) expect(object.spec.ipFamilyPolicy).toBe(policy);
  });

  test.each([
    [
      { ipFamilyPolicy: "RequireDualStack" },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [{ ipFamilies: ["IPv6"] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    [
      { clusterIP: "fd00::1" },
      'spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: IPv6 is not configured on this cluster',
    ],
    [
      { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4", "IPv6"] },
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
    [
      { clusterIP: "x" },
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ])("a cluster of one family refuses %j", async (spec, message) => {
    const ground = await started();
    expect(await refusal(ground.create("a", spec))).toBe(`422 Service "a" is invalid: ${message}`);
    expect(await ground.taken("serviceips")).toBe("0");
  });

  test("a service gains and loses its second address as its policy changes", async () => {
    const ground = await started(dual);
    await ground.create("a");
    const both = await ground.update("a", ({ spec }) => {
      spec.ipFamilyPolicy = "RequireDualStack";
    });
    expect(addresses(both)).toEqual([
      "10.0.0.2",
      ["10.0.0.2", "fd00::1"],
      ["IPv4", "IPv6"],
      "RequireDualStack",
    ]);
    expect(
      await refusal(
        ground.update("a", ({ spec }) => {
          spec.clusterIPs = ["10.0.0.2"];
        }),
      ),
    ).toContain("must be 'SingleStack' to release the secondary cluster IP");
    const one = await ground.update("a", ({ spec }) => {
      spec.ipFamilyPolicy = "SingleStack";
    });
    expect(addresses(one)).toEqual(["10.0.0.2", ["10.0.0.2"], ["IPv4"], "SingleStack"]);
    expect(await ground.taken("secondaryserviceips")).toBe("0");
  });

  test("a service that prefers two stays with what it has when the cluster changes", async () => {
    const kv = new MemoryStore();
    const before = await started({ kv });
    await before.create("a", { ipFamilyPolicy: "PreferDualStack" });
    const after = await started({ ...dual, kv });
    const object = await after.update("a", ({ metadata }) => {
      metadata.labels = { a: "b" };
    });
    expect(object.spec.clusterIPs).toEqual(["10.0.0.2"]);
  });
});

describe("node ports", () => {
  test("each port gets one, the same for all protocols of a port", async () => {
    const ground = await started();
    const object = await ground.create("a", {
      type: "NodePort",
      ports: [
        { name: "a", port: 53, protocol: "TCP" },
        { name: "b", port: 53, protocol: "UDP" },
        { name: "c", port: 80 },
      ],
    });
    expect(nodePorts(object)).toEqual([30_000, 30_000, 30_001]);
    expect(await ground.taken("servicenodeports")).toBe("11");
  });

  test("one that is asked for must be free and in the range", async () => {
    const ground = await started();
    const port = (nodePort: number) => ({ type: "NodePort", ports: [{ port: 80, nodePort }] });
    await ground.create("a", port(30_003));
    expect(await refusal(ground.create("b", port(30_003)))).toBe(
      '422 Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30003: provided port is already allocated',
    );
    expect(await refusal(ground.create("b", port(80)))).toBe(
      '422 Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-30007',
    );
    expect(await refusal(ground.create("b", port(30_003), true))).toContain(
      "provided port is already allocated",
    );
  });

  test("a load balancer may do without, and has one for its health where traffic stays local", async () => {
    const ground = await started();
    const none = await ground.create("a", { type: "LoadBalancer", allocateLoadBalancerNodePorts: false });
    expect(nodePorts(none)).toEqual([undefined]);
    const local = await ground.create("b", { type: "LoadBalancer", externalTrafficPolicy: "Local" });
    expect([nodePorts(local), local.spec.healthCheckNodePort]).toEqual([[30_000], 30_001]);
    const global = await ground.update("b", ({ spec }) => {
      spec.externalTrafficPolicy = "Cluster";
    });
    expect(global.spec.healthCheckNodePort).toBeUndefined();
    expect(await ground.taken("servicenodeports")).toBe("1");
    expect(
      await refusal(
        ground.create("c", {
          type: "LoadBalancer",
          externalTrafficPolicy: "Local",
          healthCheckNodePort: 30_000,
        }),
      ),
    ).toBe(
      '422 Service "c" is invalid: spec.healthCheckNodePort: Invalid value: 30000: provided port is already allocated',
    );
  });

  test("a service that is written again as at first keeps what it was given", async () => {
    const ground = await started();
    const first = await ground.create("a", { type: "NodePort" });
    const again = await ground.replace("a", { type: "NodePort" });
    expect([again.spec.clusterIP, nodePorts(again)]).toEqual([first.spec.clusterIP, nodePorts(first)]);
    const named = await ground.replace("a", {
      type: "NodePort",
      ports: [{ name: "x", port: 80, nodePort: 30_005 }],
    });
    expect(nodePorts(named)).toEqual([30_005]);
    expect(await ground.taken("servicenodeports")).toBe("100000");
  });

  test.each<[ApiLevel, (number | undefined)[], string]>([
    ["1.29", [30_000, 30_001], "11"],
    ["1.30", [30_000, undefined], "1"],
  ])("at %s, a load balancer that no longer wants any has %s", async (level, left, taken) => {
    const ground = await started({ level });
    const ports = [
      { name: "a", port: 80 },
      { name: "b", port: 81 },
    ];
    const first = await ground.create("a", { type: "LoadBalancer", ports });
    expect(nodePorts(first)).toEqual([30_000, 30_001]);
    const second = await ground.update("a", ({ spec }) => {
      spec.allocateLoadBalancerNodePorts = false;
      spec.ports = spec.ports?.map((port) => ({ ...port, ...(port.name === "b" && { nodePort: 0 }) }));
    });
    expect(nodePorts(second).map((port) => port || undefined)).toEqual(left);
    expect(await ground.taken("servicenodeports")).toBe(taken);
  });
});

describe("changes of type", () => {
  test("an external service gives up all addresses and gets new ones when it comes back", async () => {
    const ground = await started();
    await ground.create("a", { type: "NodePort" });
    const external = await ground.update("a", ({ spec }) => {
      spec.type = "ExternalName";
      spec.externalName = "example.com";
    });
    expect(addresses(external)).toEqual([undefined, undefined, undefined, undefined]);
    expect([nodePorts(external), external.spec.externalTrafficPolicy]).toEqual([[undefined], undefined]);
    expect([await ground.taken("serviceips"), await ground.taken("servicenodeports")]).toEqual(["0", "0"]);
    const back = await ground.update("a", ({ spec }) => {
      spec.type = "ClusterIP";
    });
    expect(addresses(back)).toEqual(["10.0.0.2", ["10.0.0.2"], ["IPv4"], "SingleStack"]);
  });

  test("a service of type ClusterIP gives its node ports up", async () => {
    const ground = await started();
    await ground.create("a", { type: "LoadBalancer" });
    const plain = await ground.update("a", ({ spec }) => {
      spec.type = "ClusterIP";
    });
    expect(nodePorts(plain)).toEqual([undefined]);
    expect(plain.spec.allocateLoadBalancerNodePorts).toBeUndefined();
    expect(await ground.taken("servicenodeports")).toBe("0");
    const exposed = await ground.update("a", ({ spec }) => {
      spec.type = "NodePort";
      spec.externalTrafficPolicy = "Cluster";
    });
    expect(nodePorts(exposed)).toEqual([30_000]);
  });

  test("an update that fails takes nothing and gives nothing up", async () => {
    const ground = await started();
    await ground.create("a", { type: "NodePort" });
    const failed = ground.update("a", ({ spec }) => {
      spec.ports = [{ name: "x", port: 81, targetPort: 81, protocol: "TCP" }];
      spec.sessionAffinity = "x";
    });
    expect(await refusal(failed)).toMatch(/^422 /);
    expect(await ground.taken("servicenodeports")).toBe("1");
    const dry = await ground.update(
      "a",
      ({ spec }) => {
        spec.type = "ClusterIP";
      },
      true,
    );
    expect(nodePorts(dry)).toEqual([undefined]);
    expect(await ground.taken("servicenodeports")).toBe("1");
  });

  test("the first address does not change", async () => {
    const ground = await started();
    await ground.create("a");
    const moved = ground.update("a", ({ spec }) => {
      spec.clusterIP = "10.0.0.5";
      spec.clusterIPs = ["10.0.0.5"];
    });
    expect(await refusal(moved)).toBe(
      '422 Service "a" is invalid: spec.clusterIPs[0]: Invalid value: []string{"10.0.0.5"}: may not change once set',
    );
    expect(await ground.taken("serviceips")).toBe("10");
  });
});

test("allocations of addresses are counted, those of dry runs are not", async () => {
  const ground = await createServiceGround();
  await ground.allocation.repair.repairOnce();
  expect(ground.clusterIpFigures()).toEqual({ allocated: 0, failed: 0, usage: undefined });
  await ground.create("a");
  await ground.create("dry", {}, true);
  await expect(ground.create("far", { clusterIP: "192.0.2.1" })).rejects.toThrow("not in the valid range");
  expect(ground.clusterIpFigures()).toEqual({ allocated: 1, failed: 1, usage: { taken: 1, free: 5 } });
  await ground.remove("a");
  expect(ground.clusterIpFigures().usage).toEqual({ taken: 0, free: 6 });
});

describe("the lower part of a range is for who asks for items", () => {
  test.each([
    ["10.0.0.0/28", 0],
    ["10.0.0.0/27", 16],
    ["10.0.0.0/22", 64],
    ["10.0.0.0/16", 256],
    ["fd00::/112", 256],
  ])("addresses of %s: %d", (network, count) => {
    expect(createIpRange(network).staticSize).toBe(count);
  });

  test("ports", () => {
    expect(staticNodePorts({ min: 30_000, max: 32_767 })).toBe(86);
    expect(staticNodePorts({ min: 30_000, max: 30_015 })).toBe(0);
  });

  test("until the upper part is full", async () => {
    const ground = await started({
      ranges: ["10.0.0.0/27"],
      nodePorts: { min: 30_000, max: 30_016 },
      staticBands: { clusterIps: true, nodePorts: true },
    });
    const first = await ground.create("first", { type: "NodePort" });
    expect(first.spec.clusterIP).toBe("10.0.0.17");
    expect(nodePorts(first)).toEqual([30_016]);
    const second = await ground.create("second", { type: "NodePort" });
    expect(nodePorts(second)).toEqual([30_000]);
    for (let count = 0; count < 12; count++) await ground.create(`more-${count}`);
    expect((await ground.create("last-of-upper")).spec.clusterIP).toBe("10.0.0.2");
  });
});

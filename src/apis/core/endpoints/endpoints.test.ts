import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { Endpoints } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { endpointsColumns } from "./columns.js";
import { endpoints } from "./resource.js";

const ground = kindGround(endpoints(testApiContext()));
const of = (...subsets: JsonObject[]): JsonObject => ({ metadata: { name: "a", namespace: "ns" }, subsets });
const address = { ip: "10.0.0.1" };

test("ports are TCP unless they say otherwise", () => {
  const object = ground.read(
    of({ addresses: [address], ports: [{ port: 80 }, { port: 53, protocol: "UDP" }] }),
  );
  expect(object.subsets?.[0]?.ports).toEqual([
    { port: 80, protocol: "TCP" },
    { port: 53, protocol: "UDP" },
  ]);
});

const invalidIp = "must be a valid IP address";
test.each<[JsonObject, string[]]>([
  [of(), []],
  [
    of({
      addresses: [{ ...address, hostname: "a", nodeName: "n.x" }],
      ports: [{ port: 80, appProtocol: "a/b" }],
    }),
    [],
  ],
  [of({ notReadyAddresses: [address] }), []],
  [of({}), ["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"]],
  [
    of({ addresses: [{ ip: "x", hostname: "A" }] }),
    [
      `subsets[0].addresses[0].ip: Invalid value: "x": ${invalidIp}, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
      expect.stringMatching(
        /^subsets\[0\].addresses\[0\].hostname: Invalid value: "A": a lowercase RFC 1123 label/,
      ),
      `subsets[0].addresses[0].ip: Invalid value: "x": ${invalidIp}`,
    ],
  ],
  [
    of({ notReadyAddresses: [{ ip: "0.0.0.0" }, { ip: "169.254.1.1" }, { ip: "::1" }, { ip: "ff02::1" }] }),
    [
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
      'subsets[0].notReadyAddresses[1].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'subsets[0].notReadyAddresses[2].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[0].notReadyAddresses[3].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    ],
  ],
  [
    of({ addresses: [address], ports: [{ port: 0 }, { name: "b", port: 1, protocol: "x" }] }),
    [
      "subsets[0].ports[0].name: Required value",
      "subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      'subsets[0].ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
    ],
  ],
])("endpoints %#", (json, errors) => {
  expect(ground.createErrors(json)).toEqual(errors);
  expect(ground.updateErrors(of(), json)).toEqual(errors);
});

test.each<[JsonObject, string]>([
  [of(), "<none>"],
  [of({ addresses: [address, { ip: "fd00::1" }], ports: [{ port: 80 }] }), "10.0.0.1:80,[fd00::1]:80"],
  [of({ addresses: [address] }), "10.0.0.1"],
  [of({ notReadyAddresses: [address], ports: [{ port: 80 }] }), ""],
  [
    of({
      addresses: [address, { ip: "10.0.0.2" }],
      ports: [
        { name: "a", port: 1 },
        { name: "b", port: 2 },
      ],
    }),
    "10.0.0.1:1,10.0.0.2:1,10.0.0.1:2 + 1 more...",
  ],
])("row %#", (json, text) => {
  expect(ground.cells(json).Endpoints).toBe(text);
});

test("of thousands of addresses and ports a table shows three", () => {
  const addresses = Array.from({ length: 12_000 }, (_, i) => ({ ip: `1.2.${i >> 8}.${i & 255}` }));
  const ports = Array.from({ length: 12_000 }, (_, i) => ({ name: `p${i}`, port: i + 1 }));
  const cell = (subsets: object[]): unknown =>
    endpointsColumns.cells({ metadata: {}, subsets } as Endpoints, new Date(0))[1]; // as much of it as is shown
  expect(cell([{ addresses, ports }])).toBe("1.2.0.0:1,1.2.0.1:1,1.2.0.2:1 + 143999997 more...");
  expect(cell([{ addresses: addresses.slice(0, 1), ports: ports.slice(0, 2) }, { addresses }])).toBe(
    "1.2.0.0:1,1.2.0.0:2,1.2.0.0 + 11999 more...",
  );
  expect(cell([{ addresses: addresses.slice(0, 2) }])).toBe("1.2.0.0,1.2.0.1");
});

test("odd addresses are warned about, but not the controller", () => {
  const definition = endpoints(testApiContext({ level: "1.33" }));
  const warningsOf = (labels: JsonObject) => {
    const subsets = [{ addresses: [{ ip: "fd00:0::1" }] }];
    const object = kindUnderTest(definition).decode({ metadata: { name: "a", labels }, subsets });
    return definition.strategy.warningsOnCreate?.(testWriteContext(), object);
  };
  expect(warningsOf({})).toEqual([expect.stringMatching(/^subsets\[0\]\.addresses\[0\]\.ip: IPv6 address /)]);
  expect(warningsOf({ "endpoints.kubernetes.io/managed-by": "endpoint-controller" })).toEqual([]);
});

import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { clusterCidrs } from "./resource.js";

const kind = kindUnderTest(clusterCidrs(testApiContext({ level: "1.28" })), "1.28");
const json: JsonObject = {
  metadata: { name: "c" },
  spec: { perNodeHostBits: 8, ipv4: "10.1.0.0/16", ipv6: "fd00:1::/112" },
};

test.each<[string, JsonValue | undefined, string[]]>([
  ["spec.ipv6", "", []],
  ["spec.ipv4", "10.1.0.0", ['spec.IPv4: Invalid value: "10.1.0.0": must be a valid CIDR: 10.1.0.0']],
  [
    "spec.ipv4",
    "fd00::/64",
    ['spec.IPv4: Invalid value: "fd00::/64": must be a valid IPv4 CIDR', expect.anything()],
  ],
  [
    "spec.perNodeHostBits",
    3,
    Array(2).fill("spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4"),
  ],
  [
    "spec.perNodeHostBits",
    17,
    Array(2).fill("spec.perNodeHostBits: Invalid value: 17: must be less than or equal to 16"),
  ],
  [
    "spec",
    { perNodeHostBits: 8 },
    ["spec: Required value: one or both of `ipv4` and `ipv6` must be specified"],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
});

test("never changes", () => {
  expect(kind.update(changed(json, "spec.ipv6", ""), json).errors).toEqual([
    'spec.ipv6: Invalid value: "": field is immutable',
  ]);
});

test("is printed with the nodes that it is for", () => {
  const expression = { key: "zone", operator: "In", values: ["a", "b"] };
  const nodeSelector = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
  const cells = kind.cells(changed(json, "spec.nodeSelector", nodeSelector));
  expect([...cells.slice(0, 4), cells[5]]).toEqual([
    "c",
    "8",
    "10.1.0.0/16",
    "fd00:1::/112",
    "MatchExpressions: [{zone In [a b]}]",
  ]);
});

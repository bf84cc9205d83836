import { expect, test } from "vitest";
import { createIpRange } from "./ip-range.js";

test.each([
  ["10.0.0.0/24", { text: "10.0.0.0/24", size: 254, family: "IPv4", networkAddress: "10.0.0.0" }],
  ["10.0.0.77/24", { text: "10.0.0.0/24", size: 254 }],
  ["192.168.1.0/30", { size: 2 }],
  ["192.168.1.0/31", { size: 0 }],
  ["192.168.1.0/32", { size: 0 }],
  ["10.96.0.0/12", { size: 1_048_574 }],
  ["2001:db8::/64", { text: "2001:db8::/64", size: 65_535, family: "IPv6", networkAddress: "2001:db8::" }],
  ["fd00::ff00/120", { text: "fd00::ff00/120", size: 255 }],
])("of %s no network and no IPv4 broadcast address is used", (cidr, expected) => {
  expect(createIpRange(cidr)).toMatchObject(expected);
});

test("offsets count from the first address after the network's own", () => {
  const range = createIpRange("10.0.0.0/29");
  expect(
    ["10.0.0.0", "10.0.0.1", "10.0.0.6", "10.0.0.7", "10.0.1.1", "::1", "x"].map(range.offsetOf),
  ).toEqual([undefined, 0, 5, undefined, undefined, undefined, undefined]);
  expect([0, 5].map(range.addressAt)).toEqual(["10.0.0.1", "10.0.0.6"]);
  const ipv6 = createIpRange("fd00:1::/108");
  expect(ipv6.addressAt(65_534)).toBe("fd00:1::ffff");
  expect(ipv6.offsetOf("fd00:1:0::1:0")).toBeUndefined();
  expect(ipv6.offsetOf("FD00:1::A")).toBe(9);
});

test("what is no network is refused", () => {
  expect(() => createIpRange("10.0.0.0")).toThrow(RangeError);
});

import { expect, test } from "vitest";
import { ipFromBigInt, ipText } from "../../../apimachinery/values/ip-text.js";
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

test.each([
  [0n, "::"],
  [1n, "::1"],
  [0x20010db8_00000000_00000000_00000001n, "2001:db8::1"],
  [0x20010db8_00000001_00010001_00010001n, "2001:db8:0:1:1:1:1:1"],
  [0x00010000_00000000_00020000_00000000n, "1::2:0:0:0"],
  [0x00010002_00030004_00050006_00070000n, "1:2:3:4:5:6:7:0"],
])("%i is printed as %s", (value, text) => {
  expect(ipText(ipFromBigInt(value, 16))).toBe(text);
});

import { expect, test } from "vitest";
import { FieldPath } from "../errors/field-error.js";
import { ipFamilyOf, parseCidr, parseIp, validateIpv4Address, validateIpv6Address } from "./ip-addresses.js";

test.each([
  ["10.9.8.7", "IPv4"],
  ["010.009.08.07", "IPv4"],
  ["::1", "IPv6"],
  ["::", "IPv6"],
  ["fd00:1234:5678:9abc:def0:1234:5678:9abc", "IPv6"],
  ["::ffff:1.2.3.4", "IPv4"],
  ["0:0:0:0:0:ffff:0102:0304", "IPv4"],
  ["::1.2.3.4", "IPv6"],
  ["1.2.3", undefined],
  ["256.1.1.1", undefined],
  ["fe80::1%eth0", undefined],
  ["1:2", undefined],
  ["", undefined],
])("%s is %s", (address, family) => {
  expect(ipFamilyOf(address)).toBe(family);
});

test("addresses become bytes", () => {
  expect([...(parseIp("1:2::ff00:8") ?? [])]).toEqual([0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 8]);
  expect([...(parseIp("::ffff:1.2.3.4") ?? [])]).toEqual([1, 2, 3, 4]);
});

test.each(["10.0.0.0/8", "::/0", "2001:db8::/48", "10.1.2.3/32"])("%s is a CIDR", (text) => {
  expect(parseCidr(text)).toBeDefined();
});
test.each(["10.0.0.0", "10.0.0.0/33", "::/129", "a/8", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8"])(
  "%s is no CIDR",
  (text) => expect(parseCidr(text)).toBeUndefined(),
);
test("a CIDR knows its family", () => {
  expect(parseCidr("2001:db8::/48")).toEqual({ family: "IPv6", address: "2001:db8::", prefixLength: 48 });
});

test("family checks name the field", () => {
  const path = FieldPath.of("spec", "clusterIP");
  const errors = validateIpv4Address(path, "::1");
  expect(errors.map(({ type, field, body }) => ({ type, field, body }))).toEqual([
    {
      type: "FieldValueInvalid",
      field: "spec.clusterIP",
      body: 'Invalid value: "::1": must be a valid IPv4 address',
    },
  ]);
  expect(validateIpv6Address(path, "::1")).toEqual([]);
});

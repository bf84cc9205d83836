import { describe, expect, test } from "vitest";
import { FieldPath } from "../errors/field-error.js";
import type { ApiLevel } from "../levels/api-level.js";
import {
  cidrWarnings,
  ipWarnings,
  validateCanonicalCidr,
  validateCidrField,
  validateIpField,
} from "./ip-fields.js";

const path = FieldPath.of("at");
const texts = (errors: readonly { readonly body: string }[]): string[] => errors.map(({ body }) => body);

describe("an address", () => {
  const errors = (value: string, strict: boolean, level: ApiLevel = "1.36", known: string[] = []): string[] =>
    texts(validateIpField(path, value, { level, strict }, new Set(known)));

  test.each<[string, string]>([
    ["10.0.0.01", 'Invalid value: "10.0.0.01": must not have leading 0s'],
    ["::ffff:1.2.3.4", 'Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address'],
  ])("%s is refused only by strict rules, and where it is new", (value, error) => {
    expect(errors(value, false)).toEqual([]);
    expect(errors(value, true)).toEqual([error]);
    expect(errors(value, true, "1.36", [value])).toEqual([]);
  });

  test.each(["10.0.0.1", "0.0.0.0", "fd00:0:0::1", "FD00::1", "::0db8:1"])("%s is fine", (value) => {
    expect(errors(value, true)).toEqual([]);
  });

  test("an invalid address is refused", () => {
    expect(errors("x", false, "1.23")).toEqual([
      'Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });

  test.each<[ApiLevel, number]>([
    ["1.23", 1],
    ["1.32", 1],
    ["1.33", 0],
    ["1.36", 0],
  ])("at %s, what the field has already makes %d errors", (level, count) => {
    expect(errors("x", false, level, ["x"])).toHaveLength(count);
  });

  test.each<[string, ApiLevel, string[]]>([
    ["10.0.0.1", "1.36", []],
    ["fd00::1", "1.36", []],
    [
      "010.0.0.1",
      "1.32",
      [
        'at: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
      ],
    ],
    [
      "010.0.0.1",
      "1.33",
      [
        'at: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      ],
    ],
    ...[
      ["name", "unable to parse IP"],
      ["lb.example.com", 'unexpected character (at "lb.example.com")'],
      ["10.0.0.256", "IPv4 field has value >255"],
      ["10.0.0", "IPv4 address too short"],
      ["10.0.0.1.2", "IPv4 address too long"],
      ["10..0.1", 'IPv4 field must have at least one digit (at ".0.1")'],
      ["10.0.0.", 'IPv4 field must have at least one digit (at ".")'],
      ["%eth0", "missing IPv6 address"],
    ].flatMap(([value = "", problem]): [string, ApiLevel, string[]][] => {
      const warning = `at: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("${value}"): ${problem}`;
      return [
        [value, "1.27", [warning]],
        [value, "1.32", [warning]],
        [value, "1.33", []],
      ];
    }),
    ["::ffff:1.2.3.4", "1.32", []],
    [
      "::ffff:1.2.3.4",
      "1.33",
      [
        'at: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
      ],
    ],
    [
      "FD00:0:0::1",
      "1.32",
      [
        'at: IPv6 address "FD00:0:0::1" is not in RFC 5952 canonical format ("fd00::1"), which may cause controller apply-loops',
      ],
    ],
    [
      "FD00:0:0::1",
      "1.33",
      ['at: IPv6 address "FD00:0:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
    ],
  ])("%s warns at %s", (value, level, warnings) => {
    expect(ipWarnings(path, value, { level, naming: { vendorTitle: "Kubernetes" } })).toEqual(warnings);
  });
});

describe("a network", () => {
  const errors = (value: string, strict: boolean): string[] =>
    texts(validateCidrField(path, value, { level: "1.36", strict }));

  test.each<[string, string]>([
    ["010.0.0.0/8", 'Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length'],
    ["10.0.0.0/08", 'Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length'],
    ["::ffff:1.2.3.0/120", 'Invalid value: "::ffff:1.2.3.0/120": must not have an IPv4-mapped IPv6 address'],
    ["10.0.0.1/8", 'Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length'],
  ])("%s is refused only by strict rules", (value, error) => {
    expect(errors(value, false)).toEqual([]);
    expect(errors(value, true)).toEqual([error]);
  });

  test("what is none is always refused", () => {
    expect(errors("10.0.0.0/8", true)).toEqual([]);
    expect(errors("10.0.0.0/33", false)).toEqual([
      'Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ]);
  });

  test.each<[string, ApiLevel, string[]]>([
    ["10.0.0.0/8", "1.36", []],
    ["fd00::/8", "1.36", []],
    ["10.0.0.1/8", "1.32", []],
    [
      "10.0.0.1/8",
      "1.33",
      ['at: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)'],
    ],
    [
      "010.0.0.0/8",
      "1.32",
      [
        'at: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix("010.0.0.0/8"): ParseAddr("010.0.0.0"): IPv4 field has octet with leading zero',
      ],
    ],
    [
      "010.0.0.0/8",
      "1.33",
      [
        'at: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
      ],
    ],
    [
      "FD00::/8",
      "1.32",
      [
        'at: IPv6 prefix "FD00::/8" is not in RFC 5952 canonical format ("fd00::/8"), which may cause controller apply-loops',
      ],
    ],
    [
      "FD00::/8",
      "1.33",
      ['at: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")'],
    ],
  ])("%s warns at %s", (value, level, warnings) => {
    expect(cidrWarnings(path, value, { level, naming: { vendorTitle: "Kubernetes" } })).toEqual(warnings);
  });
});

test("a long text that is no network is shown as it is", () => {
  const value = `10.0.0.0/8${"x".repeat(100)}`;
  expect(texts(validateCanonicalCidr(path, value))).toEqual([
    `Invalid value: "${value}": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
  ]);
});

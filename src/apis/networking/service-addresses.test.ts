import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { ipAddresses } from "./ip-address/resource.js";
import { serviceCidrs } from "./service-cidr/resource.js";

const context = testApiContext({ level: "1.35" });
const address = kindUnderTest(ipAddresses(context));
const range = kindUnderTest(serviceCidrs(context));
const addressJson = {
  metadata: { name: "192.0.2.1" },
  spec: { parentRef: { resource: "services", namespace: "default", name: "web" } },
};
const rangeJson = { metadata: { name: "more" }, spec: { cidrs: ["192.0.2.0/24"] } };

test.each([
  ["192.0.2.1", []],
  ["2001:db8::1", []],
  ["192.0.2", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
  ["192.0.02.1", ["must not have leading 0s"]],
  ["::ffff:192.0.2.1", ["must not be an IPv4-mapped IPv6 address"]],
  ["2001:DB8:0::1", ['must be in canonical form ("2001:db8::1")']],
  ["1".repeat(1_000_000), ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
])("an address has its canonical name: %.40s", (name, problems) => {
  expect(ipAddresses(context).strategy.validateName(name, false)).toEqual(problems);
});

test("an address says whose it is, and keeps that", () => {
  expect(address.create(addressJson).errors).toEqual([]);
  expect(address.create(changed(addressJson, "spec.parentRef", undefined)).errors).toEqual([
    "spec.parentRef: Required value",
  ]);
  const wrong = { group: "A", resource: "", name: "a/b", namespace: "c%" };
  expect(address.create(changed(addressJson, "spec.parentRef", wrong)).errors).toEqual([
    expect.stringContaining('spec.parentRef.group: Invalid value: "A": a lowercase RFC 1123 subdomain'),
    "spec.parentRef.resource: Required value",
    "spec.parentRef.name: Invalid value: \"a/b\": may not contain '/'",
    "spec.parentRef.namespace: Invalid value: \"c%\": may not contain '%'",
  ]);
  const other = changed(addressJson, "spec.parentRef.name", "other");
  expect(address.update(other, addressJson).errors).toEqual([
    expect.stringMatching(/^spec\.parentRef: Invalid value: .*: field is immutable$/),
  ]);
});

test.each([
  [[], ["spec.cidrs: Required value: at least one CIDR required"]],
  [
    ["a", "b", "c"],
    [expect.stringMatching(/^spec\.cidrs: Invalid value: .*: may only hold up to 2 values$/)],
  ],
  [
    ["192.0.2.0/24", "198.51.100.0/24"],
    [expect.stringMatching(/: may specify no more than one IP for each IP family, i\.e /)],
  ],
  [["192.0.2.0/24", "2001:db8::/112"], []],
  [
    ["192.0.2.0"],
    [
      'spec.cidrs[0]: Invalid value: "192.0.2.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
  [
    ["192.0.2.1/24"],
    ['spec.cidrs[0]: Invalid value: "192.0.2.1/24": must not have bits set beyond the prefix length'],
  ],
  [
    ["192.0.02.0/24"],
    ['spec.cidrs[0]: Invalid value: "192.0.02.0/24": must not have leading 0s in IP or prefix length'],
  ],
  [
    ["::ffff:192.0.2.0/120"],
    ['spec.cidrs[0]: Invalid value: "::ffff:192.0.2.0/120": must not have an IPv4-mapped IPv6 address'],
  ],
  [
    ["2001:DB8::/64"],
    ['spec.cidrs[0]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")'],
  ],
])("ranges of services: %j", (cidrs, errors) => {
  expect(range.create(changed(rangeJson, "spec.cidrs", cidrs)).errors).toEqual(errors);
});

test("a range is checked by itself before its family, and at 1.32 the families first", () => {
  const families = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  const errors = (level: ApiLevel, cidrs: string[]) =>
    kindUnderTest(serviceCidrs(testApiContext({ level }))).create(changed(rangeJson, "spec.cidrs", cidrs))
      .errors;
  const beyond =
    'spec.cidrs[0]: Invalid value: "192.0.2.1/24": must not have bits set beyond the prefix length';
  expect(errors("1.33", ["192.0.2.1/24", "2001:db8::/112"])).toEqual([beyond]);
  expect(errors("1.33", ["192.0.2.1/24", "x"])).toEqual([
    beyond,
    expect.stringMatching(/^spec\.cidrs\[1\]: Invalid value: "x": must be a valid CIDR value/),
  ]);
  expect(errors("1.33", ["192.0.2.1/24", "198.51.100.0/24"])).toEqual([
    beyond,
    `spec.cidrs: Invalid value: []string{"192.0.2.1/24", "198.51.100.0/24"}: ${families}`,
  ]);
  expect(errors("1.32", ["192.0.2.1/24", "x"])).toEqual([
    `spec.cidrs: Invalid value: networking.ServiceCIDRSpec{CIDRs:[]string{"192.0.2.1/24", "x"}}: ${families}`,
  ]);
});

test("before 1.33 addresses and ranges are what Go parses, in its words", () => {
  const older = testApiContext({ level: "1.32" });
  const nameProblems = (name: string) => ipAddresses(older).strategy.validateName(name, false);
  expect(nameProblems("192.0.2.1")).toEqual([]);
  expect(nameProblems("::ffff:192.0.2.1")).toEqual([]);
  expect(nameProblems("fe80::1%eth0")).toEqual(["may not contain '%'"]);
  expect(nameProblems("2001:DB8:0::1")).toEqual(["must be a canonical format IP address"]);
  expect(nameProblems("a.b/c")).toEqual(['ParseAddr("a.b/c"): unexpected character (at "a.b/c")']);
  const kind = kindUnderTest(serviceCidrs(older));
  const errors = (cidr: string) => kind.create(changed(rangeJson, "spec.cidrs", [cidr])).errors;
  expect(errors("192.0.2.0/24")).toEqual([]);
  expect(errors("::ffff:192.0.2.0/120")).toEqual([]);
  expect(errors("x")).toEqual([`spec.cidrs[0]: Invalid value: "x": netip.ParsePrefix("x"): no '/'`]);
  expect(errors("2001:DB8::1/64")).toEqual([
    `spec.cidrs[0]: Invalid value: "2001:DB8::1/64": wrong CIDR format, IP doesn't match network IP address`,
    'spec.cidrs[0]: Invalid value: "2001:DB8::1/64": CIDR not in RFC 5952 canonical format',
  ]);
});

test.each<[ApiLevel, string[], number]>([
  ["1.35", ["192.0.2.0/24", "2001:db8::/112"], 0],
  ["1.32", ["192.0.2.0/24", "2001:db8::/112"], 1],
  ["1.35", ["192.0.2.0/24", "198.51.100.0/24"], 1],
  ["1.35", ["198.51.100.0/24"], 1],
  ["1.35", ["198.51.100.0/24", "2001:db8::/112"], 1],
  ["1.35", [], 1],
])("at %s the ranges may become %j: %i errors", (level, cidrs, count) => {
  const kind = kindUnderTest(serviceCidrs(testApiContext({ level })));
  expect(kind.update(changed(rangeJson, "spec.cidrs", cidrs), rangeJson).errors).toHaveLength(count);
});

test("the status of a range is written through its own part", () => {
  const range = kindUnderTest(serviceCidrs(testApiContext({ level: "1.36" })), "1.36");
  const withStatus = changed(rangeJson, "status", { conditions: [{ type: "Ready", status: "True" }] });
  expect(range.create(withStatus).object.status).toEqual({});
  expect(range.update(rangeJson, withStatus).object.status.conditions).toHaveLength(1);
  const changedBoth = changed(withStatus, "spec.cidrs", ["198.51.100.0/24"]);
  const { object } = range.update(changedBoth, rangeJson, "status");
  expect(object.spec.cidrs).toEqual(["192.0.2.0/24"]);
  expect(object.status.conditions).toHaveLength(1);
});

test.each<[ApiLevel, boolean]>([
  ["1.33", true],
  ["1.35", true],
  ["1.36", false],
])("at %s, a write of a range sets its status: %s", (level, sets) => {
  const kind = kindUnderTest(serviceCidrs(testApiContext({ level })), level);
  const status = { conditions: [{ type: "Ready", status: "True", reason: "", message: "" }] };
  const written = { ...rangeJson, status };
  for (const { object } of [kind.create(written), kind.update(written, rangeJson)]) {
    expect(object.status?.conditions?.length ?? 0).toBe(sets ? 1 : 0);
  }
});

test("before 1.33, what is said of a long text repeats a part of it", () => {
  const older = testApiContext({ level: "1.32" });
  const long = "1".repeat(3_000_000);
  const [ofName = ""] = ipAddresses(older).strategy.validateName(long, false);
  const [ofRange = ""] = kindUnderTest(serviceCidrs(older)).create(
    changed(rangeJson, "spec.cidrs", [`${long}/8`]),
  ).errors;
  expect(Math.max(ofName.length, ofRange.length)).toBeLessThan(300_000);
});

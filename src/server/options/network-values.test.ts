import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { cidrs, listenAddress, namedCertKeys, portRange } from "./network-values.js";

const naming = createNaming("orch");

test.each([
  ["30000-32767", { min: 30000, max: 32767 }],
  ["80", { min: 80, max: 80 }],
  ["80+8", { min: 80, max: 88 }],
  [" 1 - 2 ", { min: 1, max: 2 }],
])("port range %j", (given, value) => {
  expect(portRange.parse(given, undefined, naming, "1.23")).toEqual({ value });
});

test.each([
  ["", 'invalid port range "", expected N1-N2'],
  ["a-b", 'invalid port range "a-b", expected N1-N2'],
  ["10-5", "end port cannot be less than start port: 10-5"],
  ["1-65536", "the port range cannot be greater than 65535: 1-65536"],
  ["65530+10", "the port range cannot be greater than 65535: 65530+10"],
])("port range %j is refused", (given, problem) => {
  expect(portRange.parse(given, undefined, naming, "1.23")).toEqual({ problem });
});

test("CIDRs of both families are read", () => {
  expect(cidrs.parse("10.0.0.0/24,fd00::/108", undefined, naming, "1.23")).toEqual({
    value: [
      { address: "10.0.0.0", family: 4, prefixLength: 24 },
      { address: "fd00::", family: 6, prefixLength: 108 },
    ],
  });
});

test.each([
  "10.0.0.0",
  "10.0.0.0/33",
  "fd00::/129",
  "10.0.0/8",
  "10.0.0.0/8/8",
  "x/8",
  "10.0.0.0/",
  "",
  "10.0.0.0/8,",
])("CIDR %j is refused", (given) => {
  expect(cidrs.parse(given, undefined, naming, "1.23")).toHaveProperty("problem");
});

test("a blank listen address is all interfaces, a host name is refused", () => {
  expect(listenAddress.parse("", undefined, naming, "1.23")).toEqual({ value: "0.0.0.0" });
  expect(listenAddress.parse("::1", undefined, naming, "1.23")).toEqual({ value: "::1" });
  expect(listenAddress.parse("localhost", undefined, naming, "1.23")).toEqual({
    problem: 'failed to parse IP: "localhost"',
  });
});

test("SNI pairs add up, with and without names", () => {
  const first = namedCertKeys.parse("a.crt,a.key", undefined, naming, "1.23");
  if ("problem" in first) throw new Error(first.problem);
  expect(namedCertKeys.parse("b.crt, b.key: *.b.com,b.com", first.value, naming, "1.23")).toEqual({
    value: [
      { certFile: "a.crt", keyFile: "a.key", names: [] },
      { certFile: "b.crt", keyFile: "b.key", names: ["*.b.com", "b.com"] },
    ],
  });
});

test.each([
  ["a.crt", "expected comma separated certificate and key file paths"],
  ["a,b,c", "expected comma separated certificate and key file paths"],
  ["a,", "expected comma separated certificate and key file paths"],
  ["a,b:", "empty names list is not allowed"],
])("SNI pair %j is refused", (given, problem) => {
  expect(namedCertKeys.parse(given, undefined, naming, "1.23")).toEqual({ problem });
});

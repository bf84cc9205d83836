import { expect, test } from "vitest";
import { addressProblem, prefixProblem } from "./address-problem.js";

test.each([
  "1.2.3.4",
  "255.255.255.255",
  "::",
  "::1",
  "1::",
  "1:2:3:4:5:6:7:8",
  "::ffff:1.2.3.4",
  "1:2:3:4:5:6:1.2.3.4",
  "FE80::A%eth0",
])("%s is an address", (text) => {
  expect(addressProblem(text)).toBeUndefined();
});

// What Go's netip says.
test.each([
  ["", "unable to parse IP"],
  ["localhost", "unable to parse IP"],
  ["%eth0", "missing IPv6 address"],
  ["1.2.3", "IPv4 address too short"],
  ["192.168.0.1.0", "IPv4 address too long"],
  ["01.2.3.4", "IPv4 field has octet with leading zero"],
  ["1.2.3.256", "IPv4 field has value >255"],
  ["1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'],
  ["1.2.3.", 'IPv4 field must have at least one digit (at ".")'],
  ["1.2.x.4", 'unexpected character (at "x.4")'],
  ["fe80::1%", "zone must be a non-empty string"],
  ["2001:db8:::68", 'each colon-separated field must have at least one digit (at ":68")'],
  ["12345::", 'each group must have 4 or fewer digits (at "12345::")'],
  ["1::2::3", 'multiple :: in address (at ":3")'],
  ["1:2:3:4:5:6:7", "address string too short"],
  ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
  ["1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros"],
  ["1:2:", 'colon must be followed by more characters (at ":")'],
  ["1:2g::", 'unexpected character, want colon (at "g::")'],
  ["1:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  [
    "::1:2:3:4:5:6:7:1.2.3.4",
    'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")',
  ],
  ["::1.2.3", "IPv4 address too short"],
])("%s is none: %s", (text, problem) => {
  expect(addressProblem(text)).toBe(`ParseAddr(${JSON.stringify(text)}): ${problem}`);
});

test.each([
  ["10.0.0.0", "no '/'"],
  ["10.0.0/8", 'ParseAddr("10.0.0"): IPv4 address too short'],
  ["fe80::1%eth0/64", "IPv6 zones cannot be present in a prefix"],
  ["10.0.0.0/", 'bad bits after slash: ""'],
  ["10.0.0.0/08", 'bad bits after slash: "08"'],
  ["10.0.0.0/-1", 'bad bits after slash: "-1"'],
  ["10.0.0.0/33", "prefix length out of range"],
  ["::/129", "prefix length out of range"],
])("%s is no prefix: %s", (text, problem) => {
  expect(prefixProblem(text)).toBe(`netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`);
});

test.each(["10.0.0.0/8", "10.0.0.1/0", "::/128"])("%s is a prefix", (text) => {
  expect(prefixProblem(text)).toBeUndefined();
});

import { expect, test } from "vitest";
import { closestName } from "./suggestion.js";

const names = ["secure-port", "store-servers", "tls-cert-file", "v"];

test.each([
  ["secure-prot", "secure-port"],
  ["secureport", "secure-port"],
  ["store-server", "store-servers"],
  ["cert-file", "tls-cert-file"],
  ["port", "secure-port"],
  ["xyzzy", undefined],
  ["something-else", undefined],
])("for %s: %s", (given, expected) => {
  expect(closestName(given, names)).toBe(expected);
});

import { expect, test } from "vitest";
import { sourceAddresses } from "./source-addresses.js";

function from(remoteAddress: string, lines: Record<string, readonly string[]>): readonly string[] {
  const headers = Object.fromEntries(
    Object.entries(lines).map(([name, values]) => [name, values.join(", ")]),
  );
  return sourceAddresses({
    connection: { remoteAddress },
    headers,
    headerValues: (name) => lines[name] ?? [],
  });
}

test.each([
  ["10.0.0.1", {}, ["10.0.0.1"]],
  ["10.0.0.1", { "x-forwarded-for": ["1.2.3.4, 5.6.7.8"] }, ["1.2.3.4", "5.6.7.8", "10.0.0.1"]],
  ["5.6.7.8", { "x-forwarded-for": ["1.2.3.4,5.6.7.8"] }, ["1.2.3.4", "5.6.7.8"]],
  ["10.0.0.1", { "x-forwarded-for": ["nobody, 1.2.3.4"], "x-real-ip": ["1.2.3.4"] }, ["1.2.3.4", "10.0.0.1"]],
  ["10.0.0.1", { "x-real-ip": ["2001:DB8:0:0::1"] }, ["2001:db8::1", "10.0.0.1"]],
  ["::1", { "x-forwarded-for": ["1.2.3.4", "5.6.7.8"] }, ["1.2.3.4", "::1"]],
  ["", {}, []],
])("from %s with %o", (remoteAddress, headers, expected) => {
  expect(from(remoteAddress, headers)).toEqual(expected);
});

test("a long list of proxies is read in part", () => {
  const forwarded = Array.from({ length: 100_000 }, (_, index) => `10.0.0.${index % 250}`).join(",");
  expect(from("1.1.1.1", { "x-forwarded-for": [forwarded] })).toHaveLength(101);
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { parseShardSelector } from "./shard-selector.js";

const uid = "object.metadata.uid";
const zero = "0x0000000000000000";
const middle = "0x8000000000000000";
const end = "0x10000000000000000";
const attributes = (value: string) => ({
  labels: {},
  fields: { "metadata.uid": value, "metadata.namespace": "a" },
});

test("the hash is FNV-1a", () => {
  // Hashes of the reference implementation.
  for (const [value, hash] of [
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["foobar", "85944171f73967e8"],
  ] as const) {
    const next = (BigInt(`0x${hash}`) + 1n).toString(16).padStart(16, "0");
    expect(
      parseShardSelector(`shardRange(${uid}, '0x${hash}', '0x${next}')`).matches(attributes(value)),
    ).toBe(true);
    expect(parseShardSelector(`shardRange(${uid}, '${zero}', '0x${hash}')`).matches(attributes(value))).toBe(
      false,
    );
  }
});

test("two halves share all values between them", () => {
  const lower = parseShardSelector(`shardRange(${uid}, '${zero}', '${middle}')`);
  const upper = parseShardSelector(`shardRange(${uid},"${middle}","${end}")`);
  const both = parseShardSelector(`${lower.text}||${upper.text}`);
  expect(both.text).toBe(`${lower.text} || ${upper.text}`);
  let ofLower = 0;
  for (let n = 0; n < 1000; n++) {
    const one = attributes(createHash("sha256").update(String(n)).digest("hex"));
    expect(lower.matches(one)).not.toBe(upper.matches(one));
    expect(both.matches(one)).toBe(true);
    if (lower.matches(one)) ofLower++;
  }
  expect(ofLower).toBeGreaterThan(400);
  expect(ofLower).toBeLessThan(600);
});

test.each([
  [" ", "empty shard selector is not allowed; omit the parameter for unfiltered lists"],
  ["true", "expected shardRange() call or || operator"],
  ["other(1)", 'unsupported function "other"; only shardRange() and || are allowed'],
  [`shardRange(${uid})`, "shardRange() requires exactly 3 arguments, got 1"],
  [
    `shardRange(object.metadata.name, '${zero}', '${end}')`,
    'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
  ],
  [`shardRange(${uid}, '${middle}', '${zero}')`, `shard range start ${middle} must be less than end ${zero}`],
  [
    `shardRange(${uid}, '0x0', '${zero}')`,
    `hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "${zero}"?)`,
  ],
  [`shardRange(${uid}, '${zero}', 'ff')`, "hexEnd must have '0x' prefix, got \"ff\""],
  [
    `shardRange(${uid}, '${zero}', '${middle}') || shardRange(object.metadata.namespace, '${middle}', '${end}')`,
    'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
  ],
])("%s is refused", (text, problem) => {
  expect(() => parseShardSelector(text)).toThrow(`invalid shard selector: ${problem}`);
});

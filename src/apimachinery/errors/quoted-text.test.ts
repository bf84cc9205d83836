import { expect, test } from "vitest";
import { quoted, quotedStart } from "./quoted-text.js";

test.each([
  ["plain text, ümlaut, 日本, 🙂", '"plain text, ümlaut, 日本, 🙂"'],
  ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
  ["\n\r\t\v\f\b\u0007", '"\\n\\r\\t\\v\\f\\b\\a"'],
  ["\u0000\u0001\u007f", '"\\x00\\x01\\x7f"'],
  ["\u0085\u00a0\u200b\u2028\ufeff", '"\\u0085\\u00a0\\u200b\\u2028\\ufeff"'],
  ["\u{e0001}", '"\\U000e0001"'],
  ["<&>", '"<&>"'],
])("%j is %s", (text, expected) => {
  expect(quoted(text)).toBe(expected);
  expect(quoted(text.repeat(200))).toBe(`"${expected.slice(1, -1).repeat(200)}"`);
});

test("the start of a long text ends where enough is printed, whatever each character becomes", () => {
  expect(quotedStart("a".repeat(4096), 4096)).toBe(quoted("a".repeat(4096)));
  expect(quotedStart("a".repeat(4097), 4096)).toBe(`"${"a".repeat(4096)}…"`);
  const escaped = quotedStart("\ue000".repeat(100_000), 4096);
  expect(escaped).toMatch(/^"(?:\\ue000)+…"$/);
  expect(escaped.length).toBeLessThan(8192);
  // No piece ends within a character.
  expect(quotedStart(`a${"🙂".repeat(2000)}`, 1_000_000)).toBe(`"a${"🙂".repeat(2000)}"`);
});

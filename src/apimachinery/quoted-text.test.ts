import { expect, test } from "vitest";
import { quoted } from "./quoted-text.js";

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

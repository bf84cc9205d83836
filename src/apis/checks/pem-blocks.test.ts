import { expect, test } from "vitest";
import { pemBlocks } from "./pem-blocks.js";

const block = (type: string, body: string, newline = "\n"): string =>
  [`-----BEGIN ${type}-----`, body, `-----END ${type}-----`, ""].join(newline);

const shown = (text: string): readonly unknown[] =>
  pemBlocks(text).map(({ type, hasHeaders, bytes }) => [type, hasHeaders, Buffer.from(bytes).toString()]);

test("blocks are found between other text, with and without headers", () => {
  expect(shown(`x\n${block("A", "aGVs\nbG8=")}y\n${block("B C", "aGk=", "\r\n")}`)).toEqual([
    ["A", false, "hello"],
    ["B C", false, "hi"],
  ]);
  expect(shown(block("A", "Proc-Type: 4\nX: y\n\naGk="))).toEqual([["A", true, "hi"]]);
  expect(shown(block("A", "aGk=").trimEnd())).toEqual([["A", false, "hi"]]);
});

test.each([
  ["no end", "-----BEGIN A-----\naGk=\n"],
  ["another's end", "-----BEGIN A-----\naGk=\n-----END B-----\n"],
  ["an end alone", "-----END A-----\n"],
  ["a beginning within a line", "x-----BEGIN A-----\naGk=\n-----END A-----\n"],
])("a text with %s has no block", (_what, text) => expect(pemBlocks(text)).toEqual([]));

test("a block begins anew where another was not ended", () => {
  expect(shown(`-----BEGIN A-----\n${block("B", "aGk=")}`)).toEqual([["B", false, "hi"]]);
});

test("a megabyte of beginnings is read once", () => {
  expect(pemBlocks("-----BEGIN A-----\n".repeat(60_000))).toEqual([]);
});

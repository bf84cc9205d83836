import { expect, test } from "vitest";
import { parseStrictYaml } from "./strict-yaml.js";

const parse = (text: string) => parseStrictYaml(Buffer.from(text));

test("the same key in different objects is read", async () => {
  expect(await parse("a: {b: 1}\nc: {b: 2}\n")).toEqual({ a: { b: 1 }, c: { b: 2 } });
});

test.each(["a: 1\nb:\n  c: 1\n  c: 2\na: 3\n", '{"a": 1, "b": {"c": 1,\n\n"c": 2},\n\n"a": 3}'])(
  "keys set twice are refused: %j",
  async (text) => {
    await expect(parse(text)).rejects.toThrow(
      /^strict decoding error: yaml: unmarshal errors:\n {2}line \d: key "c" already set in map\n {2}line \d: key "a" already set in map$/,
    );
  },
);

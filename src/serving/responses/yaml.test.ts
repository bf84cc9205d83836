import { expect, test } from "vitest";
import { jsonToYaml } from "./yaml.js";

test("keys are sorted, lists not indented, structures kept", async () => {
  const json = '{"kind":"X","apiVersion":"v1","b":[1,{"z":true,"a":null}],"a":{},"c":[],"B":"x"}';
  expect(await jsonToYaml(json)).toBe(
    "B: x\na: {}\napiVersion: v1\nb:\n- 1\n- a: null\n  z: true\nc: []\nkind: X\n",
  );
});

test("strings that would be read as something else are quoted, exact integers stay exact", async () => {
  const json = '{"a":"yes","b":"1","c":"null","d":"on","e":"","f":9007199254740993,"g":"~","h":"2024-01-01"}';
  const { parseYaml } = await import("../request/yaml-body.js");
  expect(await parseYaml(Buffer.from(await jsonToYaml(json)))).toEqual({
    a: "yes",
    b: "1",
    c: "null",
    d: "on",
    e: "",
    f: 9007199254740993n,
    g: "~",
    h: "2024-01-01",
  });
});

test("what is nested too deep for the library stays JSON, which is YAML", async () => {
  const { parseYaml } = await import("../request/yaml-body.js");
  const deep = `${'{"a":['.repeat(490)}"x"${"]}".repeat(490)}`;
  const yaml = await jsonToYaml(deep);
  expect(await parseYaml(Buffer.from(yaml))).toEqual(JSON.parse(deep));
  expect(await jsonToYaml(`[${deep},1]`)).toBe(`- ${yaml}- 1\n`);
});

test("long and multi-line text survives", async () => {
  const text = `${"word ".repeat(100)}\nsecond line\n  indented\n`;
  const yaml = await jsonToYaml(JSON.stringify({ text }));
  const { parseYaml } = await import("../request/yaml-body.js");
  expect(await parseYaml(Buffer.from(yaml))).toEqual({ text });
});

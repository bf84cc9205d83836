import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { configurationMap, fileVerbosities, keyValue, stringToString } from "./key-value-types.js";

const naming = createNaming("orch");

test("stringToString: several pairs are a comma-separated list, one pair keeps its commas, occurrences add up", () => {
  expect(stringToString.parse("a=1,b=2", undefined, naming, "1.23")).toEqual({
    value: new Map([
      ["a", "1"],
      ["b", "2"],
    ]),
  });
  expect(stringToString.parse("metric,label=v1,v2", undefined, naming, "1.23")).toEqual({
    value: new Map([["metric,label", "v1,v2"]]),
  });
  expect(stringToString.parse('"m,l=v1,v2","n,l=x"', new Map([["a", "1"]]), naming, "1.23")).toEqual({
    value: new Map([
      ["a", "1"],
      ["m,l", "v1,v2"],
      ["n,l", "x"],
    ]),
  });
  expect(stringToString.parse("a", undefined, naming, "1.23")).toEqual({
    problem: '"a" must be formatted as key=value',
  });
  expect(stringToString.format(new Map(), naming)).toBe("[]");
});

test("key=value: one pair to an occurrence, split at the first equals sign", () => {
  expect(keyValue.parse("claim=a,b=c", new Map([["x", "y"]]), naming, "1.23")).toEqual({
    value: new Map([
      ["x", "y"],
      ["claim", "a,b=c"],
    ]),
  });
  expect(keyValue.parse("claim", undefined, naming, "1.23")).toHaveProperty("problem");
});

test("configuration map: a key alone has the empty value, spaces and empty items are dropped", () => {
  expect(configurationMap.parse("api/all=false, v1 = true ,,apps/v1", undefined, naming, "1.23")).toEqual({
    value: new Map([
      ["api/all", "false"],
      ["v1", "true"],
      ["apps/v1", ""],
    ]),
  });
  expect(configurationMap.parse("v1=false", new Map([["v1", "true"]]), naming, "1.23")).toEqual({
    value: new Map([["v1", "false"]]),
  });
});

test("vmodule levels are parsed, zero is dropped, nonsense is refused", () => {
  expect(fileVerbosities.parse("watch*=4,kv=0,", undefined, naming, "1.23")).toEqual({
    value: [{ pattern: "watch*", level: 4 }],
  });
  expect(fileVerbosities.parse("kv", undefined, naming, "1.23")).toHaveProperty("problem");
  expect(fileVerbosities.parse("kv=-1", undefined, naming, "1.23")).toEqual({
    problem: 'negative level in "kv=-1"',
  });
});

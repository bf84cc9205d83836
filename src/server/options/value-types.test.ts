import { describe, expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import type { OptionDeclaration, ParseResult } from "./option.js";
import {
  bool,
  choice,
  choices,
  duration,
  float,
  int,
  parseBool,
  parseInteger,
  stringArray,
  strings,
  text,
} from "./value-types.js";

const naming = createNaming("orch");

/** As occurrences of one option on a command line. */
function parseAll<T>(option: OptionDeclaration<T>, ...occurrences: string[]): ParseResult<T> | undefined {
  let value: T | undefined;
  let result: ParseResult<T> | undefined;
  for (const occurrence of occurrences) {
    result = option.parse(occurrence, value, naming, "1.23");
    if ("problem" in result) return result;
    value = result.value;
  }
  return result;
}

test.each(["1", "t", "T", "true", "TRUE", "True"])("%s is true", (word) => {
  expect(parseBool(word)).toEqual({ value: true });
});

test.each(["0", "f", "F", "false", "FALSE", "False"])("%s is false", (word) => {
  expect(parseBool(word)).toEqual({ value: false });
});

test.each(["", "yes", "tRUE", "2", " true"])("%j is not a bool", (word) => {
  expect(parseBool(word)).toHaveProperty("problem");
});

test.each([
  ["0", 0],
  ["42", 42],
  ["-7", -7],
  ["+7", 7],
  ["0x1F", 31],
  ["0b101", 5],
  ["0o17", 15],
  ["017", 15],
  ["-0", 0],
])("integer %s is %d", (word, value) => {
  expect(parseInteger(word)).toEqual({ value });
});

test.each(["", "1.5", "abc", "1e3", "08", " 1", "1 ", "0x", "99999999999999999999"])(
  "%j is not an integer",
  (word) => {
    expect(parseInteger(word)).toHaveProperty("problem");
  },
);

test.each([
  ["0.02", 0.02],
  [".5", 0.5],
  ["1e-3", 0.001],
  ["-2.", -2],
])("float %s is %d", (word, value) => {
  expect(parseAll(float({ help: "" }), word)).toEqual({ value });
});

test.each(["", "NaN", "Infinity", "0x1", "1,5"])("%j is not a float", (word) => {
  expect(parseAll(float({ help: "" }), word)).toHaveProperty("problem");
});

test("the last occurrence of a single value wins", () => {
  expect(parseAll(int({ help: "" }), "1", "2")).toEqual({ value: 2 });
  expect(parseAll(text({ help: "" }), "a", "b")).toEqual({ value: "b" });
});

test("a string without a default is undefined when empty, one with a default can be empty", () => {
  expect(parseAll(text({ help: "" }), "")).toEqual({ value: undefined });
  expect(parseAll(text({ help: "", default: "x" }), "")).toEqual({ value: "" });
});

test("occurrences and comma lists of strings add up and replace the default", () => {
  const option = strings({ help: "", default: ["x"] });
  expect(option.defaultValue(naming, "1.23")).toEqual(["x"]);
  expect(parseAll(option, "a,b", '"c,d"', "")).toEqual({ value: ["a", "b", "c,d"] });
});

test("an occurrence of a string array is one value, commas and all", () => {
  expect(parseAll(stringArray({ help: "" }), "a,b", "c")).toEqual({ value: ["a,b", "c"] });
});

test("a choice accepts only its values, and lists them when it refuses another", () => {
  const option = choice(["one", "two"], { help: "", default: "one" });
  expect(parseAll(option, "two")).toEqual({ value: "two" });
  expect(parseAll(option, "Two")).toEqual({ problem: 'invalid value "Two", allowed values: one, two' });
});

test("each item of a list of choices is checked", () => {
  const option = choices(["one", "two"], { help: "", itemName: "number" });
  expect(parseAll(option, "one,two", "one")).toEqual({ value: ["one", "two", "one"] });
  expect(parseAll(option, "one,three")).toEqual({
    problem: 'number "three" is unknown, allowed values: one, two',
  });
});

describe("defaults", () => {
  test("a number or duration without a default shows none, one that defaults to 0 does", () => {
    expect(int({ help: "" }).format(0, naming)).toBe("");
    expect(int({ help: "", default: 0 }).format(0, naming)).toBe("0");
    expect(duration({ help: "" }).format(0, naming)).toBe("");
    expect(duration({ help: "", default: "1h0m0s" }).format(3_600_000, naming)).toBe("1h0m0s");
    expect(bool({ help: "", default: true }).defaultValue(naming, "1.23")).toBe(true);
  });

  test("a default may depend on the profile", () => {
    const option = text({ help: "", default: (words) => words.certDirectory });
    expect(option.defaultValue(naming, "1.23")).toBe("/var/run/orch");
    expect(option.defaultValue(createNaming("kubernetes"), "1.23")).toBe("/var/run/kubernetes");
  });

  test("a number may have another default from a level on", () => {
    const option = int({ help: "", later: { since: "1.36", default: 366 } });
    expect(option.defaultValue(naming, "1.35")).toBe(0);
    expect(option.defaultValue(naming, "1.36")).toBe(366);
  });

  test("a string without a default is not checked when it is absent", () => {
    const option = text({ help: "", check: (value, flag) => `${flag} ${value.length}` });
    expect(option.check?.(undefined, "--x", "1.23")).toBeUndefined();
    expect(option.check?.("abc", "--x", "1.23")).toBe("--x 3");
  });
});

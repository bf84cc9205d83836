import { describe, expect, test } from "vitest";
import { JsonPath } from "./json-path.js";

const ship = {
  name: "jolly",
  "a.b": 1,
  crew: [
    { name: "ann", age: 30 },
    { name: "bob", age: 20, rank: "cook" },
  ],
  status: { conditions: [{ type: "Ready", status: "True" }] },
};

describe("a path leads to", () => {
  test.each([
    [".name", ["jolly"]],
    ["$.name", ["jolly"]],
    ["['name']", ["jolly"]],
    [".name }.crew", ["jolly"]],
    [".a\\.b", [1]],
    ["['a\\.b']", [1]],
    ["['status.conditions']", [[{ type: "Ready", status: "True" }]]],
    ["['a.b']", []],
    [".crew[0].name", ["ann"]],
    [".crew[-1].name", ["bob"]],
    [".crew[*].name", ["ann", "bob"]],
    [".crew[0:1].name", ["ann"]],
    [".crew[::2].name", ["ann"]],
    [".crew[-1:].name", ["bob"]],
    [".crew[].name", ["ann"]],
    [".crew[1:1].name", []],
    [".crew[1:].name", ["bob"]],
    [".crew[0,1].age", [30, 20]],
    [".crew[0]['name','age']", ["ann", 30]],
    ["..age", [30, 20]],
    [".crew[0]..", [{ name: "ann", age: 30 }, "ann"]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".crew[?(@.age>25)].name", ["ann"]],
    [".crew[?(@.rank)].name", ["bob"]],
    [".crew[?(@.age != 30)].name", ["bob"]],
    [".crew[?(@.rank == 'cook')].name", ["bob"]],
    [".crew[?('ann' == @.name)].age", [30]],
    [".crew[?(@.age==@.age)].name", ["ann", "bob"]],
    ['.crew[?(@.name=="ann)]")]', []],
    ["..[?(@.rank)].name", []],
    [".nothing.there", []],
    [".name.there", []],
    [".crew.name", []],
    [".toString", []],
    [".name.", []],
    [".crew.[0]", []],
  ])("%s", (path, found) => {
    expect(new JsonPath(path).find(ship)).toEqual(found);
  });
});

test.each([
  ".crew[0,9].name",
  ".crew[9].name",
  ".crew[-3].name",
  ".crew[0:9].name",
  ".crew[1:0].name",
  ".crew[::0].name",
  ".crew[*].name[0]",
  ".name[*]",
  ".[*]",
  '.crew[?(@.age=="30")].name',
  ".crew[?(@.age==30.0)].name",
  ".crew[?(@.age=30)].name",
  ".crew[?(@.age==null)].name",
  ".crew[?(@==1)].name",
  ".status[?(@.type)]",
  ".name['a b']",
])("%s finds nothing, because it does not fit", (path) => {
  expect(new JsonPath(path).find(ship)).toEqual([]);
});

test.each([
  ".a[",
  ".a]",
  ".a[?(@.b",
  ".a[?(@.b)",
  ".a['b]",
  '.a["b"]',
  ".a[b]",
  ".a[ 0 ]",
  ".a[1.5]",
  ".a,b",
  ".a..*",
  ".a....b",
  ".a[?(!@.b)]",
  ".a[?(@.b=~'c')]",
  ".a[?(@.b=='c' && @.d==1)]",
  ".a\tb",
  ".a{.b}",
  ".a\\",
  '.a[?(@.b=="\\q")]',
])("%s is no path", (text) => {
  expect(() => new JsonPath(text)).toThrow(Error);
});

test("a lookup that would take too long finds nothing", () => {
  const items = Array.from({ length: 2000 }, (_, at) => ({
    at,
    items: Array.from({ length: 100 }, () => ({ x: 1 })),
  }));
  expect(new JsonPath("..[?(@..x)]").find({ items })).toEqual([]);
});

test("numbers written after many values count for each of them", () => {
  const items = Array.from({ length: 1000 }, (_, index) => index);
  const numbers = (count: number): JsonPath => new JsonPath(`.items[*]${" 1".repeat(count)}`);
  expect(numbers(50).find({ items })).toHaveLength(1000);
  expect(numbers(200).find({ items })).toEqual([]);
});

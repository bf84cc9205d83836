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
    [".a\\.b", [1]],
    [".crew[0].name", ["ann"]],
    [".crew[-1].name", ["bob"]],
    [".crew[*].name", ["ann", "bob"]],
    [".crew[0:1].name", ["ann"]],
    [".crew[1:].name", ["bob"]],
    [".crew[0,1].age", [30, 20]],
    [".crew[0]['name','age']", ["ann", 30]],
    ["..age", [30, 20]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".crew[?(@.age>25)].name", ["ann"]],
    [".crew[?(@.rank)].name", ["bob"]],
    [".crew[?(@.age != 30)].name", ["bob"]],
    [".nothing.there", []],
    [".name.there", []],
    [".crew.name", []],
    [".toString", []],
  ])("%s", (path, found) => {
    expect(new JsonPath(path).find(ship)).toEqual(found);
  });
});

test.each([".a[", ".a[?(@.b", ".a['b]", "a b", ".[x]", ".a[?(b)]"])("%s is no path", (text) => {
  expect(() => new JsonPath(text)).toThrow(Error);
});

test("a lookup that would take too long finds nothing", () => {
  const items = Array.from({ length: 2000 }, (_, at) => ({
    at,
    items: Array.from({ length: 100 }, () => ({ x: 1 })),
  }));
  expect(new JsonPath("..[?(@..x)]").find({ items })).toEqual([]);
});

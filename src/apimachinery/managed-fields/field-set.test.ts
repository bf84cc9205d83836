import fc from "fast-check";
import { expect, test } from "vitest";
import { printJson } from "../json/json-print.js";
import {
  asMember,
  difference,
  emptySet,
  type FieldSet,
  fieldSetOf,
  hasPath,
  intersection,
  isEmptySet,
  leaf,
  recursiveDifference,
  setsEqual,
  union,
} from "./field-set.js";
import { keyElement, parsePathElement, printPath, valueElement } from "./path-element.js";
import { parseFieldSet } from "./read-field-set.js";
import { writeFieldSet } from "./write-field-set.js";
import { pathsOf } from "./written-order.js";

test("sets are written with . first, fields before keys before values before indexes", () => {
  const set = parseFieldSet({
    "i:10": {},
    "i:9": {},
    'v:"b"': {},
    "v:10": {},
    "v:9": {},
    "v:true": {},
    'k:{"containerPort":443,"protocol":"TCP"}': {},
    'k:{"containerPort":80,"protocol":"UDP"}': {},
    'k:{"containerPort":80,"protocol":"TCP"}': { "f:x": {}, ".": {} },
    "f:b": {},
    "f:a": {},
    'k:{"name":"b"}': {},
    'k:{"name":"a-b"}': {},
    'k:{"name":"a"}': {},
  });
  expect(JSON.stringify(writeFieldSet(set))).toBe(
    '{"f:a":{},"f:b":{},' +
      '"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:x":{}},' +
      '"k:{\\"containerPort\\":80,\\"protocol\\":\\"UDP\\"}":{},' +
      '"k:{\\"containerPort\\":443,\\"protocol\\":\\"TCP\\"}":{},' +
      '"k:{\\"name\\":\\"a\\"}":{},"k:{\\"name\\":\\"a-b\\"}":{},"k:{\\"name\\":\\"b\\"}":{},' +
      '"v:9":{},"v:10":{},"v:\\"b\\"":{},"v:true":{},"i:9":{},"i:10":{}}',
  );
});

test("an element has one written form", () => {
  expect(parsePathElement('k:{ "b": 1, "a": "x<y" }')).toBe('k:{"a":"x\\u003cy","b":1}');
  expect(keyElement([["a", "x<y"]])).toBe('k:{"a":"x\\u003cy"}');
  expect(parsePathElement("v: 1.0")).toBe("v:1");
  expect(valueElement("a")).toBe('v:"a"');
  expect(parsePathElement("i:03")).toBe("i:3");
  expect(parsePathElement("f:")).toBe("f:");
});

test.each(["", "f", "fa:b", "k:[1]", "k:{", "v:", "i:a"])("%j is no element", (text) => {
  expect(() => parsePathElement(text)).toThrow();
  expect(() => parseFieldSet({ [text]: {} })).toThrow();
});

test("paths are printed for people", () => {
  expect(
    printPath(["f:spec", 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"a/b"', "v:3", "i:4", "f:x.y"]),
  ).toBe('.spec[containerPort=80,protocol="TCP"][="a/b"][=3][4].x.y');
});

test("members and what is below them", () => {
  const set = parseFieldSet({ "f:a": { ".": {}, "f:b": {} }, "f:c": { "f:d": {} } });
  expect(pathsOf(set).map(printPath)).toEqual([".a", ".a.b", ".c.d"]);
  expect(hasPath(set, ["f:a"])).toBe(true);
  expect(hasPath(set, ["f:c"])).toBe(false);
  expect(hasPath(set, [])).toBe(false);
  expect(writeFieldSet(difference(set, fieldSetOf(["a"])))).toEqual({
    "f:a": { "f:b": {} },
    "f:c": { "f:d": {} },
  });
  expect(writeFieldSet(recursiveDifference(set, fieldSetOf(["a"])))).toEqual({ "f:c": { "f:d": {} } });
  expect(writeFieldSet(difference(set, fieldSetOf(["a", "b"])))).toEqual({ "f:a": {}, "f:c": { "f:d": {} } });
  expect(asMember(leaf)).toBe(leaf);
});

test("a name of JavaScript's own is a name like any other", () => {
  const set = parseFieldSet(JSON.parse('{"f:__proto__":{"f:constructor":{}}}'));
  expect(pathsOf(set).map(printPath)).toEqual([".__proto__.constructor"]);
  expect(isEmptySet(difference(set, fieldSetOf(["__proto__", "constructor"])))).toBe(true);
});

type Path = readonly string[];
const path: fc.Arbitrary<Path> = fc.array(fc.constantFrom("f:a", "f:b", 'k:{"n":1}', 'v:"x"'), {
  minLength: 1,
  maxLength: 4,
});
const paths = fc.array(path, { maxLength: 8 });

function setOf(list: readonly Path[]): FieldSet {
  return list.reduce<FieldSet>((set, elements) => {
    const single = elements
      .toReversed()
      .reduce<FieldSet>((node, element) => new Map([[element, node]]), leaf);
    return union(set, single);
  }, emptySet);
}
function texts(set: FieldSet): string[] {
  return pathsOf(set)
    .map((elements) => elements.join("/"))
    .sort();
}
function model(list: readonly Path[]): Set<string> {
  return new Set(list.map((elements) => elements.join("/")));
}

test("set operations do to trees what they do to lists of paths", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [setOf(left), setOf(right)];
      const [ma, mb] = [model(left), model(right)];
      expect(texts(a)).toEqual([...ma].sort());
      expect(texts(union(a, b))).toEqual([...new Set([...ma, ...mb])].sort());
      expect(texts(intersection(a, b))).toEqual([...ma].filter((p) => mb.has(p)).sort());
      expect(texts(difference(a, b))).toEqual([...ma].filter((p) => !mb.has(p)).sort());
      const below = (p: string) => [...mb].some((other) => p === other || p.startsWith(`${other}/`));
      expect(texts(recursiveDifference(a, b))).toEqual([...ma].filter((p) => !below(p)).sort());
      expect(setsEqual(a, b)).toBe(texts(a).join() === texts(b).join());
      expect(isEmptySet(difference(a, a))).toBe(true);
    }),
  );
});

test("writing and reading are inverse", () => {
  fc.assert(
    fc.property(paths, (list) => {
      const set = setOf(list);
      const text = JSON.stringify(writeFieldSet(set));
      const again = parseFieldSet(JSON.parse(text));
      expect(setsEqual(again, set)).toBe(true);
      expect(JSON.stringify(writeFieldSet(again))).toBe(text);
    }),
  );
});

test("a large set is written as text, which prints as the members would", () => {
  const names = Array.from({ length: 3000 }, (_, i) => `f:n${(i * 7919) % 3000}<"&`);
  const set: FieldSet = new Map([
    ['k:{"name":"b"}', leaf],
    ["f:data", new Map(names.map((name) => [name, leaf]))],
  ]);
  const expected = {
    "f:data": Object.fromEntries([...names].sort().map((name) => [name, {}])),
    'k:{"name":"b"}': {},
  };
  const large = writeFieldSet(set);
  for (const options of [{}, { htmlEscape: false }, { indent: "  " }, { indent: " ", htmlEscape: false }]) {
    expect(printJson({ a: large }, options)).toBe(printJson({ a: expected }, options));
    expect(printJson(large, options)).toBe(printJson(expected, options));
  }
  expect(setsEqual(parseFieldSet(JSON.parse(printJson(large))), set)).toBe(true);
});

test("sets of plain words are in the order of their paths, however that is found", () => {
  const word = fc.stringMatching(/^[-./a-c_A]{0,4}$/);
  const element = fc.oneof(
    word.map((text) => `f:${text}`),
    word.map((text) => keyElement([["name", text]])),
    word.map((text) => keyElement([["na", text]])),
    word.map((text) => valueElement(text)),
    fc.constant("."),
  );
  fc.assert(
    fc.property(fc.uniqueArray(element, { maxLength: 12 }), fc.boolean(), (elements, isMixed) => {
      // An element that names an index prevents sorting elements as text.
      const set = new Map(elements.map((each) => [each, leaf] as const));
      const mixed = new Map([...set, ["i:1", leaf] as const]);
      const order = Object.keys(writeFieldSet(isMixed ? mixed : set)).filter((each) => each !== "i:1");
      const other = Object.keys(writeFieldSet(isMixed ? set : mixed)).filter((each) => each !== "i:1");
      expect(order).toEqual(other);
    }),
  );
});

test("elements of unknown kinds are left out, and a member is written plainly", () => {
  const set = parseFieldSet({ "f:a": { ".": {} }, "x:b": {}, "f:c": { ".": {}, "f:d": { ".": {} } } });
  expect(writeFieldSet(set)).toEqual({ "f:a": {}, "f:c": { ".": {}, "f:d": {} } });
});

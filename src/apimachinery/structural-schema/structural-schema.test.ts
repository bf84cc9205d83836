import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import { floatText } from "../errors/go-number.js";
import { copyJson } from "../json/json-copy.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { deducedMap } from "../schema/merge-type.js";
import { embeddedErrors } from "./embedded-objects.js";
import { objectMergeShape } from "./merge-shape.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { ownObject, pruneObject, pruneValue } from "./prune.js";
import { setDefaults } from "./set-defaults.js";
import { keyedListErrors } from "./validate-lists.js";
import { ratchetedErrors, validateValues } from "./validate-values.js";

const prefix = "x-orch-";
const specOf = (spec: JsonObject) => parseStructuralSchema({ type: "object", properties: { spec } }, prefix);

function problems(spec: JsonObject, value: JsonValue): string[] {
  return validateValues({ spec: value }, specOf(spec)).map(({ field, body }) => `${field}: ${body}`);
}

describe("values that a schema forbids", () => {
  const cases: [
    name: string,
    schema: JsonObject,
    good: readonly JsonValue[],
    bad: readonly (readonly [JsonValue, string])[],
  ][] = [
    [
      "type string",
      { type: "string" },
      ["", "a"],
      [[1, 'spec: Invalid value: "integer": spec in body must be of type string: "integer"']],
    ],
    [
      "type integer",
      { type: "integer" },
      [1, -3, 2n ** 60n],
      [
        ["a", 'spec: Invalid value: "string": spec in body must be of type integer: "string"'],
        [1.5, 'spec: Invalid value: "number": spec in body must be of type integer: "number"'],
      ],
    ],
    [
      "type number",
      { type: "number" },
      [1, 1.5],
      [[true, 'spec: Invalid value: "boolean": spec in body must be of type number: "boolean"']],
    ],
    [
      "type boolean",
      { type: "boolean" },
      [true],
      [["true", 'spec: Invalid value: "string": spec in body must be of type boolean: "string"']],
    ],
    [
      "type object",
      { type: "object" },
      [{}, { a: 1 }],
      [[[], 'spec: Invalid value: "array": spec in body must be of type object: "array"']],
    ],
    [
      "type array",
      { type: "array", items: { type: "string" } },
      [[], ["a"]],
      [
        [["a", 1], 'spec: Invalid value: "integer": spec in body must be of type string: "integer"'],
        [{}, 'spec: Invalid value: "object": spec in body must be of type array: "object"'],
      ],
    ],
    [
      "null",
      { type: "string" },
      [],
      [[null, 'spec: Invalid value: "null": spec in body must be of type string: "null"']],
    ],
    ["nullable", { type: "string", nullable: true }, [null, "a"], []],
    [
      "int-or-string",
      { "x-orch-int-or-string": true },
      [1, "80%"],
      [[true, 'spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"']],
    ],
    [
      "enum",
      { type: "string", enum: ["a", "b"] },
      ["a"],
      [["c", 'spec: Unsupported value: "c": supported values: "a", "b"']],
    ],
    [
      "enum of numbers",
      { type: "integer", enum: [1, 2] },
      [2],
      [[3, 'spec: Unsupported value: 3: supported values: "1", "2"']],
    ],
    [
      "maximum",
      { type: "integer", maximum: 3 },
      [3],
      [[4, "spec: Invalid value: 4: spec in body should be less than or equal to 3"]],
    ],
    [
      "exclusive maximum",
      { type: "number", maximum: 3, exclusiveMaximum: true },
      [2.5],
      [[3, "spec: Invalid value: 3: spec in body should be less than 3"]],
    ],
    [
      "minimum",
      { type: "integer", minimum: 1 },
      [1],
      [[0, "spec: Invalid value: 0: spec in body should be greater than or equal to 1"]],
    ],
    [
      "exclusive minimum",
      { type: "number", minimum: 1, exclusiveMinimum: true },
      [1.1],
      [[1, "spec: Invalid value: 1: spec in body should be greater than 1"]],
    ],
    [
      "multipleOf",
      { type: "number", multipleOf: 0.1 },
      [0.3, 1],
      [[0.25, "spec: Invalid value: 0.25: spec in body should be a multiple of 0.1"]],
    ],
    [
      "a negative multipleOf whose whole part is 0",
      { type: "integer", multipleOf: -0.5 },
      [],
      [[1, "spec: Invalid value: 0: factor MultipleOf declared for spec must be positive: 0"]],
    ],
    [
      "a negative multipleOf",
      { type: "number", multipleOf: -1.5 },
      [],
      [
        [3, "spec: Invalid value: -1: factor MultipleOf declared for spec must be positive: -1"],
        [1.5, "spec: Invalid value: -1.5: factor MultipleOf declared for spec must be positive: -1.5"],
      ],
    ],
    [
      "multipleOf, of large integers",
      { type: "integer", multipleOf: 3 },
      [2_147_483_646],
      [[2_147_483_648, "spec: Invalid value: 2147483648: spec in body should be a multiple of 3"]],
    ],
    [
      "limits of integers, by their whole part",
      { type: "integer", minimum: 4.5 },
      [4],
      [[3, "spec: Invalid value: 3: spec in body should be greater than or equal to 4"]],
    ],
    [
      "maxLength",
      { type: "string", maxLength: 2 },
      ["ab", "\u{1f600}\u{1f600}"],
      [["abc", 'spec: Invalid value: "abc": spec in body should be at most 2 chars long']],
    ],
    [
      "minLength",
      { type: "string", minLength: 2 },
      ["ab"],
      [["\u{1f600}", 'spec: Invalid value: "\u{1f600}": spec in body should be at least 2 chars long']],
    ],
    [
      "pattern",
      { type: "string", pattern: "^a+$" },
      ["aa"],
      [["b", "spec: Invalid value: \"b\": spec in body should match '^a+$'"]],
    ],
    [
      "a pattern that others backtrack in",
      { type: "string", pattern: "^(a+)+$" },
      ["a".repeat(50)],
      [
        [
          `${"a".repeat(50)}b`,
          `spec: Invalid value: "${"a".repeat(50)}b": spec in body should match '^(a+)+$'`,
        ],
      ],
    ],
    [
      "maxItems",
      { type: "array", items: {}, maxItems: 1 },
      [[1]],
      [[[1, 2], "spec: Invalid value: 2: spec in body should have at most 1 items"]],
    ],
    [
      "minItems",
      { type: "array", items: {}, minItems: 1 },
      [[1]],
      [[[], "spec: Invalid value: 0: spec in body should have at least 1 items"]],
    ],
    [
      "maxProperties",
      { type: "object", maxProperties: 1 },
      [{ a: 1 }],
      [[{ a: 1, b: 1 }, "spec: Invalid value: 1: spec in body should have at most 1 properties"]],
    ],
    [
      "minProperties",
      { type: "object", minProperties: 1 },
      [{ a: 1 }],
      [[{}, "spec: Invalid value: 1: spec in body should have at least 1 properties"]],
    ],
    [
      "required",
      { type: "object", required: ["a"], properties: { a: {} } },
      [{ a: 1 }],
      [[{}, "spec.a: Required value"]],
    ],
    [
      "additionalProperties",
      { type: "object", additionalProperties: { type: "integer" } },
      [{ a: 1 }],
      [[{ a: "b" }, 'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"']],
    ],
    [
      "format date-time",
      { type: "string", format: "date-time" },
      ["2026-01-02T03:04:05Z"],
      [
        [
          "yesterday",
          'spec: Invalid value: "yesterday": spec in body must be of type date-time: "yesterday"',
        ],
      ],
    ],
    [
      "array of arrays",
      { type: "array", items: { type: "array", items: { type: "integer" } } },
      [[[1], []]],
      [[[[1], ["a"]], 'spec: Invalid value: "string": spec in body must be of type integer: "string"']],
    ],
    [
      "additionalProperties: false",
      { type: "object", properties: { a: {} }, additionalProperties: false },
      [{ a: 1 }],
      [[{ b: 1 }, 'spec: Invalid value: "b": spec.b in body is a forbidden property']],
    ],
    [
      "nullable enum",
      { type: "string", nullable: true, enum: ["a", null] },
      [null, "a"],
      [["b", 'spec: Unsupported value: "b": supported values: "a", "null"']],
    ],
    [
      "preserve-unknown-fields",
      { type: "object", "x-orch-preserve-unknown-fields": true, properties: { a: { type: "string" } } },
      [{ a: "x", b: { c: [1, null] } }],
      [
        [
          { a: 1, b: 1 },
          'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"',
        ],
      ],
    ],
    [
      "preserve-unknown-fields without a type",
      { "x-orch-preserve-unknown-fields": true },
      [1, "a", [], { a: [1] }],
      [],
    ],
    ["a format that is not known", { type: "string", format: "colour" }, ["red"], []],
  ];

  test.each(cases)("%s", (_name, schema, good, bad) => {
    for (const value of good) expect(problems(schema, value)).toEqual([]);
    for (const [value, message] of bad) expect(problems(schema, value)).toEqual([message]);
  });

  test("of a number: the format says nothing, and what 64 bits cannot hold is no integer", () => {
    expect(problems({ type: "integer", format: "int32" }, 3_000_000_000)).toEqual([]);
    const wrong = 'spec: Invalid value: "number": spec in body must be of type integer: "number"';
    expect(problems({ type: "integer" }, 1e30)).toEqual([wrong]);
    expect(problems({ type: "integer" }, 2n ** 63n)).toEqual([wrong]);
    expect(problems({ type: "number" }, 2n ** 63n)).toEqual([]);
  });

  test("nothing is a multiple of 0; before 1.27 this is said of fractions in other words", () => {
    const schema = { type: "number", multipleOf: 0 };
    const refused = "spec: Invalid value: 0: factor MultipleOf declared for spec must be positive: 0";
    const at = (minor: number, value: number) => withErrorTextsOf(minor, () => problems(schema, value));
    expect([at(26, 1), at(27, 1), at(27, 1.5)]).toEqual([[refused], [refused], [refused]]);
    expect(at(26, 1.5)).toEqual(["spec: Invalid value: 1.5: spec in body should be a multiple of 0"]);
  });

  test("alternatives of enums are reported one by one", () => {
    const body = "spec: Unsupported value: 3: supported values:";
    expect(problems({ allOf: [{ enum: [1] }, { enum: [2] }] }, 3)).toEqual([
      `${body} "1"`,
      `${body} "2"`,
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]);
  });

  test.each<[text: string, value: JsonValue]>([
    ["[]interface {}{}", []],
    ['[]interface {}{"a", 1, interface {}(nil)}', ["a", 1, null]],
    ['map[string]interface {}{"a":1.5, "b":[]interface {}{true}}', { b: [true], a: 1.5 }],
    ["1.2345675e+06", 1_234_567.5],
    ["1e-07", 0.0000001],
    ["4611686018427387904", 2n ** 62n],
    ["9.223372036854776e+18", 2n ** 63n],
  ])("a value is printed as %s", (text, value) => {
    expect(problems({ enum: ["z"] }, value)).toEqual([
      `spec: Unsupported value: ${text}: supported values: "z"`,
    ]);
  });

  test.each([
    ["bsonobjectid", "507f1f77bcf86cd799439011", "507f1f77"],
    ["uri", "https://example.com/a", "example"],
    ["email", "a@example.com", "example.com"],
    ["hostname", "a.example.com", "-a"],
    ["ipv4", "10.0.0.1", "10.0.0.256"],
    ["ipv6", "fd00::1", "10.0.0.1"],
    ["cidr", "10.0.0.0/8", "10.0.0.0"],
    ["mac", "00:1a:2b:3c:4d:5e", "00:1a:2b"],
    ["uuid", "f47ac10b-58cc-0372-8567-0e02b2c3d479", "f47ac10b"],
    ["uuid3", "f47ac10b-58cc-3372-8567-0e02b2c3d479", "f47ac10b-58cc-4372-8567-0e02b2c3d479"],
    ["uuid4", "f47ac10b-58cc-4372-8567-0e02b2c3d479", "f47ac10b-58cc-4372-7567-0e02b2c3d479"],
    ["uuid5", "f47ac10b-58cc-5372-8567-0e02b2c3d479", "f47ac10b-58cc-4372-8567-0e02b2c3d479"],
    ["isbn", "978-0321751041", "978-0321751042"],
    ["isbn10", "0321751043", "0321751044"],
    ["isbn13", "9780321751041", "9780321751042"],
    ["creditcard", "4012 8888 8888 1881", "4012 8888 8888 1882"],
    ["ssn", "111-11-1111", "111-1-1111"],
    ["hexcolor", "#FFF", "#FFFG"],
    ["rgbcolor", "rgb(255,0,0)", "rgb(256,0,0)"],
    ["byte", "aGVsbG8=", "aGVsbG8"],
    ["date", "2024-02-29", "2023-02-29"],
    ["duration", "3h20m", "soon"],
    ["duration", "-3 Days and more", "3 moons"],
    ["date-time", "2024-02-29T23:59:59Z", "2024-02-29"],
    ["date-time", "2024-02-29t23:59:59.1234567891+02:00", "2024-02-29T23:59:59"],
    ["date-time", "2024-02-29T23:59:59,5z", "2024-02-29T23:59Z"],
    ["date", "0000-02-29", "0001-02-29"],
    ["uri", "/a b", "http://a b/"],
    ["uri", "*", "http://a/%zz"],
    ["uri", "mailto:a@example.com", "http://a:port/"],
    ["email", "Ann Lee <ann@example.com>", "a..b@example.com"],
    ["email", '"a b"@example.com', "Lee, Ann <ann@example.com>"],
    ["email", "a@[10.0.0.1]", "a.@example.com"],
    ["hostname", "a", "a.b"],
    ["hostname", "a-b", "a-b-c"],
    ["hostname", "a-b-c.example", "10.0.0.1"],
    ["ipv6", "::ffff:10.0.0.1", "fe80::1%eth0"],
    ["ssn", "111 11 1111", "111111111"],
    ["rgbcolor", "rgb( 0, 1 ,2 )", "rgb(01,2,3)"],
    ["byte", "YR==", ""],
  ])("format %s: %s, but not %s", (format, good, bad) => {
    expect(problems({ type: "string", format }, good)).toEqual([]);
    expect(problems({ type: "string", format }, bad)).toEqual([
      `spec: Invalid value: "${bad}": spec in body must be of type ${format}: "${bad}"`,
    ]);
  });

  test("of many problems of a large value 500 are reported", () => {
    const item = {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string", maxLength: 3 } },
    };
    const schema = specOf({
      type: "object",
      properties: {
        list: { type: "array", items: item },
        map: { type: "object", additionalProperties: { type: "integer" } },
      },
    });
    const list = Array.from({ length: 10_000 }, (_, at) => (at % 100 === 7 ? {} : { name: `${at % 1500}` }));
    const map = Object.fromEntries(list.map((_, at) => [`k${at}`, at % 90 === 3 ? "x" : at]));
    const all = withErrorTextsOf(24, () => validateValues({ spec: { list, map } }, schema));
    expect(all).toHaveLength(500);
  });

  test("every item of a large list is checked, also within alternatives", () => {
    const numbers = { type: "array", items: { type: "integer" } };
    const schema = specOf({
      type: "array",
      items: { type: "object", properties: { numbers, either: { anyOf: [{ maxItems: 2 }, numbers] } } },
    });
    const many = Array.from({ length: 20_000 }, (_, at) => (at % 1000 === 7 ? "x" : at));
    for (const [name, wrong] of [
      ["numbers", 20],
      ["either", 21],
    ] as const) {
      const all = withErrorTextsOf(24, () => validateValues({ spec: [{ [name]: many }] }, schema));
      expect(all).toHaveLength(wrong);
    }
  });

  test("alternatives tell of the one that fits best", () => {
    const alternatives = [{ required: ["a", "b"] }, { properties: { a: { minimum: 5 } } }];
    const properties = { a: { type: "integer" }, b: {} };
    expect(problems({ type: "object", properties, anyOf: alternatives }, { a: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      expect.any(String),
    ]);
    expect(problems({ type: "object", properties, oneOf: alternatives }, { a: 7, b: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    expect(problems({ type: "object", properties, allOf: [alternatives[1] ?? {}] }, { a: 1 })).toEqual([
      "spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 5",
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]);
    expect(problems({ type: "object", properties, not: { required: ["b"] } }, { b: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
    ]);
  });

  test("alternatives that take too long are refused, so that they delay nobody", () => {
    const anyOf = Array.from({ length: 1000 }, (_, at) => ({ minimum: at + 10 }));
    const value = new Array<number>(10_000).fill(1);
    expect(problems({ type: "array", items: { type: "integer", anyOf } }, value)).toEqual([
      expect.stringContaining("too large to be validated"),
    ]);
  });
});

test.each([
  [10, "10"],
  [0.5, "0.5"],
  [1_000_000, "1e+06"],
  [123_456_789, "1.23456789e+08"],
  [1_234_567.5, "1.2345675e+06"],
  [0.00001, "1e-05"],
])("the float %d is printed as %s", (value, text) => {
  expect(floatText(value)).toBe(text);
});

describe("pruning", () => {
  const prune = (schema: JsonObject, value: JsonValue) => {
    const dropped: string[] = [];
    const pruned = pruneValue(value, parseStructuralSchema(schema, prefix), (path) => dropped.push(path));
    return { pruned, dropped };
  };
  const known = { type: "object", properties: { a: { type: "string" } } };

  test.each<[string, JsonObject, JsonValue, JsonValue, string[]]>([
    ["unknown fields go", known, { a: "x", b: 1 }, { a: "x" }, ["b"]],
    ["in lists", { type: "array", items: known }, [{ b: 1 }, { a: "x" }], [{}, { a: "x" }], ["[0].b"]],
    ["in maps", { type: "object", additionalProperties: known }, { k: { b: 1 } }, { k: {} }, ["k.b"]],
    [
      "not where they are preserved",
      { ...known, "x-orch-preserve-unknown-fields": true },
      { b: { c: 1 } },
      { b: { c: 1 } },
      [],
    ],
    [
      "but in known fields of such an object",
      { type: "object", properties: { k: known }, "x-orch-preserve-unknown-fields": true },
      { k: { b: 1 }, other: [{ b: 1 }] },
      { k: {}, other: [{ b: 1 }] },
      ["k.b"],
    ],
    [
      "nor the type and metadata of embedded objects",
      { ...known, "x-orch-embedded-resource": true },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "n" }, spec: {} },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "n" } },
      ["spec"],
    ],
    [
      "names of the prototype are names",
      known,
      JSON.parse('{"__proto__":{"x":1},"toString":1}'),
      {},
      ["__proto__", "toString"],
    ],
  ])("%s", (_name, schema, value, expected, paths) => {
    expect(prune(schema, value)).toEqual({ pruned: expected, dropped: paths });
  });

  test("is idempotent, and what is pruned is not changed", () => {
    const schema = parseStructuralSchema(
      {
        type: "object",
        properties: {
          a: { type: "object", properties: { b: { type: "array", items: known } } },
          c: { type: "object", additionalProperties: known },
          d: { "x-orch-preserve-unknown-fields": true, type: "object" },
        },
      },
      prefix,
    );
    const names = fc.constantFrom("a", "b", "c", "d", "e");
    const value = fc.letrec<{ any: JsonValue; object: JsonObject }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>("x", 1, null),
        fc.array(tie("any"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(names, tie("any"), { maxKeys: 4 }),
    })).object;
    fc.assert(
      fc.property(value, (object) => {
        const before = JSON.stringify(object);
        const once = pruneObject(object, schema, true);
        expect(JSON.stringify(object)).toBe(before);
        const again: string[] = [];
        expect(pruneObject(once, schema, true, (path) => again.push(path))).toEqual(once);
        expect(again).toEqual([]);
      }),
    );
  });
});

test.each<
  [what: string, allowed: readonly JsonValue[], good: readonly JsonValue[], bad: readonly JsonValue[]]
>([
  ["texts", ["a", "1"], ["a", "1"], ["b", 1, null]],
  ["numbers", [1, 2.5, 9007199254740993n], [1, 2.5, 9007199254740993n], [2, "1", 9007199254740992]],
  ["objects", [{ a: 1, b: [1, {}] }], [{ b: [1, {}], a: 1 }], [{ a: 1 }, { a: 1, b: [{}, 1] }, {}, "a"]],
  ["lists", [["a", "b"], ["a,b"]], [["a", "b"], ["a,b"]], [["b", "a"], ["a"], [], ["a", ["b"]]]],
  ["nothing", [null, true], [null, true], [false, "null", "true"]],
])("an enum of %s has the values that are equal", (_what, allowed, good, bad) => {
  const schema = { enum: allowed, nullable: true };
  for (const value of good) expect(problems(schema, value)).toEqual([]);
  for (const value of bad) expect(problems(schema, value)).toHaveLength(1);
});

test("of many items that lack many members, the first problems are told", () => {
  const required = Array.from({ length: 400 }, (_, index) => `r${index}`);
  const schema = { type: "array", items: { type: "object", required } };
  const found = withErrorTextsOf(24, () => problems(schema, [{}, {}, {}]));
  expect(found).toHaveLength(500);
  expect(found[499]).toBe("spec[1].r99: Required value");
});

test("items with the same keys are duplicates, whether a key is absent or has its default", () => {
  const schema: JsonObject = {
    type: "array",
    "x-orch-list-type": "map",
    "x-orch-list-map-keys": ["port", "protocol"],
    items: {
      type: "object",
      properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
    },
  };
  const found = (list: JsonValue) =>
    keyedListErrors({ spec: list }, specOf(schema)).map(({ field, body }) => `${field}: ${body}`);
  expect(found([{ port: 1 }, { port: 1, protocol: "UDP" }, { protocol: "TCP" }, {}])).toEqual([
    "spec[3]: Duplicate value: map[string]interface {}{}",
  ]);
  expect(found([{ port: 1 }, { port: 1, protocol: "TCP", other: 2 }])).toEqual([
    'spec[1]: Duplicate value: map[string]interface {}{"port":1, "protocol":"TCP"}',
  ]);
});

test("lists of a schema that is a format are left to the format, which looks at strings only", () => {
  const date = { type: "string", format: "date" };
  expect(problems(date, ["x"])).toEqual([]);
  expect(problems(date, "x")).toEqual(['spec: Invalid value: "x": spec in body must be of type date: "x"']);
  expect(problems({ type: "string" }, ["x"])).toHaveLength(1);
  expect(problems({ type: "integer", format: "int32" }, ["x"])).toHaveLength(1);
});

describe("defaults", () => {
  const defaulted = (schema: JsonObject, value: JsonValue): JsonValue => {
    const copy = copyJson(value);
    setDefaults(copy, parseStructuralSchema(schema, prefix));
    return copy;
  };

  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["stand in for what is missing", { properties: { a: { default: 1 } } }, {}, { a: 1 }],
    ["not for what is there", { properties: { a: { default: 1 } } }, { a: 2 }, { a: 2 }],
    ["nor in what is not there", { properties: { a: { properties: { b: { default: 1 } } } } }, {}, {}],
    [
      "but in defaults",
      { properties: { a: { default: {}, properties: { b: { default: 1 } } } } },
      {},
      { a: { b: 1 } },
    ],
    ["in items", { items: { properties: { a: { default: 1 } } } }, [{}], [{ a: 1 }]],
    ["for null items", { items: { default: 5 } }, [null], [5]],
    [
      "in members of maps",
      { additionalProperties: { properties: { a: { default: 1 } } } },
      { k: {} },
      { k: { a: 1 } },
    ],
    ["for null where that is not allowed", { properties: { a: { default: 1 } } }, { a: null }, { a: 1 }],
    ["not where it is", { properties: { a: { default: 1, nullable: true } } }, { a: null }, { a: null }],
    ["nulls without default go", { properties: { a: { type: "string" } } }, { a: null }, {}],
  ])("%s", (_name, schema, value, expected) => {
    expect(defaulted(schema, value)).toEqual(expected);
  });

  test("are not shared between objects", () => {
    const schema = { properties: { a: { default: { b: [] } } } };
    const parsed = parseStructuralSchema(schema, prefix);
    const [one, other] = [copyJson({}), copyJson({})];
    setDefaults(one, parsed);
    setDefaults(other, parsed);
    if (!isJsonObject(one) || !isJsonObject(other)) throw new Error("they are objects");
    expect(one.a).not.toBe(other.a);
  });
});

describe("lists that are sets or maps", () => {
  const errors = (schema: JsonObject, value: JsonValue) =>
    keyedListErrors({ spec: value }, specOf(schema)).map(({ field, body }) => `${field}: ${body}`);

  test("name no item twice", () => {
    const set = { type: "array", items: { type: "string" }, "x-orch-list-type": "set" };
    expect(errors(set, ["a", "b"])).toEqual([]);
    expect(errors(set, ["a", "b", "a", "a"])).toEqual(['spec[2]: Duplicate value: "a"']);
    const items = {
      type: "object",
      properties: { n: { type: "string" }, p: { type: "string", default: "TCP" } },
    };
    const map = { type: "array", items, "x-orch-list-type": "map", "x-orch-list-map-keys": ["n", "p"] };
    expect(errors(map, [{ n: "a" }, { n: "a", p: "UDP" }])).toEqual([]);
    expect(errors(map, [{ n: "a" }, { n: "a", p: "TCP" }])).toEqual([
      'spec[1]: Duplicate value: map[string]interface {}{"n":"a", "p":"TCP"}',
    ]);
    expect(errors(map, [{ n: "a" }, { n: "a" }, "x", 1])).toEqual([
      'spec[2]: Invalid value: "x": must be an object for an array of list-type map',
    ]);
  });
});

test("large values are pruned, get defaults and are checked for keys in the order of their parts", () => {
  const items = {
    type: "array",
    items: {
      type: "object",
      properties: {
        n: { type: "string" },
        mode: { type: "string", default: "a" },
        inner: { type: "object" },
      },
    },
    "x-orch-list-type": "map",
    "x-orch-list-map-keys": ["n"],
  };
  const schema = specOf({
    type: "object",
    properties: { items, map: { type: "object", additionalProperties: items } },
  });
  const list = Array.from({ length: 5000 }, (_, at) => ({ n: `${at % 4990}`, odd: at, inner: { odd: 1 } }));
  const map = Object.fromEntries(list.map((item, at) => [`k${at}`, [item]]));
  const dropped: string[] = [];
  const kept = pruneObject({ spec: { items: list, map } }, schema, true, (path) => dropped.push(path));
  expect(dropped).toHaveLength(20_000);
  expect(dropped.slice(0, 3)).toEqual(["spec.items[0].odd", "spec.items[0].inner.odd", "spec.items[1].odd"]);
  expect(dropped.at(-1)).toBe("spec.map.k4999[0].inner.odd");
  setDefaults(kept, schema);
  const expected = list.map(({ n }) => ({ n, inner: {}, mode: "a" }));
  expect(kept).toEqual({
    spec: { items: expected, map: Object.fromEntries(expected.map((item, at) => [`k${at}`, [item]])) },
  });
  expect(Object.keys(ownObject(ownObject(kept.spec)?.map) ?? {})).toEqual(Object.keys(map));
  const errors = keyedListErrors(kept, schema);
  expect(errors.map(({ field }) => field)).toEqual(
    Array.from({ length: 10 }, (_, at) => `spec.items[${4990 + at}]`),
  );
});

test.each([
  [33, "Required value: must not be empty"],
  [34, "Required value"],
])("embedded objects say what they are and have good metadata, in the words of 1.%i", (minor, body) => {
  const schema = specOf({ type: "object", "x-orch-embedded-resource": true });
  const object = { spec: { kind: "", metadata: { name: "a/b" } } };
  const readMeta = (value: JsonValue) => (isJsonObject(value) ? { name: String(value.name) } : {});
  const errors = withErrorTextsOf(minor, () =>
    embeddedErrors(object, schema, readMeta).map(({ field, body }) => `${field}: ${body}`),
  );
  expect(errors).toEqual([
    `spec.apiVersion: ${body}`,
    'spec.kind: Invalid value: "": must not be empty',
    "spec.metadata.name: Invalid value: \"a/b\": may not contain '/'",
  ]);
});

test("merges as list and map types say", () => {
  const schema = specOf({
    type: "object",
    properties: {
      set: { type: "array", items: { type: "string" }, "x-orch-list-type": "set" },
      whole: { type: "object", properties: { a: { type: "string" } }, "x-orch-map-type": "atomic" },
      ports: {
        type: "array",
        items: { type: "object", properties: { p: { type: "string", default: "TCP" } } },
        "x-orch-list-type": "map",
        "x-orch-list-map-keys": ["p"],
      },
      port: { "x-orch-int-or-string": true },
      open: { type: "object", "x-orch-preserve-unknown-fields": true },
    },
  });
  const spec = objectMergeShape(schema, { metadata: { kind: "deduced" }, mayOmitKeys: false }).field(
    "spec",
  )?.type;
  if (spec?.kind !== "struct") throw new Error("an object with properties is a struct");
  expect(spec.field("set")?.type).toMatchObject({ kind: "list", relation: "set" });
  expect(spec.field("whole")?.type).toMatchObject({ kind: "struct", atomic: true });
  const ports = spec.field("ports")?.type;
  expect(ports).toMatchObject({ kind: "list", relation: "map", keys: ["p"] });
  if (ports?.kind !== "list" || ports.element.kind !== "struct") throw new Error("items are objects");
  expect(ports.element.field("p")?.default).toBe("TCP");
  expect(spec.field("port")?.type).toEqual({ kind: "scalar", scalar: "opaque" });
  expect(spec.field("open")?.type).toEqual(deducedMap);
  expect(spec.field("other")).toBeUndefined();
});

test("a text that would take too long to match is refused", () => {
  const schema = parseStructuralSchema({ type: "string", pattern: "^(a|b)*a[ab]{300}$" }, prefix);
  expect(validateValues(`a${"b".repeat(300)}`, schema)).toEqual([]);
  const [error, ...others] = validateValues("a".repeat(100_000), schema);
  expect(error?.body).toContain("is too long to be matched against '^(a|b)*a[ab]{300}$'");
  expect(others).toEqual([]);
});

test.each([
  "^.*$",
  "^[a-z0-9-]+$",
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  // A larger pattern, but the next character always decides (one-pass).
  "^(<[a-z]{10}=[0-9]{2,4};>)*[a-z]*$",
])("a text of a megabyte is matched against %s", (pattern) => {
  const schema = parseStructuralSchema({ type: "string", pattern }, prefix);
  expect(validateValues("a".repeat(2 ** 20), schema)).toHaveLength(0);
  const [error, ...others] = validateValues(`${"a".repeat(2 ** 20 - 2)}\n?`, schema);
  expect(error?.body).toContain("should match");
  expect(others).toEqual([]);
});

test("texts may be as long as the states of their pattern permit", () => {
  const manyStates = parseStructuralSchema({ type: "string", pattern: "^(a|b)*a(a|b){14}[ab]$" }, prefix);
  expect(validateValues("ab".repeat(2_000), manyStates)).toHaveLength(0);
  expect(validateValues("ab".repeat(10_000), manyStates)[0]?.body).toContain("is too long");
  // Few states, but a class of hundreds of ranges, each with its own successor state.
  const classes = parseStructuralSchema({ type: "string", pattern: "^[\\pL]*x[\\pL]{3}$" }, prefix);
  expect(validateValues("a".repeat(2 ** 20), classes)[0]?.body).toContain("is too long");
});

describe("an update at a level that lets invalid values stay", () => {
  const schema = parseStructuralSchema(
    {
      type: "object",
      properties: {
        size: { type: "integer", maximum: 10 },
        names: { type: "array", items: { type: "string", maxLength: 3 } },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, port: { type: "integer", maximum: 10 } },
          },
        },
        hosts: {
          type: "array",
          maxItems: 1,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } },
        },
        either: {
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
          type: "object",
          properties: { a: { type: "integer", maximum: 1 }, b: { type: "integer" } },
        },
        owner: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, x: { type: "integer" } },
        },
      },
    },
    "x-kubernetes-",
  );
  const fields = (now: JsonObject, before: JsonObject) =>
    withErrorTextsOf(36, () => ratchetedErrors(now, before, schema)).map(({ field }) => field);

  test.each<readonly [JsonObject, JsonObject, readonly string[]]>([
    [{ size: 11 }, { size: 11 }, []],
    [{ size: 12 }, { size: 11 }, ["size"]],
    [{ size: 11, names: ["long"] }, { size: 11 }, ["names[0]"]],
    [{ names: ["long", "b"] }, { names: ["long"] }, ["names[0]"]],
    [{ names: ["long"], size: 1 }, { names: ["long"] }, []],
    [
      {
        ports: [
          { name: "b", port: 11 },
          { name: "a", port: 12 },
        ],
      },
      {
        ports: [
          { name: "a", port: 11 },
          { name: "b", port: 11 },
        ],
      },
      ["ports[1].port"],
    ],
    [
      { hosts: [{ name: "b" }, { name: "a", port: 1 }] },
      { hosts: [{ name: "a", port: 1 }, { name: "b" }] },
      [],
    ],
    [
      { hosts: [{ name: "b" }, { name: "a" }] },
      { hosts: [{ name: "a", port: 1 }, { name: "b" }] },
      ["hosts"],
    ],
    [{ hosts: [{ name: "b" }, { name: "c" }] }, { hosts: [{ name: "a" }, { name: "b" }] }, ["hosts"]],
    [{ either: {} }, { either: {} }, []],
    [{ either: { a: 2 } }, { either: { a: 2, b: 1 } }, []],
    [{ owner: { x: 1 } }, { owner: { x: 1 } }, []],
    [{ owner: { x: 2 } }, { owner: { x: 1 } }, ["owner.name"]],
  ])("%j after %j", (now, before, expected) => {
    expect(fields(now, before)).toEqual(expected);
  });
});

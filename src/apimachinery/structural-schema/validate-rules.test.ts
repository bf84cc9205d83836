import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import type { JsonObject } from "../json/json-value.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { celNameOf } from "./rule-types.js";
import type { StructuralSchema } from "./structural-schema.js";
import { validateRules } from "./validate-rules.js";

const prefix = "x-keep-";

/** A schema with the properties `spec` and rules at the root. */
function schemaOf(spec: JsonObject, ...rules: readonly JsonObject[]): StructuralSchema {
  return parseStructuralSchema({ type: "object", "x-keep-validations": rules, properties: { spec } }, prefix);
}

function errorsOf(schema: StructuralSchema, spec: JsonObject, old?: JsonObject): string[] {
  const object = (part: JsonObject): JsonObject => ({
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { name: "b" },
    spec: part,
  });
  return validateRules(object(spec), old && object(old), schema).map(
    ({ field, body }) => `${field}: ${body}`,
  );
}

const rulesOf = (...rules: readonly string[]) => ({ "x-keep-validations": rules.map((rule) => ({ rule })) });
const int = { type: "integer" };

describe("rules", () => {
  test("are checked where they stand, and told of with the type of the value", () => {
    const schema = schemaOf(
      {
        type: "object",
        ...rulesOf("self.min <= self.max"),
        properties: {
          min: { ...int, ...rulesOf("self >= 0") },
          max: int,
          list: { type: "array", items: { type: "string", ...rulesOf("self != ''") } },
          map: { type: "object", additionalProperties: { ...int, ...rulesOf("self > 0") } },
        },
      },
      { rule: "self.metadata.name == 'b' && self.kind == 'Boat'" },
    );
    expect(errorsOf(schema, { min: 1, max: 2, list: ["a"], map: { a: 1 } })).toEqual([]);
    expect(errorsOf(schema, { min: -1, max: -2, list: ["a", ""], map: { a: 0 } })).toEqual([
      'spec: Invalid value: "object": failed rule: self.min <= self.max',
      'spec.min: Invalid value: "integer": failed rule: self >= 0',
      "spec.list[1]: Invalid value: \"string\": failed rule: self != ''",
      'spec.map[a]: Invalid value: "integer": failed rule: self > 0',
    ]);
  });

  test("with an optional oldSelf are checked where there is no earlier value, too", () => {
    const rule = "!oldSelf.hasValue() || oldSelf.value() <= self";
    const schema = schemaOf({
      type: "object",
      properties: {
        a: { ...int, "x-keep-validations": [{ rule, optionalOldSelf: true }] },
        b: { ...int, "x-keep-validations": [{ rule: "oldSelf.orValue(1) < self", optionalOldSelf: true }] },
        c: { ...int, "x-keep-validations": [{ rule: "oldSelf == self", optionalOldSelf: false }] },
      },
    });
    expect(errorsOf(schema, { a: 1, b: 2, c: 3 })).toEqual([]);
    expect(errorsOf(schema, { b: 1 })).toEqual([
      'spec.b: Invalid value: "integer": failed rule: oldSelf.orValue(1) < self',
    ]);
    expect(errorsOf(schema, { a: 1, b: 3, c: 3 }, { a: 2, b: 3, c: 3 })).toEqual([
      `spec.a: Invalid value: "integer": failed rule: ${rule}`,
      'spec.b: Invalid value: "integer": failed rule: oldSelf.orValue(1) < self',
    ]);
  });

  test("of a value that may be an integer or a string name no type", () => {
    const port = { "x-keep-int-or-string": true, ...rulesOf("self == 1") };
    const schema = schemaOf({ type: "object", properties: { port } });
    expect(errorsOf(schema, { port: "x" })).toEqual(['spec.port: Invalid value: "": failed rule: self == 1']);
  });

  test("that have no value are told of with what went wrong", () => {
    const schema = schemaOf(
      { type: "object", properties: { a: int, b: int } },
      { rule: "self.spec.a > self.spec.b" },
    );
    expect(errorsOf(schema, { a: 1 })).toEqual([
      '<nil>: Invalid value: "object": no such key: b evaluating rule: self.spec.a > self.spec.b',
    ]);
  });

  test("have messages, made or fixed, reasons and fields", () => {
    const schema = schemaOf(
      { type: "object", properties: { a: int, "b.c": int } },
      {
        rule: "self.spec.a < 5",
        message: " too large ",
        reason: "FieldValueForbidden",
        fieldPath: ".spec.a",
      },
      {
        rule: "self.spec.a < 4",
        messageExpression: "'a is ' + string(self.spec.a)",
        fieldPath: ".spec['b.c']",
      },
      { rule: "self.spec.a < 3", messageExpression: "string(1 / 0)", message: "fixed" },
      { rule: "self.spec.a < 2", messageExpression: "''", reason: "FieldValueRequired" },
    );
    expect(errorsOf(schema, { a: 9 })).toEqual([
      "spec.a: Forbidden: too large",
      'spec.b.c: Invalid value: "object": a is 9',
      '<nil>: Invalid value: "object": fixed',
      "<nil>: Required value: failed rule: self.spec.a < 2",
    ]);
  });

  test("name fields of objects and keys of maps", () => {
    const schema = schemaOf({
      type: "object",
      properties: { sizes: { type: "object", additionalProperties: int }, "it's": int },
      "x-keep-validations": [
        { rule: "false", fieldPath: ".sizes.large" },
        { rule: "false", fieldPath: ".sizes['a.b']" },
        { rule: "false", fieldPath: "['it\\'s']" },
      ],
    });
    expect(errorsOf(schema, {}).map((text) => text.split(":")[0])).toEqual([
      "spec.sizes[large]",
      "spec.sizes[a.b]",
      "spec.it's",
    ]);
  });

  test("say so when a value that may have two types has the wrong one", () => {
    const schema = schemaOf({
      type: "object",
      properties: { port: { "x-keep-int-or-string": true, ...rulesOf("self > 0") } },
    });
    expect(errorsOf(schema, { port: 1 })).toEqual([]);
    expect(errorsOf(schema, { port: "a" })).toEqual([
      expect.stringMatching(
        /^spec.port: Invalid value: "": 'no such overload.*': call arguments did not match a supported operator, function or macro signature for rule: self > 0$/,
      ),
    ]);
  });

  test("make messages without the space around them", () => {
    const rule = (messageExpression: string) =>
      schemaOf(int, { rule: "self.spec > 5", messageExpression, message: "fixed" });
    const message = (messageExpression: string) =>
      validateRules(
        { apiVersion: "a/v1", kind: "A", metadata: {}, spec: 1 },
        undefined,
        rule(messageExpression),
      ).map(({ body }) => body.split(": ").at(-1));
    expect(message("'too small\\n'")).toEqual(["too small"]);
    expect(message("'too\\nsmall'")).toEqual(["fixed"]);
    expect(message(" ")).toEqual(["fixed"]);
  });

  test("with oldSelf are checked where the value was there before", () => {
    const schema = schemaOf({
      type: "object",
      properties: {
        size: { ...int, ...rulesOf("self >= oldSelf") },
        ports: {
          type: "array",
          "x-keep-list-type": "map",
          "x-keep-list-map-keys": ["name"],
          items: {
            type: "object",
            properties: { name: { type: "string" }, number: { ...int, ...rulesOf("self == oldSelf") } },
          },
        },
        list: { type: "array", items: int, ...rulesOf("self.size() >= oldSelf.size()") },
      },
    });
    const old = {
      size: 3,
      ports: [
        { name: "a", number: 1 },
        { name: "b", number: 2 },
      ],
      list: [1],
    };
    expect(errorsOf(schema, { size: 1 })).toEqual([]);
    expect(errorsOf(schema, { size: 1 }, {})).toEqual([]);
    expect(errorsOf(schema, { ...old, size: 2, list: [] }, old)).toEqual([
      'spec.size: Invalid value: "integer": failed rule: self >= oldSelf',
      'spec.list: Invalid value: "array": failed rule: self.size() >= oldSelf.size()',
    ]);
    const moved = [
      { name: "b", number: 2 },
      { name: "c", number: 7 },
      { name: "a", number: 5 },
    ];
    expect(errorsOf(schema, { ...old, ports: moved }, old)).toEqual([
      'spec.ports[2].number: Invalid value: "integer": failed rule: self == oldSelf',
    ]);
  });

  test("know the types of formats, of what may be null, and of what may be two", () => {
    const schema = schemaOf(
      {
        type: "object",
        properties: {
          at: { type: "string", format: "date-time" },
          day: { type: "string", format: "date" },
          wait: { type: "string", format: "duration" },
          data: { type: "string", format: "byte" },
          port: { "x-keep-int-or-string": true },
          maybe: { type: "string", nullable: true },
          "a-b/c.d": int,
          namespace: int,
          __proto: int,
        },
      },
      { rule: "self.spec.at > self.spec.day && self.spec.wait > duration('1m') && self.spec.data == b'hi'" },
      { rule: "type(self.spec.port) == int ? self.spec.port < 9 : self.spec.port == 'x'" },
      { rule: "!has(self.spec.maybe) || self.spec.maybe == 'x'" },
      {
        rule: "self.spec.a__dash__b__slash__c__dot__d + self.spec.__namespace__ + self.spec.__underscores__proto == 6",
      },
    );
    const spec = {
      at: "2024-01-02T03:04:05Z",
      day: "2024-01-01",
      wait: "2m",
      data: "aGk=",
      port: 8,
      maybe: null,
      "a-b/c.d": 1,
      namespace: 2,
      __proto: 3,
    };
    expect(errorsOf(schema, spec)).toEqual([]);
    expect(errorsOf(schema, { ...spec, port: "x", maybe: "x" })).toEqual([]);
    expect(errorsOf(schema, { ...spec, port: 10, data: "aGg=" })).toHaveLength(2);
  });

  test("find a field that is null absent", () => {
    const schema = schemaOf(
      { type: "object", properties: { count: { ...int, nullable: true } } },
      { rule: "!has(self.spec.count) || self.spec.count > 1", message: "too few" },
      { rule: "self.spec.?count.orValue(5) < 9", message: "too many" },
      { rule: "self.spec.count > 1 || true" },
    );
    expect(errorsOf(schema, { count: null })).toEqual([]);
    expect(errorsOf(schema, { count: 1 })).toHaveLength(1);
    const unguarded = schemaOf(
      { type: "object", properties: { count: { ...int, nullable: true } } },
      { rule: "self.spec.count > 1" },
      { rule: "self.spec.count == null" },
    );
    expect(errorsOf(unguarded, { count: null })).toEqual([
      '<nil>: Invalid value: "object": no such key: count evaluating rule: self.spec.count > 1',
      expect.stringContaining("found no matching overload for '_==_' applied to '(int, null)'"),
    ]);
  });

  test("compare what they cannot refer to", () => {
    const schema = schemaOf({
      type: "object",
      properties: {
        open: { type: "object", "x-keep-preserve-unknown-fields": true, properties: { a: int } },
      },
      ...rulesOf("self == oldSelf"),
    });
    const was = { open: { a: 1, b: { c: [1] } } };
    expect(errorsOf(schema, structuredClone(was), was)).toEqual([]);
    expect(errorsOf(schema, { open: { a: 1, b: { c: [1, 2] } } }, was)).toHaveLength(1);
    expect(errorsOf(schema, { open: { a: 1 } }, was)).toHaveLength(1);
    expect(errorsOf(schema, { open: { a: 1, b: { c: [1] }, d: 1 } }, was)).toHaveLength(1);
  });

  test("of embedded objects know their names", () => {
    const schema = schemaOf({
      type: "object",
      "x-keep-embedded-resource": true,
      "x-keep-preserve-unknown-fields": true,
      ...rulesOf("self.metadata.name == 'x' && self.kind == 'Pod'"),
    });
    expect(errorsOf(schema, { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } })).toEqual([]);
    expect(errorsOf(schema, { apiVersion: "v1", kind: "Pod", metadata: { name: "y" } })).toHaveLength(1);
  });

  test("end when all of them together have spent what an object may", () => {
    const schema = schemaOf({
      type: "object",
      properties: { list: { type: "array", items: int, ...rulesOf("self.all(a, self.all(b, a + b > 0))") } },
    });
    const list = Array.from({ length: 10_000 }, (_, at) => at + 1);
    expect(errorsOf(schema, { list })).toEqual([
      '<nil>: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});

test.each([
  ["name", "name"],
  ["a.b", "a__dot__b"],
  ["a-b", "a__dash__b"],
  ["a/b", "a__slash__b"],
  ["a__b", "a__underscores__b"],
  ["in", "__in__"],
  ["1a", undefined],
  ["a b", undefined],
])("rules know the field %s as %s", (name, escaped) => expect(celNameOf(name)).toBe(escaped));

test.each([
  [34, ['"object": why', '"string": why', '"integer": failed rule: self > 5', ' value: "array"']],
  [35, [" value: why", '"<a>": why', " 1: failed rule: self > 5", "Duplicate value"]],
])("the words of 1.%i show the type of a value or the value itself", (minor, expected) => {
  const rule = (text: string, more: object = {}) => ({
    "x-kubernetes-validations": [{ rule: text, ...more }],
  });
  const schema = parseStructuralSchema(
    {
      type: "object",
      ...rule("false", { message: "why" }),
      properties: {
        name: { type: "string", ...rule("self == 'ok'", { message: "why" }) },
        size: { type: "integer", ...rule("self > 5") },
        list: {
          type: "array",
          items: { type: "string" },
          ...rule("size(self) > 2", { reason: "FieldValueDuplicate" }),
        },
      },
    },
    "x-kubernetes-",
  );
  const object = { name: "<a>", size: 1, list: ["a"] };
  const bodies = withErrorTextsOf(minor, () => validateRules(object, undefined, schema)).map(
    ({ body }) => body,
  );
  expect(bodies).toEqual(
    expected.map((end) => expect.stringMatching(new RegExp(`${end.replaceAll("(", ".")}$`))),
  );
});

describe("an update at a level that lets invalid values stay", () => {
  const ratcheted = (rule: string, now: JsonObject, before: JsonObject) => {
    const schema = parseStructuralSchema(
      {
        type: "object",
        properties: {
          a: { type: "integer", "x-kubernetes-validations": [{ rule }] },
          items: { type: "array", items: { type: "integer", "x-kubernetes-validations": [{ rule }] } },
        },
      },
      "x-kubernetes-",
    );
    const warn = (text: string) => warnings.push(text);
    return validateRules(now, before, schema, { ratchets: true, warn }).map(({ field }) => field);
  };
  const warnings: string[] = [];

  test("keeps an associative list whose items have only moved", () => {
    const schema = parseStructuralSchema(
      {
        type: "object",
        properties: {
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: { type: "object", properties: { name: { type: "string" }, number: { type: "integer" } } },
            "x-kubernetes-validations": [{ rule: "size(self) < 2" }],
          },
        },
      },
      "x-kubernetes-",
    );
    const fields = (...now: readonly JsonObject[]) =>
      validateRules({ ports: now }, { ports: [{ name: "a" }, { name: "b" }] }, schema, { ratchets: true });
    expect(fields({ name: "b" }, { name: "a" })).toEqual([]);
    expect(fields({ name: "b" }, { name: "a", number: 1 })).toHaveLength(1);
    expect(fields({ name: "b" }, { name: "c" })).toHaveLength(1);
  });

  test("drops what breaks a rule and is as it was, but not rules about the change", () => {
    expect(ratcheted("self > 1", { a: 0 }, { a: 0 })).toEqual([]);
    expect(ratcheted("self > 1", { a: 0 }, { a: 1 })).toEqual(["a"]);
    expect(ratcheted("self > oldSelf", { a: 0 }, { a: 0 })).toEqual(["a"]);
    expect(ratcheted("self > 1", { items: [0, 1] }, { items: [0, 1] })).toEqual([]);
    expect(ratcheted("self > 1", { items: [0, 2] }, { items: [0, 1] })).toEqual(["items[0]"]);
    expect(warnings).toEqual([
      'a: Invalid value: "integer": failed rule: self > 1',
      'items[0]: Invalid value: "integer": failed rule: self > 1',
      'items[1]: Invalid value: "integer": failed rule: self > 1',
    ]);
  });
});

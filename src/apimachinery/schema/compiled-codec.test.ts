import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.js";
import { oldestLevel } from "../levels/api-level.js";
import { metaV1Types } from "../meta-types/v1.js";
import { DecodeError } from "./codec.js";
import type { MessageDeclaration } from "./declaration.js";
import { SchemaRegistry } from "./schema-registry.js";

const declarations: { readonly [name: string]: MessageDeclaration } = {
  Widget: {
    kind: "Widget",
    fields: {
      metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
      spec: { number: 2, type: "test/v1.Spec" },
    },
  },
  Spec: {
    fields: {
      title: { number: 1, type: "string", omitempty: true },
      needed: { number: 2, type: "string" },
      replicas: { number: 3, type: "int32", pointer: true, omitempty: true },
      size: { number: 4, type: "int64", omitempty: true },
      ratio: { number: 5, type: "double", omitempty: true },
      on: { number: 6, type: "bool", omitempty: true },
      data: { number: 7, type: "bytes", omitempty: true },
      parts: { number: 8, type: "test/v1.Part", list: true },
      tags: { number: 9, type: "string", list: true, omitempty: true },
      labels: { number: 10, type: "string", map: true, omitempty: true },
      numbers: { number: 11, type: "int32", list: true, omitempty: true },
      limit: { number: 12, type: "Quantity", pointer: true, omitempty: true },
      port: { number: 13, type: "IntOrString", pointer: true, omitempty: true },
      at: { number: 14, type: "Time", omitempty: true },
      micro: { number: 15, type: "MicroTime", pointer: true, omitempty: true },
      raw: { number: 16, type: "RawExtension", omitempty: true },
      wait: { number: 17, type: "Duration", pointer: true, omitempty: true },
      widgets: {
        number: 18,
        type: "test/v1.Widget",
        list: true,
        omitempty: true,
        embeddedType: { kind: "Widget", apiVersion: "v7" },
      },
      keys: { number: 50, type: "StringList", map: true, omitempty: true },
      far: { number: 300, type: "string", omitempty: true },
    },
  },
  Part: { fields: { name: { number: 1, type: "string" }, inner: { number: 2, type: "test/v1.Empty" } } },
  Empty: { fields: { x: { number: 1, type: "int32", omitempty: true } } },
  TextOnly: { protobuf: false, fields: { cells: { number: 0, type: "any", list: true } } },
};

const registry = new SchemaRegistry([metaV1Types, { name: "test/v1", declare: () => declarations }], {
  level: oldestLevel,
});
const widget = registry.codec("test/v1.Widget");
const spec = registry.codec("test/v1.Spec");

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function decodeError(run: () => unknown): DecodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("canonical form", () => {
  test("has messages and required scalars, and no zero values of others", () => {
    expect(widget.fromJson({})).toEqual({ metadata: {}, spec: { needed: "" } });
    expect(spec.fromJson({ title: "", size: 0, on: false, tags: [], labels: {}, replicas: 0 })).toEqual({
      needed: "",
      replicas: 0,
    });
  });

  test("has canonical quantities, times, durations and bytes", () => {
    const value = {
      limit: "1024Mi",
      at: "2020-01-02T03:04:05.9+01:00",
      wait: "90m",
      data: "YR==",
      micro: "2020-01-02T03:04:05.000006Z",
    };
    expect(spec.fromJson(value)).toEqual({
      needed: "",
      data: "YQ==",
      limit: "1Gi",
      at: "2020-01-02T02:04:05Z",
      micro: "2020-01-02T03:04:05.000006Z",
      wait: "1h30m0s",
    });
  });

  test("treats null as absent, and as the zero value in lists and maps", () => {
    const value = { title: null, parts: [null], tags: ["a", null], labels: { a: null }, raw: null };
    expect(spec.fromJson(value)).toEqual({
      needed: "",
      parts: [{ name: "", inner: {} }],
      tags: ["a", ""],
      labels: { a: "" },
    });
    expect(widget.fromJson(null)).toEqual(widget.fromJson({}));
  });

  test("has properties in the order of the declaration, however they came", () => {
    const backwards = { far: "f", parts: [], needed: "n", title: "t" };
    expect(Object.keys(spec.fromJson(backwards))).toEqual(["title", "needed", "parts", "far"]);
    expect(Object.keys(spec.fromProto(spec.toProto(spec.fromJson({ far: "f", title: "t" }))))).toEqual([
      "title",
      "needed",
      "far",
    ]);
  });

  test("keeps a member named __proto__ as a member", () => {
    const labels: JsonValue = JSON.parse('{"__proto__":"x"}');
    const object = spec.fromJson({ labels });
    expect(spec.toJson(object)).toContain('"labels":{"__proto__":"x"}');
    expect(spec.toJson(spec.fromProto(spec.toProto(object)))).toBe(spec.toJson(object));
    expect(spec.toJson(spec.clone(object))).toBe(spec.toJson(object));
  });
});

describe("JSON", () => {
  test("is printed in declaration order, with sorted maps, null for what has no omitempty, and escapes", () => {
    const object = { labels: { b: "2", a: "<&>\u2028" }, needed: "\u0001", size: 9007199254740993n };
    expect(spec.toJson(object)).toBe(
      '{"needed":"\\u0001","size":9007199254740993,"parts":null,' +
        '"labels":{"a":"\\u003c\\u0026\\u003e\\u2028","b":"2"},"at":null,"raw":null}',
    );
    expect(widget.toJsonWithType({}, { kind: "Widget", apiVersion: "test/v1" })).toBe(
      '{"kind":"Widget","apiVersion":"test/v1","metadata":{"creationTimestamp":null},' +
        '"spec":{"needed":"","parts":null,"at":null,"raw":null}}',
    );
    const empty = registry.codec("test/v1.Empty");
    expect(empty.toJson({})).toBe("{}");
    expect(empty.toJsonWithType({}, { kind: "E", apiVersion: "v1" })).toBe('{"kind":"E","apiVersion":"v1"}');
  });

  test("is null where a stored list is empty", () => {
    const empty = spec.fromJson({ parts: [] });
    expect(spec.toJson(empty)).toContain('"parts":[]');
    expect(spec.toStoredJson(empty)).toContain('"parts":null');
  });

  test("an absent structure is null, unless its zero is left out", () => {
    const times = new SchemaRegistry([
      {
        name: "t/v1",
        declare: () => ({
          Times: {
            fields: {
              shown: { number: 1, type: "Time", omitempty: true },
              left: { number: 2, type: "Time", omitempty: true, omitzero: true },
            },
          },
        }),
      },
    ]).codec<object>("t/v1.Times");
    expect(times.toJson({})).toBe('{"shown":null}');
    expect(times.toJson(times.fromJson({ left: "2026-01-02T03:04:05Z" }))).toBe(
      '{"shown":null,"left":"2026-01-02T03:04:05Z"}',
    );
  });

  test("is printed from objects that are not canonical too", () => {
    const object = { tags: [], labels: {}, title: "", limit: "1000m", parts: [{}], raw: undefined };
    expect(spec.toJson(object)).toBe(
      '{"needed":"","parts":[{"name":"","inner":{}}],"limit":"1","at":null,"raw":null}',
    );
    expect(spec.toJson({ limit: "nonsense" })).toContain('"limit":"nonsense"');
  });

  test("embedded objects say what they are, whatever they said, and nothing of it in protobuf", () => {
    const whole =
      '"widgets":[{"kind":"Widget","apiVersion":"v7","metadata":{"creationTimestamp":null},"spec":';
    const said = spec.fromJson({ widgets: [{ kind: "Other", apiVersion: "v8" }] });
    const silent = spec.fromJson({ widgets: [{}] });
    for (const object of [said, silent, spec.fromJson({ widgets: [null] }), spec.clone({ widgets: [{}] })]) {
      expect(spec.toJson(object)).toContain(whole);
      expect(spec.fromProto(spec.toProto(object))).toEqual(silent);
      expect(object).toEqual(silent);
    }
    expect(spec.toJson({ widgets: [{}] })).toContain(whole);
    expect(silent).toMatchObject({ widgets: [{ kind: "Widget", apiVersion: "v7" }] });
    const paths: string[] = [];
    spec.fromJson(
      { widgets: [{ kind: "Other", apiVersion: "v8", x: 1 }] },
      { onUnknownField: (path) => paths.push(path) },
    );
    expect(paths).toEqual(["widgets[0].x"]);
    expect(hex(spec.toProto(silent))).not.toContain(hexOf("Widget"));
  });

  test("members that the type does not have are dropped, and reported with their paths", () => {
    const paths: string[] = [];
    const value = {
      kind: "Widget",
      apiVersion: "v1",
      Spec: {},
      spec: { parts: [{ name: "a" }, { nmae: 1, inner: { y: 2 } }], labels: { any: "thing" } },
    };
    const object = widget.fromJson(value, { onUnknownField: (path) => paths.push(path) });
    expect(paths).toEqual(["Spec", "spec.parts[1].nmae", "spec.parts[1].inner.y"]);
    expect(object).toEqual(widget.fromJson(value));
  });

  test.each<[value: JsonValue, message: string, path: string]>([
    [{ spec: 5 }, "json: cannot unmarshal number into Go struct field Widget.spec of type v1.Spec", "spec"],
    [
      { spec: { parts: "x" } },
      "json: cannot unmarshal string into Go struct field Spec.spec.parts of type []v1.Part",
      "spec.parts",
    ],
    [
      { spec: { parts: [{ name: {} }] } },
      "json: cannot unmarshal object into Go struct field Part.spec.parts.name of type string",
      "spec.parts[0].name",
    ],
    [
      { spec: { replicas: 5000000000 } },
      "json: cannot unmarshal number 5000000000 into Go struct field Spec.spec.replicas of type int32",
      "spec.replicas",
    ],
    [
      { spec: { size: 9223372036854775808n } },
      "json: cannot unmarshal number 9223372036854775808 into Go struct field Spec.spec.size of type int64",
      "spec.size",
    ],
    [
      { spec: { labels: { a: true } } },
      "json: cannot unmarshal bool into Go struct field Spec.spec.labels of type string",
      "spec.labels.a",
    ],
    [
      { spec: { widgets: [{ kind: 5, apiVersion: "v8" }] } },
      "json: cannot unmarshal number into Go struct field Widget.spec.widgets.kind of type string",
      "spec.widgets[0].kind",
    ],
    [
      { spec: { widgets: [{ kind: null, apiVersion: [] }] } },
      "json: cannot unmarshal array into Go struct field Widget.spec.widgets.apiVersion of type string",
      "spec.widgets[0].apiVersion",
    ],
    [[], "json: cannot unmarshal array into Go value of type v1.Widget", ""],
    [
      { spec: { on: "x", at: "yesterday" } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
      "spec.at",
    ],
    [
      { spec: { limit: "1 apple" } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      "spec.limit",
    ],
    [{ spec: { data: "?" } }, "illegal base64 data at input byte 0", "spec.data"],
  ])("refuses what does not fit in Kubernetes' words (%#)", (value, message, path) => {
    expect(decodeError(() => widget.fromJson(value))).toMatchObject({ message, path });
  });

  test.each([
    ["replicas", "Spec.spec.replicas of type int32"],
    ["size", "Spec.spec.size of type int64"],
    ["port", "Spec.spec.port of type int32"],
  ])("%s takes no number that is written with a fraction", (field, of) => {
    const numberTexts = new Map([[`spec.${field}`, "1.0"]]);
    const value = { spec: { [field]: 1 } };
    expect(decodeError(() => widget.fromJson(value, { numberTexts })).message).toBe(
      `json: cannot unmarshal number 1.0 into Go struct field ${of}`,
    );
    expect(widget.fromJson(value, { numberTexts: new Map([["spec.ratio", "1.0"]]) })).toEqual(
      widget.fromJson(value),
    );
  });

  test("a quantity keeps the form of the number that is written", () => {
    const numberTexts = new Map([["spec.limit", "1e3"]]);
    expect(widget.fromJson({ spec: { limit: 1000 } }, { numberTexts })).toMatchObject({
      spec: { limit: "1e3" },
    });
  });

  test("64-bit integers are exact", () => {
    for (const size of [2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n, 9007199254740991, -1]) {
      const object = spec.fromJson({ size });
      expect(object).toMatchObject({ size });
      expect(spec.fromProto(spec.toProto(object))).toEqual(object);
      expect(spec.toJson(object)).toContain(`"size":${size},`);
    }
  });
});

describe("protobuf", () => {
  test.each<[string, object, { readonly [number: number]: string }]>([
    ["values that cannot be absent, though zero", {}, {}],
    ["strings", { title: "é", needed: "a" }, { 1: "0a02c3a9", 2: "120161" }],
    ["a pointer to zero", { replicas: 0 }, { 3: "1800" }],
    [
      "negative numbers, in ten bytes",
      { replicas: -1, size: -2 },
      { 3: "18ffffffffffffffffff01", 4: "20feffffffffffffffff01" },
    ],
    ["double and bool", { ratio: 1.5, on: true }, { 5: "29000000000000f83f", 6: "3001" }],
    ["bytes", { data: "AQI=" }, { 7: "3a020102" }],
    ["a message", { parts: [{ name: "a", inner: {} }] }, { 8: "42070a0161" + "12020800" }],
    ["maps, sorted", { labels: { b: "2", a: "" } }, { 10: "52050a01611200" + "52060a0162120132" }],
    ["lists of numbers, not packed", { numbers: [1, 300] }, { 11: "5801" + "58ac02" }],
    ["a quantity", { limit: "1000m" }, { 12: "62030a0131" }],
    ["a number or text: number", { port: 80 }, { 13: "6a060800" + "1050" + "1a00" }],
    ["a number or text: text", { port: "web" }, { 13: "6a090801" + "1000" + "1a03776562" }],
    ["a time", { at: "1970-01-01T00:02:08Z" }, { 14: "7205088001" + "1000" }],
    ["a time before 1970", { at: "1969-12-31T23:59:59Z" }, { 14: "720d08ffffffffffffffffff01" + "1000" }],
    ["a time with microseconds", { micro: "1970-01-01T00:00:01.000002Z" }, { 15: "7a05080110d00f" }],
    ["raw JSON", { raw: { a: "<" } }, { 16: `8201100a0e${hexOf('{"a":"\\u003c"}')}` }],
    ["a duration", { wait: "1ns" }, { 17: "8a01020801" }],
    ["a large field number", { far: "x" }, { 300: "e2120178" }],
  ])("writes %s", (_name, object, fields) => {
    const bytes = spec.toProto(object);
    const whole = { ...zeroFields, ...fields };
    // Engines order numeric keys by number.
    expect(hex(bytes)).toBe(Object.values(whole).join(""));
    expect(spec.toJson(spec.fromProto(bytes))).toBe(spec.toJson(object));
  });

  test("fields come in any order, and unknown ones are skipped", () => {
    const part = registry.codec("test/v1.Part");
    const inOrder = part.fromProto(Buffer.from("0a0161" + "12020801", "hex"));
    const mixed = Buffer.from(
      // Unknown: 3 varint, 4 fixed64, 5 bytes, 6 group holding a group, 7 fixed32.
      "12020801" +
        "18ac02" +
        "210000000000000000" +
        "2a020000" +
        "33" +
        "3b08013c" +
        "34" +
        "3d00000000" +
        "0a0161",
      "hex",
    );
    expect(part.fromProto(mixed)).toEqual(inOrder);
    expect(inOrder).toEqual({ name: "a", inner: { x: 1 } });
  });

  test("the parts of a message that comes several times are read as one", () => {
    const first = {
      metadata: { name: "a", labels: { a: "1" } },
      spec: { needed: "n", replicas: 3, tags: ["x"] },
    };
    const title = "0a0174";
    const replicas = "1800";
    const tag = "4a0179";
    const parts = [
      hex(widget.toProto(first)),
      `1206${title}${tag}`,
      "1200",
      `1202${replicas}`,
      `0a08${"5a060a01621201" + "32"}`,
    ];
    expect(widget.fromProto(Buffer.from(parts.join(""), "hex"))).toEqual({
      metadata: { name: "a", labels: { a: "1", b: "2" } },
      spec: { title: "t", needed: "n", replicas: 0, tags: ["x", "y"] },
    });
  });

  test.each([
    ["a quantity", "62030a0131" + "6200", { limit: "1" }],
    ["a number or text", "6a021005" + "6a0408011a00" + "6a031a0161", { port: "a" }],
    ["a duration", "8a01020801" + "8a0100", { wait: "1ns" }],
    ["raw JSON", "8201040a027b7d" + "820100", { raw: {} }],
  ])("parts of %s are read as one", (_name, bytes, expected) => {
    expect(spec.fromProto(Buffer.from(bytes, "hex"))).toEqual({ needed: "", ...expected });
  });

  test("of several times the last counts, also when it is none", () => {
    const fields = "7205088001" + "1000";
    expect(spec.fromProto(Buffer.from(`${fields}7200`, "hex"))).toEqual({ needed: "" });
    expect(spec.fromProto(Buffer.from(`7200${fields}`, "hex"))).toMatchObject({ at: "1970-01-01T00:02:08Z" });
  });

  test("packed numbers are read", () => {
    expect(spec.fromProto(Buffer.from("5a0301ac02", "hex"))).toMatchObject({ numbers: [1, 300] });
  });

  test.each([1n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n])(
    "%s and its negatives are read exactly",
    (positive) => {
      for (const size of [positive, -positive, -positive - 1n]) {
        const number = Number(size);
        expect(spec.fromProto(spec.toProto({ size }))).toMatchObject({
          size: Number.isSafeInteger(number) ? number : size,
        });
      }
    },
  );

  test.each([
    ["a string that ends beyond the message", "0a05616263"],
    ["a nested message that ends beyond its parent", "120408ffffff"],
    ["a varint without an end", "18ffff"],
    ["a varint of more than ten bytes", "18ffffffffffffffffffffff01"],
    ["a tag without a value", "0a"],
    ["a field number of zero", "0001"],
    ["the wrong wire type", "0801"],
    ["an end of group without its start", "34"],
    ["a group without an end", "33"],
    ["a wire type that does not exist", "37"],
    ["a length beyond 2^53", "0affffffffffffffffff01"],
  ])("%s is refused", (_name, bytes) => {
    const part = registry.codec("test/v1.Part");
    expect(decodeError(() => part.fromProto(Buffer.from(bytes, "hex"))).message).not.toBe("");
  });

  test.each([
    ["a time after the year 9999", `720a08${"80".repeat(8)}0f`, /^proto: time \d+ is out of range$/],
    ["an empty quantity", "62020a00", /^quantities must match/],
    ["a quantity that is none", "62030a0178", /^quantities must match/],
    ["a quantity of another wire type", "62020801", "proto: wrong wireType = 0 for field String_"],
    ["seconds of another wire type", "72030a0161", "proto: wrong wireType = 2 for field Seconds"],
    ["a number or text of another wire type", "6a030a0161", "proto: wrong wireType = 2 for field Type"],
    ["raw JSON in a group", "8201020b0c", "proto: wrong wireType = 3 for field Raw"],
    ["a key of another wire type", "52020801", "proto: wrong wireType = 0 for field key"],
  ])("%s is refused", (_name, bytes, message) => {
    expect(decodeError(() => spec.fromProto(Buffer.from(bytes, "hex"))).message).toMatch(message);
  });

  test("raw JSON that is none is refused", () => {
    expect(decodeError(() => spec.fromProto(Buffer.from("8201030a017b", "hex"))).message).toBe(
      "unexpected end of JSON input",
    );
  });

  test("objects larger than the buffer are encoded", () => {
    for (const length of [40_000, 70_000, 5_000_000]) {
      const object = { needed: "x".repeat(length), tags: ["y".repeat(length), "é"], title: "t" };
      const bytes = spec.toProto(object);
      expect(bytes.length).toBeGreaterThan(2 * length);
      expect(spec.fromProto(bytes)).toEqual(object);
    }
    expect(hex(spec.toProto({}))).toBe(Object.values(zeroFields).join(""));
  });

  test("encoded bytes are the caller's own", () => {
    const first = spec.toProto({ needed: "first" });
    spec.toProto({ needed: "other" });
    expect(spec.fromProto(first)).toMatchObject({ needed: "first" });
  });

  test("types for JSON only have none", () => {
    const textOnly = registry.codec("test/v1.TextOnly");
    expect(textOnly.toJson({ cells: [1, "a", null] })).toBe('{"cells":[1,"a",null]}');
    expect(() => textOnly.toProto({})).toThrow("has no protobuf form");
  });
});

test("a clone shares nothing with its original", () => {
  const object = spec.fromJson({ parts: [{ name: "a" }], labels: { a: "b" }, tags: ["t"], raw: { x: [1] } });
  const clone = spec.clone(object);
  expect(clone).toEqual(object);
  const text = spec.toJson(object);
  Object.assign(clone, { labels: undefined });
  for (const member of Object.values(clone)) {
    if (Array.isArray(member)) member.push("changed");
    else if (typeof member === "object" && member !== null) Object.assign(member, { x: "changed" });
  }
  expect(spec.toJson(object)).toBe(text);
});

test("schemas nested beyond the limit are refused, in JSON and in protobuf", () => {
  const nodes = new SchemaRegistry([
    {
      name: "t/v1",
      declare: () => ({
        Node: { fields: { next: { number: 1, type: "t/v1.Node", pointer: true, omitempty: true } } },
      }),
    },
  ]).codec("t/v1.Node");
  const nested = (levels: number): JsonValue => {
    let value: JsonValue = {};
    for (let level = 1; level < levels; level++) value = { next: value };
    return value;
  };
  const deepest = nodes.fromJson(nested(400));
  expect(nodes.fromProto(nodes.toProto(deepest))).toEqual(deepest);
  expect(decodeError(() => nodes.fromJson(nested(401))).message).toBe("exceeded max depth");
  let bytes = Buffer.alloc(0);
  for (let level = 0; level < 20_000; level++)
    bytes = Buffer.concat([Buffer.from([0x0a]), varint(bytes.length), bytes]);
  expect(decodeError(() => nodes.fromProto(bytes)).message).toBe("exceeded max depth");
  expect(nodes.fromJson({ next: {} })).toEqual({ next: {} });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** The bytes of an empty `Spec`: the fields that are not pointers, lists, maps or bytes. */
const zeroFields = {
  1: "0a00",
  2: "1200",
  4: "2000",
  5: "290000000000000000",
  6: "3000",
  14: "7200",
  16: "820100",
  300: "e21200",
};

import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import {
  choice,
  double,
  encodeMessage,
  flag,
  integer,
  json,
  type MessageShape,
  message,
  repeated,
  text,
  within,
} from "./protobuf-shape.js";

function encoded(value: JsonValue, shape: MessageShape): string {
  return Buffer.from(
    encodeMessage(
      value,
      message(() => shape),
    ),
  ).toString("hex");
}

test("scalars are written with their numbers, in the order of the members", () => {
  const fields = {
    name: { number: 1, shape: text },
    on: { number: 2, shape: flag },
    count: { number: 3, shape: integer },
    share: { number: 4, shape: double },
  };
  // 0a 02 "ab" | 10 01 | 18 ac 02 | 21 <0.5 little-endian>
  expect(encoded({ name: "ab", on: true, count: 300, share: 0.5 }, { fields })).toBe(
    "0a026162" + "1001" + "18ac02" + "21000000000000e03f",
  );
});

test("a flag that is off, and members that the shape does not know, are left out", () => {
  const fields = { on: { number: 2, shape: flag } };
  expect(encoded({ on: false, other: "x" }, { fields })).toBe("");
});

test("items keep their order, each a field of its own", () => {
  const fields = { tags: { number: 1, shape: repeated(text) } };
  expect(encoded({ tags: ["a", "b"] }, { fields })).toBe("0a0161" + "0a0162");
});

test("a value within a message of its own is wrapped", () => {
  const fields = { type: { number: 22, shape: within(1, text) } };
  // Field 22 takes two bytes of tag.
  expect(encoded({ type: "x" }, { fields })).toBe("b201" + "03" + "0a0178");
});

test("any JSON is text in field 2", () => {
  const fields = { example: { number: 1, shape: json } };
  // The text is [1,"<"], seven bytes.
  expect(encoded({ example: [1, "<"] }, { fields })).toBe("0a09" + "1207" + "5b312c223c225d");
});

test("members of a map are pairs of name and value, extensions too", () => {
  const shape: MessageShape = { fields: {}, others: { number: 1, shape: text }, extensions: 2 };
  expect(encoded({ a: "b" }, shape)).toBe("0a06" + "0a0161" + "120162");
  // x-a: 1 → name "x-a", value { 2: "1" }
  expect(encoded({ "x-a": 1 }, shape)).toBe("120a" + "0a03782d61" + "1203" + "120131");
});

test("a choice is made by the value", () => {
  const shape = choice((value) => (typeof value === "string" ? within(1, text) : within(2, integer)));
  expect(encoded({ v: "a" }, { fields: { v: { number: 1, shape } } })).toBe("0a03" + "0a0161");
  expect(encoded({ v: 5 }, { fields: { v: { number: 1, shape } } })).toBe("0a02" + "1005");
});

test("a document larger than the first buffer is whole", () => {
  const long = "é".repeat(100_000);
  const bytes = encodeMessage(
    { a: long, b: "end" },
    message(() => ({
      fields: { a: { number: 1, shape: text }, b: { number: 2, shape: text } },
    })),
  );
  const tail = Buffer.from(bytes.subarray(-5)).toString("latin1");
  expect(tail).toBe("\x12\x03end");
  expect(Buffer.from(bytes.subarray(4, 4 + 200_000)).toString("utf8")).toBe(long);
});

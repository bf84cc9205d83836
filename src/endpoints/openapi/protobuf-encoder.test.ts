import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import { encodeMessage } from "./protobuf-encoder.js";
import {
  choice,
  double,
  flag,
  integer,
  json,
  type MessageShape,
  message,
  repeated,
  text,
  within,
} from "./protobuf-shape.js";

async function encoded(value: JsonValue, shape: MessageShape): Promise<string> {
  const bytes = await encodeMessage(
    value,
    message(() => shape),
  );
  return Buffer.from(bytes).toString("hex");
}

test("scalars are written with their numbers, in the order of the members", async () => {
  const fields = {
    name: { number: 1, shape: text },
    on: { number: 2, shape: flag },
    count: { number: 3, shape: integer },
    share: { number: 4, shape: double },
  };
  // 0a 02 "ab" | 10 01 | 18 ac 02 | 21 <0.5 little-endian>
  expect(await encoded({ name: "ab", on: true, count: 300, share: 0.5 }, { fields })).toBe(
    "0a026162" + "1001" + "18ac02" + "21000000000000e03f",
  );
});

test("a flag that is off, and members that the shape does not know, are left out", async () => {
  const fields = { on: { number: 2, shape: flag } };
  expect(await encoded({ on: false, other: "x" }, { fields })).toBe("");
});

test("items keep their order, each a field of its own", async () => {
  const fields = { tags: { number: 1, shape: repeated(text) } };
  expect(await encoded({ tags: ["a", "b"] }, { fields })).toBe("0a0161" + "0a0162");
});

test("a value within a message of its own is wrapped", async () => {
  const fields = { type: { number: 22, shape: within(1, text) } };
  // Field 22 takes two bytes of tag.
  expect(await encoded({ type: "x" }, { fields })).toBe("b201" + "03" + "0a0178");
});

test("any JSON is text in field 2", async () => {
  const fields = { example: { number: 1, shape: json } };
  // The text is [1,"<"], seven bytes.
  expect(await encoded({ example: [1, "<"] }, { fields })).toBe("0a09" + "1207" + "5b312c223c225d");
});

test("members of a map are pairs of name and value, extensions too", async () => {
  const shape: MessageShape = { fields: {}, others: { number: 1, shape: text }, extensions: 2 };
  expect(await encoded({ a: "b" }, shape)).toBe("0a06" + "0a0161" + "120162");
  // x-a: 1 → name "x-a", value { 2: "1" }
  expect(await encoded({ "x-a": 1 }, shape)).toBe("120a" + "0a03782d61" + "1203" + "120131");
});

test("a choice is made by the value", async () => {
  const shape = choice((value) => (typeof value === "string" ? within(1, text) : within(2, integer)));
  expect(await encoded({ v: "a" }, { fields: { v: { number: 1, shape } } })).toBe("0a03" + "0a0161");
  expect(await encoded({ v: 5 }, { fields: { v: { number: 1, shape } } })).toBe("0a02" + "1005");
});

test("a document larger than the first buffer is whole", async () => {
  const long = "é".repeat(100_000);
  const bytes = await encodeMessage(
    { a: long, b: "end" },
    message(() => ({
      fields: { a: { number: 1, shape: text }, b: { number: 2, shape: text } },
    })),
  );
  const tail = Buffer.from(bytes.subarray(-5)).toString("latin1");
  expect(tail).toBe("\x12\x03end");
  expect(Buffer.from(bytes.subarray(4, 4 + 200_000)).toString("utf8")).toBe(long);
});

test("a map with more members than are encoded at once keeps their order", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `k${index};`);
  const map: MessageShape = { fields: {}, others: { number: 1, shape: text } };
  const bytes = await encoded(
    { m: Object.fromEntries(names.map((name) => [name, ""])) },
    {
      fields: { m: { number: 1, shape: message(() => map) } },
    },
  );
  const found = Buffer.from(bytes, "hex").toString("latin1").match(/k\d+;/g);
  expect(found).toEqual(names);
});

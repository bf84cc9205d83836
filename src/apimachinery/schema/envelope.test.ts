import { expect, test } from "vitest";
import { DecodeError } from "./codec.js";
import { decodeEnvelope, encodeEnvelope } from "./envelope.js";

const magic = "6b387300";

function decode(fields: string) {
  const { typeMeta, raw, ...content } = decodeEnvelope(Buffer.from(magic + fields, "hex"));
  return { ...typeMeta, raw: Buffer.from(raw).toString("hex"), ...content };
}

const empty = { apiVersion: "", kind: "", raw: "", contentEncoding: "", contentType: "" };

test("an envelope comes back as it was written, also a large one", () => {
  const typeMeta = { apiVersion: "v1", kind: "Pod" };
  for (const length of [0, 1, 127, 128, 70_000]) {
    const raw = Buffer.alloc(length, 7);
    const read = decodeEnvelope(encodeEnvelope(typeMeta, raw));
    expect(read.typeMeta).toEqual(typeMeta);
    expect(Buffer.from(read.raw).equals(raw)).toBe(true);
  }
});

test.each([
  ["unknown fields", "2a0161" + "120101", { raw: "01" }],
  ["unknown fields of any wire type", "2805" + "2d00000000" + "33080134" + "120101", { raw: "01" }],
  [
    "repeated fields, of which the last counts",
    "120101" + "12020203" + "220161" + "220162",
    { raw: "0203", contentType: "b" },
  ],
  ["a type in parts", "0a030a0161" + "0a03120162", { apiVersion: "a", kind: "b" }],
  [
    "a type whose parts repeat a text, of which the last counts",
    "0a030a0161" + "0a030a0162" + "0a00",
    { apiVersion: "b" },
  ],
  ["a repeated version, of which the last counts", "0a060a01610a0162", { apiVersion: "b" }],
])("reads %s", (_name, fields, expected) => {
  expect(decode(fields)).toEqual({ ...empty, ...expected });
});

test.each([
  ["another wire type", "1001", "proto: wrong wireType = 0 for field Raw"],
  ["a kind of another wire type", "0a021001", "proto: wrong wireType = 0 for field Kind"],
  ["a wire type that does not exist", "6761", "proto: illegal wireType 7"],
  ["a length beyond the end", "120501", "unexpected EOF"],
  ["a tag without a length", "12", "unexpected EOF"],
  ["a length without an end", "12ffff", "unexpected EOF"],
  ["a length of more than eight bytes", `12${"ff".repeat(9)}01`, "proto: integer overflow"],
])("refuses %s", (_name, fields, message) => {
  expect(() => decode(fields)).toThrow(new DecodeError(message));
});

test.each([
  ["nothing", "", "empty data"],
  ["a prefix alone", magic, "empty body"],
])("says of %s that it is", (_name, bytes, message) => {
  expect(() => decodeEnvelope(Buffer.from(bytes, "hex"))).toThrow(message);
});

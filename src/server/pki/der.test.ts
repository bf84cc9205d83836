import { expect, test } from "vitest";
import * as der from "./der.js";

test.each([
  ["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
  ["2.5.4.3", "0603550403"],
  ["1.3.6.1.5.5.7.3.1", "06082b06010505070301"],
])("object identifier %s", (dotted, hex) => {
  expect(der.objectIdentifier(dotted).toString("hex")).toBe(hex);
});

test.each([
  ["00", "020100"],
  ["7f", "02017f"],
  ["80", "02020080"],
  ["0000ff", "020200ff"],
  ["0123", "02020123"],
])("integer of magnitude %s keeps its sign bit clear and is shortest", (magnitude, hex) => {
  expect(der.integer(Buffer.from(magnitude, "hex")).toString("hex")).toBe(hex);
});

test("lengths from 128 on are written in as many bytes as they need", () => {
  expect(der.octetString(Buffer.alloc(127)).subarray(0, 2).toString("hex")).toBe("047f");
  expect(der.octetString(Buffer.alloc(128)).subarray(0, 3).toString("hex")).toBe("048180");
  expect(der.octetString(Buffer.alloc(300)).subarray(0, 4).toString("hex")).toBe("0482012c");
});

test("times change their form in 2050", () => {
  expect(der.time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString("latin1")).toBe("\x17\x0d491231235959Z");
  expect(der.time(Date.UTC(2050, 0, 1)).toString("latin1")).toBe("\x18\x0f20500101000000Z");
});

test("children of an element are its parts, whole", () => {
  const parts = [der.boolean(true), der.utf8String("x".repeat(200)), der.sequence()];
  expect(der.childrenOf(der.sequence(...parts))).toEqual(parts);
  expect(() => der.childrenOf(Buffer.of(0x30, 5, 1))).toThrow(RangeError);
});

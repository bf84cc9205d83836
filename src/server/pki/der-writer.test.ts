import { expect, test } from "vitest";
import { derElements, derObjectId } from "../../apimachinery/values/der.js";
import { derElement, namedBits, objectId, time } from "./der-writer.js";

test.each([0, 1, 127, 128, 255, 256, 65_535, 65_536])("content of %i bytes is read back", (length) => {
  const [element, ...others] = derElements(derElement(4, Buffer.alloc(length, 1)));
  expect(element?.content.length).toBe(length);
  expect(others).toEqual([]);
});

test.each(["1.2.840.10045.4.3.2", "2.5.29.15", "1.3.6.1.5.5.7.3.1", "1.2.16383.16384"])(
  "the object identifier %s is read back",
  (id) => {
    const [element] = derElements(objectId(id));
    expect(derObjectId(element?.content ?? new Uint8Array())).toBe(id);
  },
);

test("flags end with the last one that is set", () => {
  expect(namedBits(0).toString("hex")).toBe("030100");
  expect(namedBits(0x80).toString("hex")).toBe("03020780");
  expect(namedBits(0x86).toString("hex")).toBe("03020186");
});

test("years from 2050 have four digits", () => {
  expect(time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString("latin1")).toBe("\u0017\r491231235959Z");
  expect(time(Date.UTC(2050, 0, 1)).toString("latin1")).toBe("\u0018\u000f20500101000000Z");
});

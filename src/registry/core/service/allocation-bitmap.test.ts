import fc from "fast-check";
import { expect, test } from "vitest";
import { AllocationBitmap } from "./allocation-bitmap.js";

test("the bytes are those of Kubernetes: one big-endian number, item 0 its lowest bit, no leading zeros", () => {
  const bitmap = AllocationBitmap.empty(254);
  expect(bitmap.toBytes()).toEqual(new Uint8Array(0));
  for (const item of [0, 1, 9]) bitmap.take(item);
  expect([...bitmap.toBytes()]).toEqual([0x02, 0x03]);
  bitmap.take(253);
  expect(Buffer.from(bitmap.toBytes()).toString("hex")).toBe(`20${"00".repeat(29)}0203`);
});

test("any set of items survives its bytes", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 300 })
        .chain((size) => fc.tuple(fc.constant(size), fc.uniqueArray(fc.integer({ min: 0, max: size - 1 })))),
      ([size, items]) => {
        const bitmap = AllocationBitmap.empty(size);
        for (const item of items) expect(bitmap.take(item)).toBe(true);
        const number = items.reduce((sum, item) => sum | (1n << BigInt(item)), 0n);
        expect(BigInt(`0x0${Buffer.from(bitmap.toBytes()).toString("hex")}`)).toBe(number);
        const again = AllocationBitmap.fromBytes(size, bitmap.toBytes());
        expect([...again.items()]).toEqual([...items].sort((a, b) => a - b));
        expect(again.count()).toBe(items.length);
      },
    ),
  );
});

test("items beyond the size are dropped", () => {
  const bitmap = AllocationBitmap.fromBytes(10, Uint8Array.of(0xff, 0xff, 0xff));
  expect([...bitmap.items()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(bitmap.has(10)).toBe(false);
  expect(() => bitmap.take(10)).toThrow(RangeError);
});

test("taking any item goes on from a random one and around, leaving out the reserved ones", () => {
  const bitmap = AllocationBitmap.empty(5);
  const takeAny = (start?: number) => bitmap.takeAny((bound) => bound - 2, start);
  expect([takeAny(1), takeAny(1), takeAny(1), takeAny(1), takeAny(1)]).toEqual([3, 4, 1, 2, undefined]);
  expect(takeAny()).toBe(0);
  expect(bitmap.release(3)).toBe(true);
  expect(bitmap.release(3)).toBe(false);
  expect(takeAny(1)).toBe(3);
});

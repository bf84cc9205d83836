import { expect, test } from "vitest";
import { AddressSet } from "./address-set.js";

test("the first address that is missing is found wherever it is, and counts tell what is between two", () => {
  const set = new AddressSet();
  const [first, last] = [1000n, 5000n];
  expect(set.firstMissing(first, last)).toBe(first);
  for (let address = first; address <= last; address++) set.add(address);
  expect(set.firstMissing(first, last)).toBeUndefined();
  expect(set.count(first, last)).toBe(4001);
  expect(set.count(2000n, 2999n)).toBe(1000);
  expect(set.count(0n, 999n)).toBe(0);
  for (const free of [1000n, 1023n, 1024n, 3071n, 3072n, 4999n, 5000n]) {
    set.delete(free);
    expect(set.has(free)).toBe(false);
    expect(set.firstMissing(first, last)).toBe(free);
    expect(set.firstMissing(first, free - 1n)).toBeUndefined();
    expect(set.count(first, last)).toBe(4000);
    set.add(free);
    set.add(free);
    expect(set.has(free)).toBe(true);
  }
  expect(set.firstMissing(4000n, 6000n)).toBe(5001n);
});

test("addresses of 128 bits are as good as any", () => {
  const set = new AddressSet();
  const first = 0xfd00n << 112n;
  set.delete(first);
  set.add(first);
  expect(set.firstMissing(first, first + (1n << 64n))).toBe(first + 1n);
  expect(set.count(0n, 1n << 128n)).toBe(1);
  set.delete(first);
  expect(set.firstMissing(first, first)).toBe(first);
});

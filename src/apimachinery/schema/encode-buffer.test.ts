import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EncodeBuffer } from "./encode-buffer.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Encodes so many bytes, and returns how large the buffer was at first. */
function encode(buffer: EncodeBuffer, bytes: number): number {
  let first: number | undefined;
  const encoded = buffer.encode((space, end) => {
    first ??= end;
    if (end >= bytes) space.fill(7, end - bytes, end);
    return end - bytes;
  });
  expect(encoded.length).toBe(bytes);
  expect(encoded.every((byte) => byte === 7)).toBe(true);
  return first ?? 0;
}

test("the buffer grows for large objects, and lets go of the memory after a while", () => {
  const buffer = new EncodeBuffer();
  const initial = encode(buffer, 100);
  for (let i = 0; i < 2; i++) {
    expect(encode(buffer, 1_000_000)).toBe(initial);
    expect(encode(buffer, 1_000_000)).toBeGreaterThanOrEqual(1_000_000);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  }
  expect(encode(buffer, 100)).toBe(initial);
});

test("a buffer larger than is worth keeping is let go at once", () => {
  const buffer = new EncodeBuffer();
  const initial = encode(buffer, 10_000_000);
  expect(encode(buffer, 100)).toBe(initial);
  expect(vi.getTimerCount()).toBe(0);
});

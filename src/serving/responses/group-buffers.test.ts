import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GroupBuffers } from "./group-buffers.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a buffer that was given back is used again", () => {
  const buffers = new GroupBuffers();
  const buffer = buffers.take();
  buffers.giveBack(buffer);
  expect(buffers.take() === buffer).toBe(true);
  expect(buffers.take() === buffer).toBe(false);
});

test("buffers are let go after a while", () => {
  const buffers = new GroupBuffers();
  for (let i = 0; i < 2; i++) {
    const buffer = buffers.take();
    buffers.giveBack(buffer);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(buffers.take() === buffer).toBe(false);
  }
});

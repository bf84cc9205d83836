import { afterEach, beforeEach, expect, test, vi } from "vitest";

// A module of its own: the timer of the shared one may run already, by the clock.
vi.resetModules();
const { encodeOnce } = await import("./encode-once.js");

const encode = vi.fn((event: { readonly bytes: number }) => Buffer.alloc(event.bytes));

beforeEach(() => {
  vi.useFakeTimers();
  encode.mockClear();
});

afterEach(() => {
  // All encoders share a timer, which would otherwise be lost.
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("an event is encoded once for all watchers of the moment", () => {
  const encoded = encodeOnce(encode);
  const event = { bytes: 10 };
  expect(encoded(event)).toBe(encoded(event));
  expect(encode).toHaveBeenCalledTimes(1);
});

test("the encoded form is dropped after some seconds, although the event is kept", () => {
  const encoded = encodeOnce(encode);
  const event = { bytes: 10 };
  encoded(event);
  vi.advanceTimersByTime(10_000);
  expect(encoded(event)).toEqual(Buffer.alloc(10));
  expect(encode).toHaveBeenCalledTimes(2);
});

test("while events go on, about a megabyte is kept", () => {
  const encoded = encodeOnce(encode);
  const events = Array.from({ length: 20 }, () => ({ bytes: 400 * 1024 }));
  for (const event of events) encoded(event);
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) throw new Error("there are events");
  encoded(last);
  expect(encode).toHaveBeenCalledTimes(20);
  encoded(first);
  expect(encode).toHaveBeenCalledTimes(21);
});

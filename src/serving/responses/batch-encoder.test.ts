import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { toRevision } from "../../storage/kv.js";
import type { WatchEvent } from "../../storage/object-store.js";

// Modules of its own: the timer of the shared one may run already, by the clock.
vi.resetModules();
const { BatchEncoder } = await import("./batch-encoder.js");
const { Distribution } = await import("../../telemetry/distribution.js");
const { Figure } = await import("../../telemetry/metric-family.js");

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  // All encoders share a timer, which would otherwise be lost.
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
});

function bookmark(revision: number): WatchEvent<ApiObject> {
  return { type: "BOOKMARK", revision: toRevision(revision), initialEventsEnd: false };
}

function setUp() {
  const event = vi.fn((sent: WatchEvent<ApiObject>, isFirst: boolean) =>
    Buffer.from(`${sent.revision}${isFirst ? " first" : ""}`),
  );
  const sent = { events: new Figure(), sizes: new Distribution([2, 5]) };
  return { event, sent, encoder: new BatchEncoder({ event, error: () => Buffer.alloc(0) }, sent) };
}

test("a batch is encoded once for all, and counted for each", () => {
  const { event, sent, encoder } = setUp();
  const batch = [bookmark(7), bookmark(1000)];
  const frames = encoder.encode(batch, false);
  expect(frames.map(String)).toEqual(["7", "1000"]);
  expect(encoder.encode(batch, false)).toBe(frames);
  expect(event).toHaveBeenCalledTimes(2);
  expect(sent).toMatchObject({ events: { value: 4 }, sizes: { counts: [2, 2, 0], sum: 10 } });
});

test("only the first event of a watch is told so, and a watch's beginning is nobody else's", () => {
  const { encoder } = setUp();
  const batch = [bookmark(1), bookmark(2)];
  expect(encoder.encode(batch, true).map(String)).toEqual(["1 first", "2"]);
  expect(encoder.encode(batch, false).map(String)).toEqual(["1", "2"]);
  expect(encoder.encode([bookmark(3)], false).map(String)).toEqual(["3"]);
});

test("the last batch is dropped after some seconds", () => {
  const { event, encoder } = setUp();
  const batch = [bookmark(1)];
  encoder.encode(batch, false);
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(encoder.encode(batch, false).map(String)).toEqual(["1"]);
  expect(event).toHaveBeenCalledTimes(2);
});

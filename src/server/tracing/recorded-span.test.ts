import { TraceFlags } from "@opentelemetry/api";
import { TraceState } from "@opentelemetry/core";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RecordedSpan, SpanClock, type SpanRecorder } from "./recorded-span.js";

let ended: RecordedSpan[];
let recorder: SpanRecorder;

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  ended = [];
  recorder = { clock: new SpanClock(), ids: new RandomIdGenerator(), ended: (span) => ended.push(span) };
});

test("a span has an identity of its own in the trace of its parent", () => {
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  const [traceId, spanId, noParent, name, kind] = root.record();
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(spanId).toMatch(/^[0-9a-f]{16}$/);
  expect([noParent, name, kind]).toEqual([null, "HTTP GET", 1]);
  const child = root.child("store get", "client").record();
  expect(child.slice(0, 5)).toEqual([traceId, expect.not.stringMatching(spanId), spanId, "store get", 2]);
});

test("a client's trace is continued, and other servers are told of it", () => {
  const remote = {
    traceId: "a".repeat(32),
    spanId: "b".repeat(16),
    traceFlags: TraceFlags.SAMPLED,
    traceState: new TraceState("vendor=1"),
  };
  const root = RecordedSpan.first("HTTP GET", recorder, remote);
  expect(root.record()[2]).toBe(remote.spanId);
  const child = root.child("webhook");
  expect(child.record().at(-1)).toBe("vendor=1");
  expect(child.headers()).toEqual({
    traceparent: `00-${remote.traceId}-${child.record()[1]}-01`,
    tracestate: "vendor=1",
  });
});

test("times are times of day", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  vi.advanceTimersByTime(1);
  const child = root.child("decode");
  vi.advanceTimersByTime(1);
  child.addEvent("half");
  vi.advanceTimersByTime(1);
  child.end();
  vi.advanceTimersByTime(1);
  root.end();
  const [, , , , , rootStart, rootEnd] = root.record();
  const [, , , , , childStart, childEnd, , events] = child.record();
  expect([rootStart, rootEnd]).toEqual([1_000_000, 1_000_004]);
  expect([childStart, childEnd]).toEqual([1_000_001, 1_000_003]);
  expect(events).toEqual([["half", 1_000_002]]);
});

test("a span is handed over once, when it ends, with its attributes", () => {
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  root.setAttributes({ verb: "get", resource: "pods" });
  root.setAttributes({ "http.status_code": 200 });
  root.fail("broken");
  expect(ended).toEqual([]);
  root.end();
  root.end();
  expect(ended).toEqual([root]);
  expect(root.record().slice(7)).toEqual([
    { verb: "get", resource: "pods", "http.status_code": 200 },
    0,
    "broken",
    0,
  ]);
});

test("the clock of spans is exact to less than the milliseconds of the day, and follows it when it is set", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const clock = new SpanClock();
  vi.setSystemTime(1_000_000);
  expect(clock.offsetAt(10.75)).toBe(999_989.25);
  vi.setSystemTime(1_000_001);
  expect(clock.offsetAt(11.125)).toBe(999_989.875);
  expect(clock.offsetAt(11.875)).toBe(999_989.875);
  vi.setSystemTime(5000);
  expect(clock.offsetAt(12.5)).toBe(4987.5);
});

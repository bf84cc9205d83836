import { SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { hrTimeToMilliseconds, TraceState } from "@opentelemetry/core";
import { emptyResource } from "@opentelemetry/resources";
import { RandomIdGenerator, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RecordedSpan, SpanClock, type SpanRecorder } from "./recorded-span.js";

let ended: ReadableSpan[];
let recorder: SpanRecorder;

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  ended = [];
  recorder = {
    clock: new SpanClock(),
    resource: emptyResource(),
    scope: { name: "tests" },
    ids: new RandomIdGenerator(),
    ended: (span) => ended.push(span),
  };
});

test("a span has an identity of its own in the trace of its parent", () => {
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  const child = root.child("store get", "client");
  const { traceId, spanId } = root.spanContext();
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(root.parentSpanContext).toBeUndefined();
  expect(root.kind).toBe(1);
  expect(child.parentSpanContext?.spanId).toBe(spanId);
  expect(child.spanContext().traceId).toBe(traceId);
  expect(child.spanContext().spanId).not.toBe(spanId);
  expect(child.kind).toBe(2);
});

test("a client's trace is continued, and other servers are told of it", () => {
  const remote = {
    traceId: "a".repeat(32),
    spanId: "b".repeat(16),
    traceFlags: TraceFlags.SAMPLED,
    traceState: new TraceState("vendor=1"),
    isRemote: true,
  };
  const root = RecordedSpan.first("HTTP GET", recorder, remote);
  expect(root.parentSpanContext).toBe(remote);
  const child = root.child("webhook");
  expect(child.headers()).toEqual({
    traceparent: `00-${remote.traceId}-${child.spanContext().spanId}-01`,
    tracestate: "vendor=1",
  });
});

test("times are times of day, in order", () => {
  const before = Date.now();
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  const child = root.child("decode");
  child.addEvent("half");
  child.end();
  root.end();
  const times = [
    root.startTime,
    child.startTime,
    child.events[0]?.time ?? [0, 0],
    child.endTime,
    root.endTime,
  ];
  const ms = times.map((time) => hrTimeToMilliseconds(time));
  expect(ms).toEqual(ms.toSorted((a, b) => a - b));
  expect(ms[0]).toBeGreaterThanOrEqual(before);
  expect(ms.at(-1)).toBeLessThanOrEqual(Date.now() + 1);
});

test("a span is handed over once, when it ends, with what it was told", () => {
  const root = RecordedSpan.first("HTTP GET", recorder, undefined);
  root.setAttributes({ verb: "get", resource: "pods" });
  root.setAttributes({ "http.status_code": 200 });
  root.fail("broken");
  expect(ended).toEqual([]);
  root.end();
  root.end();
  expect(ended).toEqual([root]);
  expect(root.ended).toBe(true);
  expect(root.attributes).toEqual({ verb: "get", resource: "pods", "http.status_code": 200 });
  expect(root.status).toEqual({ code: SpanStatusCode.ERROR, message: "broken" });
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

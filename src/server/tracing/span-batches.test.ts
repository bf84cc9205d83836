import { RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RecordedSpan, SpanClock } from "./recorded-span.js";
import { SpanBatches } from "./span-batches.js";

let sent: string[][];
let isClosed: boolean;
let batches: SpanBatches;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  isClosed = false;
  batches = new SpanBatches({
    send: (batch) => sent.push(JSON.parse(batch).map(([, , , name]: string[]) => name)),
    close: async () => {
      isClosed = true;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function end(...names: string[]): void {
  const recorder = {
    clock: new SpanClock(),
    ids: new RandomIdGenerator(),
    ended: (span: RecordedSpan) => batches.add(span),
  };
  for (const name of names) RecordedSpan.first(name, recorder, undefined).end();
}

test("spans are sent in batches after a moment, each once", () => {
  end("a", "b");
  expect(sent).toEqual([]);
  vi.runAllTimers();
  expect(sent).toEqual([["a", "b"]]);
  end("c");
  vi.runAllTimers();
  expect(sent).toEqual([["a", "b"], ["c"]]);
});

test("many spans leave at once", () => {
  end(...Array.from({ length: 600 }, (_, index) => String(index)));
  expect(sent.map(({ length }) => length)).toEqual([256, 256]);
  vi.runAllTimers();
  expect(sent.flat()).toHaveLength(600);
});

test("the remaining spans are sent before the outlet is closed", async () => {
  end("a");
  const closing = batches.close(1000);
  expect(sent).toEqual([["a"]]);
  await closing;
  expect(isClosed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

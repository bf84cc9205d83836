import { setTimeout as delay } from "node:timers/promises";
import { post, withSession } from "./inspector-session.js";

/** Further events are dropped. */
const traceEventsMax = 300_000;
/** About 200 bytes each: printing them takes a fraction of a millisecond. */
const eventsPerPiece = 100;
/** Garbage collection, requests, and samples of the processor, as Chrome's tracing shows them. */
const traceCategories = [
  "v8",
  "node.http",
  "node.perf",
  "disabled-by-default-v8.gc",
  "disabled-by-default-v8.cpu_profiler",
];

/** What happened, in order. */
export async function traceEvents(durationMs: number, signal: AbortSignal): Promise<readonly object[]> {
  const events: object[] = [];
  await withSession(async (session) => {
    session.on("NodeTracing.dataCollected", ({ params }) => {
      const room = traceEventsMax - events.length;
      for (const event of params.value.slice(0, room)) events.push(event);
    });
    const complete = new Promise((resolve) => session.once("NodeTracing.tracingComplete", resolve));
    const traceConfig = { includedCategories: traceCategories };
    await post((done) => session.post("NodeTracing.start", { traceConfig }, done));
    try {
      await delay(durationMs, undefined, { signal });
    } finally {
      await post((done) => session.post("NodeTracing.stop", done));
    }
    await complete;
  });
  return events;
}

/** A trace in Chrome's trace event format, for Perfetto and speedscope. */
export function* traceDocument(events: readonly object[]): Generator<Buffer> {
  yield Buffer.from('{"traceEvents":[');
  for (let from = 0; from < events.length; from += eventsPerPiece) {
    const some = events.slice(from, from + eventsPerPiece).map((event) => JSON.stringify(event));
    yield Buffer.from(`${from === 0 ? "" : ","}${some.join(",")}`);
  }
  yield Buffer.from("]}");
}

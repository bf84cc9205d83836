import { afterEach, expect, test, vi } from "vitest";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import type { Reader, ReaderCounts, ReaderEnd } from "./reader.js";
import { Readers } from "./readers.js";

const nothing: ReaderCounts = { changes: [], gauges: [] };
const started: Readers[] = [];
afterEach(async () => {
  for (const readers of started.splice(0)) await readers.close(0);
});

class TestReader implements Reader {
  readonly thread: string;
  readonly ready: Promise<void>;
  readonly ended: Promise<ReaderEnd | undefined>;
  counts: ReaderCounts | "never" = nothing;
  isClosed = false;
  connections = 0;
  readonly handed: number[] = [];
  fail: (end: ReaderEnd) => void = () => undefined;
  #close: () => void = () => undefined;

  constructor(thread: string, ready: Promise<void> = Promise.resolve()) {
    this.thread = thread;
    this.ready = ready;
    this.ended = new Promise((resolve) => {
      this.fail = resolve;
      this.#close = () => resolve(undefined);
    });
  }

  handOver(descriptor: number): void {
    this.handed.push(descriptor);
    this.connections++;
  }

  tell(): Promise<ReaderCounts> {
    return this.counts === "never" ? new Promise(() => undefined) : Promise.resolve(this.counts);
  }

  async drain(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
    this.#close();
  }
}

async function start(count: number, make = (thread: string) => new TestReader(thread)) {
  const opened: TestReader[] = [];
  const metrics = new Metrics();
  metrics.counter({ name: "requests", help: "Requests.", labels: ["code"] }).with("200").value = 1;
  metrics.gauge({ name: "watches", help: "Watches.", labels: [] }).with().value = 1;
  const error = vi.fn();
  const readers = await Readers.start({
    count,
    open: (thread) => {
      const reader = make(thread);
      opened.push(reader);
      return reader;
    },
    log: { error },
    metrics,
    pauseMs: 5,
  });
  started.push(readers);
  const lines = async (): Promise<string[]> => {
    await metrics.gather();
    return (await printMetrics(metrics.read())).split("\n").filter((line) => /^[a-z]/.test(line));
  };
  return { readers, opened, error, lines };
}

test("what each has counted is added once, and what it has at the moment is added while it has it", async () => {
  const { opened, lines } = await start(2);
  const counts: ReaderCounts = {
    changes: [{ name: "requests", values: ["200"], sum: 10, counts: [] }],
    gauges: [{ name: "watches", values: [], value: 4 }],
  };
  for (const reader of opened) reader.counts = counts;
  expect(await lines()).toEqual(['requests{code="200"} 21', "watches 9", "apiserver_serving_threads 3"]);
  for (const reader of opened) reader.counts = nothing;
  expect(await lines()).toEqual(['requests{code="200"} 21', "watches 1", "apiserver_serving_threads 3"]);
});

test("a thread that does not report only delays a page of metrics", async () => {
  const { opened, lines } = await start(1);
  for (const reader of opened) reader.counts = "never";
  expect(await lines()).toContain("watches 1");
});

test("one that fails is replaced by one of the same name, and what it had is gone", async () => {
  const { opened, error, lines } = await start(2);
  const [first, second] = opened;
  for (const reader of opened)
    reader.counts = { changes: [], gauges: [{ name: "watches", values: [], value: 4 }] };
  expect(await lines()).toContain("watches 9");
  second?.fail({ reason: "silence", error: new Error("out of luck") });
  await expect.poll(() => opened.map(({ thread }) => thread)).toEqual(["reader-1", "reader-2", "reader-2"]);
  expect(error).toHaveBeenCalledWith(expect.stringContaining("replaced"), new Error("out of luck"), {
    thread: "reader-2",
  });
  const told = await lines();
  expect(told).toContain("watches 5");
  expect(told).toContain('apiserver_serving_threads_ended_total{reason="silence"} 1');
  expect(first?.isClosed).toBe(false);
});

test("all end when one cannot start, and when they are closed, and none is replaced then", async () => {
  const made: TestReader[] = [];
  const cannotStart = start(2, (thread) => {
    const reader = new TestReader(
      thread,
      thread === "reader-2" ? Promise.reject(new Error("no koffi")) : undefined,
    );
    made.push(reader);
    return reader;
  });
  await expect(cannotStart).rejects.toThrow("no koffi");
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true]);

  const { readers, opened } = await start(2);
  await readers.drain();
  opened[0]?.fail({ reason: "failure", error: new Error("late") });
  await readers.close(0);
  expect(opened).toHaveLength(2);
});

test("a new connection is for the thread with the fewest", async () => {
  const { readers, opened } = await start(2);
  const [first, second] = opened;
  expect(readers.takes(10, 0)).toBe(false);
  expect([11, 12, 13].map((descriptor) => readers.takes(descriptor, 1))).toEqual([true, true, false]);
  expect([first?.handed, second?.handed]).toEqual([[11], [12]]);
  if (first !== undefined) first.connections = Number.POSITIVE_INFINITY;
  expect(readers.takes(14, 5)).toBe(true);
  expect(second?.handed).toEqual([12, 14]);
});

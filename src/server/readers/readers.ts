import { GaugesElsewhere, type GaugeValue } from "../../telemetry/gauges-elsewhere.js";
import type { Logger } from "../../telemetry/logger.js";
import { addChanges } from "../../telemetry/metric-changes.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { systemClock } from "../../time/clock.js";
import { inTime } from "../../time/in-time.js";
import { sleep } from "../../time/sleep.js";
import { flagGauges } from "./gauges-of-threads.js";
import type { Reader } from "./reader.js";

export interface ReadersParts {
  /** Number of readers. */
  readonly count: number;
  /** Starts a thread of this name. */
  readonly open: (thread: string) => Reader;
  readonly log: Pick<Logger, "error">;
  readonly metrics: Metrics;
  /** Pause before a failed thread is replaced; it doubles each time, until one has lasted that long. Default one second. */
  readonly pauseMs?: number | undefined;
}

/** How long a page of metrics waits for a busy thread. */
const tellMs = 1000;
const defaultPauseMs = 1000;
const pauseMsMax = 60_000;

/** The further threads that serve. One that fails is replaced; its clients have to connect again. */
export class Readers {
  readonly #open: (thread: string) => Reader;
  readonly #pauseMs: number;
  readonly #log: Pick<Logger, "error">;
  readonly #metrics: Metrics;
  readonly #gauges: GaugesElsewhere;
  readonly #ends: MetricFamily<Figure>;
  readonly #told = new Map<Reader, readonly GaugeValue[]>();
  readonly #readers = new Set<Reader>();
  readonly #closing = new AbortController();

  private constructor({ log, metrics, open, pauseMs = defaultPauseMs }: ReadersParts) {
    this.#open = open;
    this.#pauseMs = pauseMs;
    this.#log = log;
    this.#metrics = metrics;
    this.#gauges = new GaugesElsewhere(metrics, flagGauges);
    const threads = metrics
      .gauge({ name: "apiserver_serving_threads", help: "Threads that serve.", labels: [] })
      .with();
    this.#ends = metrics.counter({
      name: "apiserver_serving_threads_ended_total",
      help: "Threads that have failed (failure), stood still (silence), or could not be started again (start), and were replaced.",
      labels: ["reason"],
    });
    metrics.onRead(() => {
      threads.value = 1 + this.#readers.size;
    });
    metrics.onGather(() => this.#gather());
  }

  /** Resolves when all serve. Rejects when one cannot be started, and ends the others. */
  static async start(parts: ReadersParts): Promise<Readers> {
    const readers = new Readers(parts);
    const opened = Array.from({ length: parts.count }, (_, index) => {
      const thread = `reader-${index + 1}`;
      return { thread, reader: readers.#add(thread) };
    });
    try {
      await Promise.all(opened.map(({ reader }) => reader.ready));
    } catch (error) {
      await readers.close(0);
      throw error;
    }
    for (const { thread, reader } of opened) void readers.#keep(thread, reader);
    return readers;
  }

  /**
   * Has a reader serve a connection that the main thread has accepted, which serves `own` connections itself; false if the main thread
   * has the fewest. The caller still owns the descriptor.
   */
  takes(descriptor: number, own: number): boolean {
    let fewest: Reader | undefined;
    for (const reader of this.#readers) {
      if (reader.connections < (fewest?.connections ?? own)) fewest = reader;
    }
    fewest?.handOver(descriptor);
    return fewest !== undefined;
  }

  /** Resolves when earlier requests are answered. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#readers].map((reader) => reader.drain()));
  }

  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#readers].map((reader) => reader.close(graceMs)));
  }

  #add(thread: string): Reader {
    const reader = this.#open(thread);
    this.#readers.add(reader);
    void reader.ended.then(() => {
      this.#readers.delete(reader);
      this.#told.delete(reader);
    });
    return reader;
  }

  async #keep(thread: string, first: Reader): Promise<void> {
    const { signal } = this.#closing;
    let reader = first;
    let pause = this.#pauseMs;
    for (;;) {
      const since = performance.now();
      const end = await reader.ended;
      if (signal.aborted || end === undefined) return;
      this.#ends.with(end.reason).value++;
      this.#log.error("a serving thread failed and is being replaced", end.error, { thread });
      if (performance.now() - since > pause) pause = this.#pauseMs;
      await sleep(systemClock, pause, signal);
      if (signal.aborted) return;
      pause = Math.min(2 * pause, pauseMsMax);
      reader = this.#add(thread);
    }
  }

  async #gather(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => this.#ask(reader)));
    this.#gauges.show([...this.#told.values()].flat());
  }

  async #ask(reader: Reader): Promise<void> {
    const told = reader.tell().then(({ changes, gauges }) => {
      addChanges(this.#metrics, changes);
      if (this.#readers.has(reader)) this.#told.set(reader, gauges);
    });
    await inTime(Promise.race([told, reader.ended]), tellMs);
  }
}

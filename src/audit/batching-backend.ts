import { timerMs } from "../time/clock.js";
import type { AuditBackend, EventDestination, LossReport } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { EventEncoder } from "./event-encoder.js";
import { type EventBatch, EventQueue } from "./event-queue.js";
import { Throttle, type ThrottleLimits } from "./throttle.js";

export interface BatchingLimits {
  /** Maximum number of buffered events. */
  readonly bufferSize: number;
  /** Number of events that make a full batch, which is sent without waiting for more. */
  readonly batchSize: number;
  /** Maximum number of events per delivery, at least `batchSize`. Without a throttle, a delivery may hold several batches. */
  readonly deliverySize: number;
  /** Maximum bytes per delivery; a longer event goes alone. */
  readonly batchBytesMax: number;
  /** How long the first event of a batch waits for more. */
  readonly maxWaitMs: number;
  /** Rate limit of batches. Undefined delivers as fast as the destination accepts them. */
  readonly throttle: ThrottleLimits | undefined;
  /** Concurrent batches: 1 keeps the order. */
  readonly concurrency: number;
}

export interface BatchingBackendOptions {
  readonly name: string;
  readonly encoder: EventEncoder;
  readonly destination: EventDestination;
  readonly limits: BatchingLimits;
  readonly onLoss: LossReport;
}

/** Events with their objects may be large, so the bytes of the buffer are limited too. */
export const bufferedBytesMax = 128 * 1024 * 1024;
/** Events of this time are written together, because waking the writing thread takes as long as 100 events. */
const gatherMs = 50;
/** How long an unreachable destination may delay shutdown. */
const closeMs = 30_000;

/** Mode `batch`: events are buffered, and lost when the buffer is full. */
export class BatchingBackend implements AuditBackend {
  readonly #options: BatchingBackendOptions;
  readonly #throttle: Throttle | undefined;
  readonly #deliverySize: number;
  /** Events that end the wait for more to write together. */
  readonly #gatheredMax: number;
  readonly #waiting: EventQueue;
  /** Bytes buffered and in flight. */
  #bytes = 0;
  #underWay = 0;
  #isCollecting = false;
  #isClosing = false;
  /** This many queued events end the current wait. */
  #enough = Infinity;
  /** Ends a wait for more events or for the throttle. */
  #wake: (() => void) | undefined;
  #idle: (() => void) | undefined;

  constructor(options: BatchingBackendOptions) {
    this.#options = options;
    const { limits } = options;
    const { throttle } = limits;
    this.#waiting = new EventQueue(options.destination.eventEnd);
    this.#throttle = throttle && new Throttle(throttle, performance.now());
    this.#deliverySize = throttle === undefined ? limits.deliverySize : limits.batchSize;
    this.#gatheredMax = Math.min(this.#deliverySize, Math.ceil(limits.bufferSize / 2));
  }

  process(event: AuditEvent): boolean {
    const { encoder, limits, onLoss } = this.#options;
    if (this.#isClosing || this.#waiting.length >= limits.bufferSize || this.#bytes >= bufferedBytesMax) {
      onLoss("buffered", new Error("audit buffer queue blocked"), 1);
      return true;
    }
    const text = encoder.encode(event);
    if (text === undefined) return true;
    this.#bytes += this.#waiting.add(text);
    if (!this.#isCollecting) void this.#collect();
    else if (this.#waiting.length >= this.#enough) this.#wake?.();
    return true;
  }

  async close(): Promise<void> {
    const { destination, onLoss } = this.#options;
    this.#isClosing = true;
    this.#wake?.();
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, closeMs);
        this.#idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const lost = this.#waiting.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).lengths.length;
    if (lost > 0) onLoss("buffered", new Error("the server stopped"), lost);
    await destination.close();
  }

  /** Sends batches until the buffer is empty. */
  async #collect(): Promise<void> {
    const { limits } = this.#options;
    const { batchBytesMax } = limits;
    this.#isCollecting = true;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < limits.batchSize) await this.#pause(limits.maxWaitMs, limits.batchSize);
      else if (this.#deliverySize > limits.batchSize) await this.#pause(gatherMs, this.#gatheredMax);
      while (this.#underWay >= limits.concurrency) await this.#woken();
      while (!this.#isClosing) {
        const waitMs = this.#throttle?.take(performance.now()) ?? 0;
        if (waitMs <= 0) break;
        await this.#throttled(waitMs);
      }
      void this.#deliver(this.#waiting.take(this.#deliverySize, batchBytesMax));
    }
    this.#isCollecting = false;
    this.#tellIdle();
  }

  async #deliver(batch: EventBatch): Promise<void> {
    const { name, destination, onLoss } = this.#options;
    this.#underWay++;
    try {
      await destination.deliver(batch);
    } catch (error) {
      onLoss(name, error, batch.lengths.length);
    } finally {
      this.#underWay--;
      this.#bytes -= batch.byteLength;
      this.#waiting.release(batch);
      this.#wake?.();
      this.#tellIdle();
    }
  }

  /** Until `enough` events are waiting, the time is up, or the server stops. */
  async #pause(ms: number, enough: number): Promise<void> {
    // Events of one round make one batch.
    if (ms <= 0) return await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + ms;
    this.#enough = enough;
    while (!this.#isClosing && this.#waiting.length < enough) {
      const left = until - performance.now();
      if (left <= 0) break;
      await this.#woken(left);
    }
    this.#enough = Infinity;
  }

  /** Only the server's stop shortens this wait, not new events. */
  async #throttled(ms: number): Promise<void> {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !this.#isClosing; left = until - performance.now())
      await this.#woken(left);
  }

  #woken(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => this.#wake?.(), timerMs(ms));
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #isIdle(): boolean {
    return !this.#isCollecting && this.#underWay === 0;
  }

  #tellIdle(): void {
    if (this.#isIdle()) this.#idle?.();
  }
}

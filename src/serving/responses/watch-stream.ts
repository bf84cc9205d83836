import type { Distribution } from "../../telemetry/distribution.js";
import type { HttpExchange, ResponseStream } from "../http/exchange.js";
import type { SharedFrames } from "./shared-frames.js";
import type { WatchOutbox } from "./watch-outbox.js";

/** Why a watch stream ended: by the server, because the client was too slow, or because the client left. */
export type WatchStreamEnd = "ended" | "slow" | "gone";

export interface WatchStreamOptions {
  readonly outbox: WatchOutbox;
  readonly contentType: string;
  /**
   * How many bytes may wait for a client. A slower client's watch ends; the events that it got are whole and in order. Default 8 MiB. The
   * bytes themselves are shared with the other watchers.
   */
  readonly bufferedBytesMax?: number | undefined;
  /** Records for how many seconds events wait until they are written. */
  readonly delays?: Distribution | undefined;
  /** Called once, possibly within `send` or `end`. */
  readonly onEnd?: ((why: WatchStreamEnd) => void) | undefined;
}

/** The transport of the bytes. */
export interface WatchTransport {
  readonly closed: boolean;
  /** Whether writes leave at the end of this turn of the event loop, not at once. */
  readonly isDeferred: boolean;
  /** False asks to wait for `drained`. */
  write(events: readonly Buffer[], frames: SharedFrames): boolean;
  drained(): Promise<void>;
  end(): void;
  abort(): void;
  onClosed(listener: () => void): void;
}

const none: readonly Buffer[] = [];
const defaultBufferedBytesMax = 8 * 1024 * 1024;
/** Above this many queued bytes, producers that can wait should wait. */
const comfortableBytes = 512 * 1024;
/** Maximum size of one write. */
const writeBytesMax = 512 * 1024;
/** How long a client whose watch ended may take to read what its socket holds. */
const lingerMs = 10_000;

/**
 * The events of one watch on their way to one client. Each buffer is a whole framed event (JSON and its newline, or length and
 * protobuf) that may be shared with other watchers: it must never change.
 */
export class WatchStream {
  readonly #transport: WatchTransport;
  readonly #outbox: WatchOutbox;
  readonly #bufferedBytesMax: number;
  readonly #onEnd: ((why: WatchStreamEnd) => void) | undefined;
  readonly #delays: Distribution | undefined;
  /** Events from before the stream was opened are history, not late. */
  readonly #openedAt = performance.now();
  /** When the oldest waiting event happened; undefined if that is not known of any. */
  #waitsSince: number | undefined;
  #events: readonly Buffer[] = none;
  /** `#events`, if this stream owns it; otherwise that is shared with other streams, or empty. */
  #own: Buffer[] | undefined;
  #bytes = 0;
  #inOutbox = false;
  #blocked = false;
  #ending = false;
  #over = false;
  #waiters: (() => void)[] | undefined;

  constructor(transport: WatchTransport, options: WatchStreamOptions) {
    this.#transport = transport;
    this.#outbox = options.outbox;
    this.#bufferedBytesMax = options.bufferedBytesMax ?? defaultBufferedBytesMax;
    this.#onEnd = options.onEnd;
    this.#delays = options.delays;
    transport.onClosed(() => this.#finish("gone"));
  }

  /** No more events can be sent. */
  get closed(): boolean {
    return this.#over || this.#ending;
  }

  /** Bytes waiting for the transport. */
  get bufferedBytes(): number {
    return this.#bytes;
  }

  /**
   * Queues events, to be sent at the end of this turn of the event loop. False asks a producer that can wait (the initial events of a
   * watch) to wait for `drained`; live events need not, because `bufferedBytesMax` bounds them. The array is kept, and must not change.
   * `happenedAt`: when the first of them happened, by `performance.now`.
   */
  send(events: readonly Buffer[], happenedAt = 0): boolean {
    if (this.closed || events.length === 0) return true;
    if (happenedAt > this.#openedAt) this.#waitsSince ??= happenedAt;
    this.#append(events);
    if (this.#bytes > this.#bufferedBytesMax) {
      this.#finish("slow");
      return true;
    }
    this.#schedule();
    return this.#bytes <= comfortableBytes;
  }

  /** Resolves when little is queued, or no more can be sent. */
  drained(): Promise<void> {
    if (this.closed || this.#bytes <= comfortableBytes) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters ??= [];
      this.#waiters.push(resolve);
    });
  }

  /** Ends the stream after the events sent so far. */
  end(): void {
    if (this.closed) return;
    this.#ending = true;
    if (this.#events.length === 0) this.#finish("ended");
  }

  /** Called by the outbox. */
  flush(frames: SharedFrames, now: number): boolean {
    this.#inOutbox = false;
    if (this.#over || this.#blocked) return false;
    const events = this.#take();
    const accepted = this.#transport.write(events, frames);
    if (this.#waitsSince !== undefined) {
      this.#delays?.observe(Math.max(0, now - this.#waitsSince) / 1000, events.length);
      if (this.#events.length === 0) this.#waitsSince = undefined;
    }
    if (this.#bytes <= comfortableBytes) this.#wake();
    if (!accepted) {
      this.#blocked = true;
      void this.#transport.drained().then(() => {
        this.#blocked = false;
        this.#proceed();
      });
    } else {
      this.#proceed();
    }
    return this.#transport.isDeferred;
  }

  #proceed(): void {
    if (this.#over) return;
    if (this.#events.length > 0) this.#schedule();
    else if (this.#ending) this.#finish("ended");
  }

  #schedule(): void {
    if (this.#inOutbox || this.#blocked) return;
    this.#inOutbox = true;
    this.#outbox.add(this);
  }

  #append(events: readonly Buffer[]): void {
    for (const event of events) this.#bytes += event.length;
    if (this.#events.length === 0) {
      this.#events = events;
      this.#own = undefined;
      return;
    }
    if (this.#own === undefined) {
      this.#own = [...this.#events];
      this.#events = this.#own;
    }
    for (const event of events) this.#own.push(event);
  }

  #clear(): void {
    this.#events = none;
    this.#own = undefined;
    this.#bytes = 0;
  }

  /** The events of one write. */
  #take(): readonly Buffer[] {
    const events = this.#events;
    if (this.#bytes <= writeBytesMax) {
      this.#clear();
      return events;
    }
    let count = 0;
    let bytes = 0;
    while (count < events.length && (count === 0 || bytes < writeBytesMax))
      bytes += events[count++]?.length ?? 0;
    this.#bytes -= bytes;
    this.#own = events.slice(count);
    this.#events = this.#own;
    return events.slice(0, count);
  }

  #finish(why: WatchStreamEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#clear();
    this.#wake();
    if (why !== "gone") this.#close();
    this.#onEnd?.(why);
  }

  /** The client may still read what the socket has buffered; one that does not is disconnected. */
  #close(): void {
    const transport = this.#transport;
    transport.end();
    const timer = setTimeout(() => transport.abort(), lingerMs);
    timer.unref();
    transport.onClosed(() => clearTimeout(timer));
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = undefined;
    if (waiters !== undefined) for (const resolve of waiters) resolve();
  }
}

/** Starts a watch answer: chunks over HTTP/1.1, DATA frames over HTTP/2. The headers are sent at once. */
export function openWatchStream(exchange: HttpExchange, options: WatchStreamOptions): WatchStream {
  const stream = exchange.startStream(200, { "Content-Type": options.contentType });
  stream.flushHeaders();
  return new WatchStream(new HttpTransport(exchange, stream), options);
}

class HttpTransport implements WatchTransport {
  readonly #exchange: HttpExchange;
  readonly #stream: ResponseStream;

  constructor(exchange: HttpExchange, stream: ResponseStream) {
    this.#exchange = exchange;
    this.#stream = stream;
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  get isDeferred(): boolean {
    return this.#exchange.httpVersion === "2.0";
  }

  write(events: readonly Buffer[], frames: SharedFrames): boolean {
    const stream = this.#stream;
    return stream.chunked ? stream.writeFrames(frames.chunk(events)) : stream.write(frames.joined(events));
  }

  drained(): Promise<void> {
    return this.#stream.drained();
  }

  end(): void {
    this.#stream.end();
  }

  abort(): void {
    this.#stream.abort();
  }

  onClosed(listener: () => void): void {
    this.#exchange.onFinished(listener);
  }
}

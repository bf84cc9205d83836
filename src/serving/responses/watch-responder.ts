import type { WatchResult } from "../../endpoints/resource/api-result.js";
import type { WatchHandle } from "../../storage/object-store.js";
import { timerMs } from "../../time/clock.js";
import type { RequestContext } from "../request/request-context.js";
import type { Negotiated } from "./negotiator.js";
import { WatchEncodings, type WatchEncodingsParts } from "./watch-encodings.js";
import { endWatches } from "./watch-endings.js";
import type { WatchOutbox } from "./watch-outbox.js";
import { WatchRelay } from "./watch-relay.js";
import { openWatchStream, type WatchStream } from "./watch-stream.js";
import type { WebSocketWatches } from "./web-socket-watch.js";

export interface WatchResponderParts extends WatchEncodingsParts {
  readonly outbox: WatchOutbox;
  readonly webSockets: WebSocketWatches;
  /** Aborts when the server drains: every watch ends so that its client moves to another server. */
  readonly draining: AbortSignal;
  /** Time over which the watches of a draining server end; 0: at once. */
  readonly terminationGraceMs: number;
}

/** Answers watches with a stream of events. */
export class WatchResponder {
  readonly #parts: WatchResponderParts;
  readonly #encodings: WatchEncodings;
  /** Each function ends a watch. */
  readonly #open = new Set<() => void>();

  constructor(parts: WatchResponderParts) {
    this.#parts = parts;
    this.#encodings = new WatchEncodings(parts);
    parts.draining.addEventListener("abort", () => endWatches(this.#open, parts.terminationGraceMs), {
      once: true,
    });
  }

  /**
   * Resolves when the stream is open, so that a thousand watchers do not hold a promise until they end. A watch that cannot start rejects
   * with its `Status`, and one that fails later ends with an ERROR event.
   */
  async watch(context: RequestContext, negotiated: Negotiated, result: WatchResult): Promise<void> {
    const { encoder, prepare } = this.#encodings.of(context, result.view, negotiated);
    const relay = new WatchRelay(encoder, prepare);
    const { alterWatch } = context;
    const start = alterWatch?.((sink) => result.start(sink)) ?? ((sink) => result.start(sink));
    const handle = await start(relay);
    if (context.exchange.signal.aborted) return handle.stop();
    await this.#stream(context, result, negotiated, relay, handle);
  }

  async #stream(
    context: RequestContext,
    result: WatchResult,
    negotiated: Negotiated,
    relay: WatchRelay,
    handle: WatchHandle,
  ): Promise<void> {
    const { outbox, webSockets, draining } = this.#parts;
    let stream: WatchStream | undefined;
    let over = draining.aborted;
    const end = (): void => {
      over = true;
      handle.stop();
      stream?.end();
    };
    const { watchers, delays } = this.#encodings.figuresOf(result.view);
    watchers.value++;
    const timer = setTimeout(end, timerMs(result.timeoutMs));
    this.#open.add(end);
    let isCounted = true;
    const ended = (): void => {
      if (isCounted) watchers.value--;
      isCounted = false;
      handle.stop();
      clearTimeout(timer);
      this.#open.delete(end);
    };
    const options = { outbox, contentType: negotiated.contentType, delays, onEnd: ended };
    const representation = negotiated.representation === "yaml" ? "json" : negotiated.representation;
    try {
      stream = context.exchange.isUpgrade
        ? await webSockets.open(context.exchange, { ...options, representation })
        : openWatchStream(context.exchange, options);
    } catch (error) {
      ended();
      throw error;
    }
    context.watchInitialized();
    relay.open(stream);
    // It may have been aborted while the WebSocket was opened.
    if (over) end();
  }
}

import { ConversionNeeded } from "../apis/definition/conversion-needed.js";
import type { VersionedView } from "../registry/generic/versioned-view.js";
import type { WatchEvent, WatchHandle, WatchSink } from "../storage/object-store.js";
import type { ApiRequest } from "./api-request.js";
import type { ApiResult } from "./api-result.js";

/** An object may be needed in each version that owns one of its fields. */
const attemptsMax = 32;

/**
 * Runs a verb on a version that only a webhook can convert: whenever an object is needed in another version, and before the answer is
 * written, this waits for the conversion. A verb that needed one is run again; it has stored nothing before.
 */
export async function runConverting(
  view: VersionedView,
  { signal }: Pick<ApiRequest, "signal">,
  run: () => Promise<ApiResult>,
): Promise<ApiResult> {
  const result = await withConversions(run, signal);
  switch (result.kind) {
    case "object":
      await view.prepare?.([result.stored], signal);
      return result;
    case "list":
      await view.prepare?.(result.items, signal);
      return result;
    case "watch":
      return {
        ...result,
        start: async (sink) => {
          const converting = new ConvertingSink(view, sink, signal);
          const handle = await result.start(converting);
          return converting.handleOf(handle);
        },
      };
    default:
      return result;
  }
}

async function withConversions<R>(run: () => Promise<R>, signal: AbortSignal): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ConversionNeeded) || attempt >= attemptsMax) throw error;
      await error.obtain(signal);
    }
  }
}

/** Forwards the events of a watch in order once their objects are converted. The watch pauses during a conversion. */
class ConvertingSink<T extends VersionedView> implements WatchSink<never> {
  readonly #view: T;
  readonly #sink: WatchSink<never>;
  readonly #signal: AbortSignal;
  #work: Promise<void> | undefined;
  #isStopped = false;
  #handle: WatchHandle | undefined;

  constructor(view: T, sink: WatchSink<never>, signal: AbortSignal) {
    this.#view = view;
    this.#sink = sink;
    this.#signal = signal;
  }

  handleOf(handle: WatchHandle): WatchHandle {
    this.#handle = handle;
    return {
      stop: () => {
        this.#isStopped = true;
        handle.stop();
      },
    };
  }

  events(batch: readonly WatchEvent<never>[]): void {
    const objects = batch.flatMap((event) => (event.type === "BOOKMARK" ? [] : [event.object]));
    this.#then(async () => {
      await this.#view.prepare?.(objects, this.#signal);
      if (!this.#isStopped) this.#sink.events(batch);
    });
  }

  end(error: Error | undefined): void {
    this.#then(async () => {
      if (!this.#isStopped) this.#sink.end(error);
    });
  }

  ready(): Promise<void> | undefined {
    return this.#work ?? this.#sink.ready?.();
  }

  #then(step: () => Promise<void>): void {
    const work = (this.#work ?? Promise.resolve()).then(step).catch((error: unknown) => {
      if (this.#isStopped) return;
      this.#isStopped = true;
      this.#handle?.stop();
      this.#sink.end(error instanceof Error ? error : new Error(String(error)));
    });
    this.#work = work;
    void work.then(() => {
      if (this.#work === work) this.#work = undefined;
    });
  }
}

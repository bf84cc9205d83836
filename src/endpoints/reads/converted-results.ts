import { asError } from "../../apimachinery/errors/as-error.js";
import { StatusError } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type { ConversionScope, ReadScope } from "../../apimachinery/objects/conversion-scope.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { runInTurn } from "../../event-loop/turns.js";
import type { ConvertedReads } from "../../registry/generic/converted-reads.js";
import { type Backoff, retry } from "../../remote/backoff.js";
import type { Selection, WatchEvent, WatchHandle, WatchSink } from "../../storage/object-store.js";
import type { ApiResult } from "../resource/api-result.js";

/** The result with its objects in a version that a webhook converts to: those of a list in one call, those of a watch as they come. */
export async function convertResult(
  reads: ConvertedReads<ApiObject>,
  result: ApiResult,
  { signal }: ConversionScope,
): Promise<ApiResult> {
  const scope = { signal, runWork: runInTurn };
  switch (result.kind) {
    case "object": {
      const [stored = result.stored] = await reads.objects([result.stored], scope);
      return { ...result, stored };
    }
    case "list":
      return { ...result, items: await reads.objects(result.items, scope) };
    case "watch":
      return {
        ...result,
        async start(sink) {
          const converting = new ConvertingSink(reads, sink, { ...scope, matches: result.matchesConverted });
          return converting.handleOf(await result.start(converting));
        },
      };
    case "value":
    case "status":
      return result;
    default:
      return unreachable(result);
  }
}

interface WatchScope extends ReadScope {
  readonly matches: Selection["matches"];
}

/** How long a watch waits before it calls a failed webhook again. It never gives up. */
const failedConversion: Backoff = {
  initialMs: 800,
  factor: 2,
  maxMs: 10_000,
  jitter: 0.5,
  attempts: Number.POSITIVE_INFINITY,
};

/**
 * Forwards the events of a watch in order once their objects are converted. The watch pauses during a conversion, and as long as the webhook
 * fails.
 */
class ConvertingSink implements WatchSink<ApiObject> {
  readonly #reads: ConvertedReads<ApiObject>;
  readonly #sink: WatchSink<ApiObject>;
  readonly #scope: WatchScope;
  #work: Promise<void> | undefined;
  #isStopped = false;
  /** Aborted when there are no more events to wait for. */
  readonly #over = new AbortController();
  /** Events were dropped, so no later one may be sent. */
  #hasGap = false;
  #handle: WatchHandle | undefined;

  constructor(reads: ConvertedReads<ApiObject>, sink: WatchSink<ApiObject>, scope: WatchScope) {
    this.#reads = reads;
    this.#sink = sink;
    this.#scope = scope;
  }

  handleOf(handle: WatchHandle): WatchHandle {
    this.#handle = handle;
    return {
      stop: () => {
        this.#isStopped = true;
        this.#over.abort();
        handle.stop();
      },
    };
  }

  events(batch: readonly WatchEvent<ApiObject>[]): void {
    this.#then(async () => {
      if (this.#hasGap) return;
      const converted = await this.#converted(batch);
      if (!this.#isStopped && converted.length > 0) this.#sink.events(converted);
    });
  }

  async #converted(batch: readonly WatchEvent<ApiObject>[]): Promise<readonly WatchEvent<ApiObject>[]> {
    const { signal } = this.#over;
    try {
      return await retry(() => this.#reads.events(batch, this.#scope, this.#scope.matches), {
        backoff: failedConversion,
        random: Math.random,
        isRetryable: isWebhookFailure,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      this.#hasGap = true;
      return [];
    }
  }

  end(error: Error | undefined): void {
    this.#over.abort();
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
      this.#sink.end(asError(error));
    });
    this.#work = work;
    void work.then(() => {
      if (this.#work === work) this.#work = undefined;
    });
  }
}

function isWebhookFailure(error: unknown): boolean {
  return error instanceof StatusError && error.status.code === 500;
}

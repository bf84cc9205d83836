import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { type KeyValueStore, noRevision, prefixEnd, type Revision, type WatchBatch } from "../kv.js";
import { followRange } from "../store/follow-range.js";
import type { CacheFeed, FeedSubscription, FeedTarget, WriteWait } from "./cache-feed.js";
import { type FirstWriteListener, FirstWrites, isEmptyBelow } from "./first-writes.js";

export interface KvWatchFeedOptions {
  readonly kv: KeyValueStore;
  /** Prefix of the keys of all collections; ends with a slash. */
  readonly root: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Called when the store interrupted a watch, which then resumes. */
  readonly interrupted?: ((prefix: string, error: unknown) => void) | undefined;
}

const progressPeriodMs = 100;
const retryPauseMs = 1000;

/**
 * Feeds caches by watches of a remote store: one watch each, one shared request for its newest revision, and one watch of everything for all
 * collections that have no cache yet.
 */
export class KvWatchFeed implements CacheFeed {
  readonly #options: KvWatchFeedOptions;
  readonly #subscriptions = new Set<WatchSubscription>();
  /** The request in flight. */
  #answer: Promise<Revision> | undefined;
  /** The request that was not sent yet. */
  #nextAnswer: Promise<Revision> | undefined;
  #progressRequested: "no" | "running" | "again" = "no";
  #cancelProgress: (() => void) | undefined;
  readonly #firstWrites = new FirstWrites();
  readonly #closing = new AbortController();
  /** Resolves when the current attempt to watch everything has succeeded or failed. */
  #attempt: Promise<void> | undefined;

  constructor(options: KvWatchFeedOptions) {
    this.#options = options;
  }

  awaitWrite(prefix: string, listener: FirstWriteListener): WriteWait {
    const stop = this.#firstWrites.add(prefix, listener);
    if (this.#attempt === undefined) void this.#watchEverything();
    return { started: this.#attempt ?? Promise.resolve(), stop };
  }

  isEmpty(prefix: string): Promise<boolean> {
    return isEmptyBelow(this.#options.kv, prefix);
  }

  subscribe(prefix: string, target: FeedTarget): FeedSubscription {
    const subscription = new WatchSubscription(this.#options, prefix, target, {
      remove: () => {
        this.#subscriptions.delete(subscription);
      },
      awaited: () => this.#pollProgress(),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /**
   * Shared by all callers until the request is sent. Later callers wait for the next one, because the answer under way may be older than a
   * write acknowledged since.
   */
  newestRevision(): Promise<Revision> {
    this.#nextAnswer ??= this.#ask(this.#answer);
    return this.#nextAnswer;
  }

  async #ask(underWay: Promise<unknown> | undefined): Promise<Revision> {
    // Also collects callers of the same turn.
    await underWay?.catch(() => undefined);
    await Promise.resolve();
    const answer = this.#options.kv.currentRevision();
    this.#answer = answer;
    this.#nextAnswer = undefined;
    try {
      return await answer;
    } finally {
      if (this.#answer === answer) this.#answer = undefined;
    }
  }

  requestProgress(): void {
    if (this.#progressRequested !== "no") {
      this.#progressRequested = "again";
      return;
    }
    this.#progressRequested = "running";
    void this.#options.kv
      .requestProgress()
      .catch(() => undefined) // it is asked for again as long as someone waits
      .then(() => {
        const again = this.#progressRequested === "again";
        this.#progressRequested = "no";
        if (again) this.requestProgress();
      });
  }

  close(): void {
    this.#cancelProgress?.();
    this.#closing.abort();
    for (const subscription of this.#subscriptions) subscription.stop();
  }

  async #watchEverything(): Promise<void> {
    const { kv, root, clock, random, interrupted } = this.#options;
    const { signal } = this.#closing;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      let settle: () => void = () => undefined;
      this.#attempt = new Promise((resolve) => {
        settle = resolve;
      });
      try {
        const after = await kv.currentRevision();
        settle();
        if (!isFirst) this.#firstWrites.tellAll();
        await followRange(
          {
            kv,
            clock,
            random,
            range: { start: root, end: prefixEnd(root) },
            after,
            batch: (batch) => {
              if (batch.kind === "events") this.#firstWrites.tell(batch.events);
            },
            interrupted: (error) => interrupted?.(root, error),
          },
          signal,
        );
      } catch {
        // History was lost, or the store does not answer, which its callers report.
      }
      settle();
      await sleep(clock, retryPauseMs, signal);
    }
  }

  #pollProgress(): void {
    this.requestProgress();
    if (this.#cancelProgress !== undefined) return;
    this.#cancelProgress = this.#options.clock.schedule(progressPeriodMs, () => {
      this.#cancelProgress = undefined;
      for (const subscription of this.#subscriptions) {
        if (subscription.awaited) {
          this.#pollProgress();
          return;
        }
      }
    });
  }
}

interface WatchSubscriptionHost {
  remove(): void;
  awaited(): void;
}

class WatchSubscription implements FeedSubscription {
  awaited = false;
  readonly #options: KvWatchFeedOptions;
  readonly #prefix: string;
  readonly #target: FeedTarget;
  readonly #host: WatchSubscriptionHost;
  readonly #controller = new AbortController();
  #reached = noRevision;

  constructor(options: KvWatchFeedOptions, prefix: string, target: FeedTarget, host: WatchSubscriptionHost) {
    this.#options = options;
    this.#prefix = prefix;
    this.#target = target;
    this.#host = host;
  }

  start(revision: Revision): void {
    const { kv, clock, random, interrupted } = this.#options;
    const prefix = this.#prefix;
    this.#reached = revision;
    followRange(
      {
        kv,
        clock,
        random,
        range: { start: prefix, end: prefixEnd(prefix) },
        after: revision,
        batch: (batch) => this.#take(batch),
        interrupted: (error) => interrupted?.(prefix, error),
      },
      this.#controller.signal,
    ).catch((error: unknown) => {
      if (this.#controller.signal.aborted) return;
      this.stop();
      this.#target.lost(error);
    });
  }

  stop(): void {
    this.#controller.abort();
    this.#host.remove();
  }

  reached(): Revision {
    return this.#reached;
  }

  setAwaited(awaited: boolean): void {
    this.awaited = awaited;
    if (awaited) this.#host.awaited();
  }

  #take(batch: WatchBatch): void {
    if (this.#controller.signal.aborted) return;
    if (batch.kind === "events") this.#target.apply(batch.events, batch.revision);
    if (batch.revision > this.#reached) this.#reached = batch.revision;
    if (this.awaited) this.#target.progressed();
  }
}

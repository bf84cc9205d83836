import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { type KvEvent, noRevision, type Revision } from "../kv.js";
import type { CacheFeed, FeedSubscription, FeedTarget } from "./cache-feed.js";
import type { CacheObserver } from "./cache-observer.js";
import { EventBatches, type EventObjects } from "./event-batches.js";
import type { Collection } from "./inherited-collections.js";

/** What a reflector keeps up to date. */
export interface ReflectorTarget<T> {
  /** Replaces everything by what was just read. */
  replace(collection: Collection<T>): void;
  /** The next events, and the objects that they leave behind. */
  apply(events: readonly KvEvent[], objects: EventObjects<T>, revision: Revision): void;
  /** `progress` has grown, while it is awaited or without events. */
  progressed(): void;
  /** Events are missing: everything is outdated until the next `replace`. */
  lost(error: unknown): void;
}

export interface ReflectorOptions<T> {
  readonly feed: Pick<CacheFeed, "subscribe">;
  readonly prefix: string;
  readonly read: () => Promise<Collection<T>>;
  /** The objects that the events leave behind; a promise when decryption takes time. */
  readonly decode: (events: readonly KvEvent[]) => MaybePromise<EventObjects<T>>;
  readonly target: ReflectorTarget<T>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: Pick<CacheObserver, "initialized" | "failed"> | undefined;
}

/** `loading` again after a loss. */
export type ReflectorState = "idle" | "loading" | "live" | "stopped";

const retryPauseMs = 250;
const retryPauseMsMax = 5000;

/**
 * Reads a collection, then follows its events; starts again when the store cannot be read or events are missing. Source: client-go
 * `tools/cache/reflector.go`.
 */
export class Reflector<T> {
  readonly #options: ReflectorOptions<T>;
  readonly #batches: EventBatches<T>;
  readonly #stopping = new AbortController();
  #state: ReflectorState = "idle";
  #subscription: FeedSubscription | undefined;
  #applied = noRevision;
  #loaded: Promise<void> | undefined;
  #attempt: Promise<void> = Promise.resolve();

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#batches = new EventBatches({
      decode: options.decode,
      apply: (events, objects, revision) => {
        this.#applied = revision;
        options.target.apply(events, objects, revision);
      },
      caughtUp: () => options.target.progressed(),
      failed: (error) => this.#lost(error),
    });
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Whether the cache follows the store. */
  get isLive(): boolean {
    return this.#state === "live";
  }

  /** The revision of the last event applied, or of the collection. */
  get applied(): Revision {
    return this.#applied;
  }

  /** Everything up to this revision is applied. */
  progress(): Revision {
    if (this.#batches.isBehind) return this.#applied;
    return this.#subscription?.reached() ?? noRevision;
  }

  /** While true, the target is told of progress, and the feed makes sure that there is some. */
  setAwaited(awaited: boolean): void {
    this.#subscription?.setAwaited(awaited);
  }

  /** Starts if necessary; resolves once the target has the collection. Stays pending while the store cannot be read. */
  ready(): Promise<void> {
    this.#loaded ??= this.#keepLoading();
    return this.#loaded;
  }

  /** Resolves when the current attempt to read the collection has succeeded or failed. */
  attempted(): Promise<void> {
    return this.#attempt;
  }

  /** Stops; the target receives nothing afterwards. */
  stop(): void {
    this.#state = "stopped";
    this.#stopping.abort();
    this.#subscription?.stop();
    this.#batches.clear();
  }

  async #keepLoading(): Promise<void> {
    const { clock, random, observer } = this.#options;
    let pauseMs = retryPauseMs;
    while (this.#state !== "stopped") {
      this.#state = "loading";
      const attempt = this.#load();
      this.#attempt = attempt.then(
        () => undefined,
        () => undefined,
      );
      try {
        await attempt;
        return;
      } catch (error) {
        this.#subscription?.stop();
        observer?.failed?.(error);
        await sleep(clock, pauseMs * (0.5 + random()), this.#stopping.signal);
        pauseMs = Math.min(pauseMs * 2, retryPauseMsMax);
      }
    }
  }

  async #load(): Promise<void> {
    const { prefix, feed, read, target, observer } = this.#options;
    const startedAt = performance.now();
    const feedTarget: FeedTarget = {
      apply: (events, revision) => this.#batches.take(events, revision),
      progressed: () => target.progressed(),
      lost: (error) => this.#lost(error),
    };
    const subscription = feed.subscribe(prefix, feedTarget);
    this.#subscription = subscription;
    const collection = await read();
    if (this.#state !== "loading") {
      subscription.stop();
      return;
    }
    this.#batches.clear();
    this.#applied = collection.revision;
    target.replace(collection);
    this.#state = "live";
    observer?.initialized?.(collection.index.size, performance.now() - startedAt);
    subscription.start(collection.revision);
  }

  #lost(error: unknown): void {
    if (this.#state !== "live") return;
    this.#state = "loading";
    this.#subscription?.stop();
    this.#batches.clear();
    this.#options.observer?.failed?.(error);
    this.#options.target.lost(error);
    this.#loaded = this.#keepLoading();
  }
}

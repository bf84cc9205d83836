import type {
  ObjectStore,
  StoredObject,
  WatchEvent,
  WatchEventType,
  WatchHandle,
  WatchRequest,
  WatchSink,
} from "../storage/object-store.js";

/** Sources that can be followed: the store of a resource, its cache, or its registry. */
export type Followable<T> = Pick<ObjectStore<T>, "watch">;

export interface Follower<T> {
  /** Called for each existing object, and then for each change. Must not throw. */
  change(type: WatchEventType, object: StoredObject<T>): void;
  /** Everything that existed at the start, or at a restart, has been passed to `change`. */
  synced?(): void;
  /** The watch was lost; `change` will receive the whole state again. */
  restarting?(): void;
}

export interface Following {
  stop(): void;
}

/** An unavailable store would not recover sooner if it were called at once. */
const restartDelayMs = 1000;

/**
 * Passes every existing object of a resource, and every later change, to `follower`, until `stop`. Resolves when the watch is registered,
 * or has to be retried. A lost watch starts over with the state, so an object may be seen as ADDED again.
 */
export async function follow<T>(
  source: Followable<T>,
  follower: Follower<T>,
  options: Pick<WatchRequest, "immediate" | "lazy"> = {},
): Promise<Following> {
  const following = new FollowedWatch(source, follower, options);
  await following.begin();
  return following;
}

class FollowedWatch<T> implements Following, WatchSink<T> {
  readonly #source: Followable<T>;
  readonly #follower: Follower<T>;
  readonly #options: Pick<WatchRequest, "immediate" | "lazy">;
  #isStopped = false;
  #handle: WatchHandle | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    source: Followable<T>,
    follower: Follower<T>,
    options: Pick<WatchRequest, "immediate" | "lazy">,
  ) {
    this.#source = source;
    this.#follower = follower;
    this.#options = options;
  }

  async begin(): Promise<void> {
    const request: WatchRequest = {
      prefix: "",
      start: { kind: "state", at: { kind: "any" } },
      bookmarks: false,
      bookmarkAfterState: true,
      ...this.#options,
    };
    try {
      this.#handle = await this.#source.watch(request, this);
      if (this.#isStopped) this.#handle.stop();
    } catch {
      this.#beginLater();
    }
  }

  events(batch: readonly WatchEvent<T>[]): void {
    if (this.#isStopped) return;
    for (const event of batch) {
      if (event.type !== "BOOKMARK") this.#follower.change(event.type, event.object);
      else if (event.initialEventsEnd) this.#follower.synced?.();
    }
  }

  end(): void {
    if (!this.#isStopped) this.#beginLater();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#handle?.stop();
  }

  #beginLater(): void {
    this.#timer = setTimeout(() => {
      if (this.#isStopped) return;
      this.#follower.restarting?.();
      void this.begin();
    }, restartDelayMs);
    this.#timer.unref();
  }
}

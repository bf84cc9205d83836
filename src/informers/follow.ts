import type {
  ObjectStore,
  StoredObject,
  WatchEventType,
  WatchHandle,
  WatchRequest,
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

/** An unavailable store would not come back sooner if it were asked at once. */
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
  let stopped = false;
  let handle: WatchHandle | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = async (): Promise<void> => {
    handle = await source.watch(
      {
        prefix: "",
        start: { kind: "state", at: { kind: "any" } },
        bookmarks: false,
        bookmarkAfterState: true,
        ...options,
      },
      {
        events(batch) {
          if (stopped) return;
          for (const event of batch) {
            if (event.type !== "BOOKMARK") follower.change(event.type, event.object);
            else if (event.initialEventsEnd) follower.synced?.();
          }
        },
        end() {
          if (!stopped) restart();
        },
      },
    );
    if (stopped) handle.stop();
  };
  const restart = (): void => {
    timer = setTimeout(() => {
      if (stopped) return;
      follower.restarting?.();
      begin().catch(restart);
    }, restartDelayMs);
    timer.unref();
  };
  await begin().catch(restart);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      handle?.stop();
    },
  };
}

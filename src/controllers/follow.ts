import type { ApiObject } from "../apimachinery/meta.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType, WatchHandle } from "../storage/object-store.js";

export interface Following {
  stop(): void;
}

/**
 * Calls `listener` with every object of a resource, now and from now on, until `stop`. When the watch is lost it starts over
 * with the state, so an object may be seen as ADDED again; `onRestart` is called before that.
 */
export async function follow(
  registry: ResourceRegistry,
  listener: (type: WatchEventType, object: StoredObject<ApiObject>) => void,
  onRestart: () => void = () => {},
): Promise<Following> {
  let stopped = false;
  let handle: WatchHandle | undefined;
  const begin = async (): Promise<void> => {
    handle = await registry.watch(
      { prefix: "", start: { kind: "state", at: { kind: "any" } }, bookmarks: false },
      {
        events(batch) {
          if (stopped) return;
          for (const event of batch) if (event.type !== "BOOKMARK") listener(event.type, event.object);
        },
        end() {
          if (!stopped) restart();
        },
      },
    );
    if (stopped) handle.stop();
  };
  const restart = (): void => {
    const timer = setTimeout(() => {
      if (stopped) return;
      onRestart();
      begin().catch(restart);
    }, restartDelayMs);
    timer.unref();
  };
  await begin();
  return {
    stop() {
      stopped = true;
      handle?.stop();
    },
  };
}

/** The store may be away: asking it again at once would not bring it back. */
const restartDelayMs = 1000;

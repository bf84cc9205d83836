import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Clock } from "../../time/clock.js";
import { type KeyValueStore, prefixEnd } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import type { CheckOutcome } from "./cache-observer.js";
import type { View } from "./list-view.js";

export interface ConsistencyCheckOptions<T> {
  readonly kv: KeyValueStore;
  /** Absolute prefix of the resource. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** What the cache holds; undefined while it holds nothing. */
  readonly view: () => View<T> | undefined;
  readonly checked: (outcome: CheckOutcome) => void;
}

const periodMs = 5 * 60_000;
const pageKeys = 1000;

/**
 * Compares a cache with its store every five minutes or somewhat later. Returns a function that stops it. Source: apiserver
 * `cacher/delegator.go`.
 */
export function keepComparing<T>(options: ConsistencyCheckOptions<T>): () => void {
  const { clock, random } = options;
  const stopping = new AbortController();
  let cancel: () => void = () => undefined;
  const check = async (): Promise<void> => {
    const outcome = await compare(options, stopping.signal).catch(() => "error" as const);
    if (stopping.signal.aborted) return;
    options.checked(outcome);
    next();
  };
  const next = (): void => {
    cancel = clock.schedule(periodMs * (1 + random() / 2), () => clock.track(check()));
  };
  next();
  return () => {
    stopping.abort();
    cancel();
  };
}

async function compare<T>(
  { kv, prefix, view }: ConsistencyCheckOptions<T>,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const seen = view();
  if (seen === undefined) return "error";
  const { revision } = seen;
  const cached: readonly StoredObject<T>[] = seen.index.range("");
  const end = prefixEnd(prefix);
  let start = prefix;
  let position = 0;
  for (;;) {
    const page = await kv.range({
      start,
      end,
      revision,
      limit: pageKeys,
      keysOnly: true,
      withoutCount: true,
    });
    for (const { key, modRevision } of page.kvs) {
      const object = cached[position++];
      if (object === undefined || object.revision !== modRevision || prefix + object.key !== key)
        return "failure";
    }
    const last = page.kvs.at(-1)?.key;
    if (!page.more || last === undefined) return position === cached.length ? "success" : "failure";
    start = `${last}\0`;
    await turnIfRoundIsOver();
    signal.throwIfAborted();
  }
}

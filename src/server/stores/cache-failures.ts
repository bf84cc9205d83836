import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStorageError } from "../../storage/storage-error.js";
import type { CacheObserver } from "../../storage/watchcache/cache-observer.js";
import type { BackgroundFailure } from "./store-backends.js";

/** A cache retries every few seconds, so a permanent failure would otherwise fill the log. */
const silenceMs = 300_000;

/**
 * Reports why the watch cache of a resource cannot follow the store. The same reason is reported again only after five minutes, or when the
 * cache was full in between. `now` is in milliseconds.
 */
export function cacheFailures(
  resource: string,
  report: BackgroundFailure,
  now: () => number,
): Required<Pick<CacheObserver, "initialized" | "failed">> {
  let said: { readonly reason: string; readonly at: number } | undefined;
  return {
    initialized() {
      said = undefined;
    },
    failed(cause) {
      const reason = messageOf(cause);
      if (said?.reason === reason && now() - said.at < silenceMs) return;
      said = { reason, at: now() };
      const text = `the watch cache of ${resource} lost touch with the store, which answers for it until it has read everything again: ${reason}`;
      // The stack of an error about a missing key is useless.
      report(isStorageError(cause) ? text : new Error(text, { cause }));
    },
  };
}

import type { MaybePromise } from "./maybe-promise.js";

/**
 * Runs work that may take some milliseconds, now or when the event loop has time. Code that walks any number of objects calls it for
 * each.
 */
export type RunWork = <T>(work: () => T) => MaybePromise<T>;

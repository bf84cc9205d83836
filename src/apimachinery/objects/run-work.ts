import type { MaybePromise } from "./maybe-promise.js";

/**
 * Runs work that may take some milliseconds, now or when its host has time. Code that walks over any number of objects runs the work on
 * each through it.
 */
export type RunWork = <T>(work: () => T) => MaybePromise<T>;

import type { MaybePromise } from "../objects/maybe-promise.js";

/** The value, if nothing has to be awaited. Throws otherwise. */
export function atOnce<T>(value: MaybePromise<T>): T {
  if (value instanceof Promise) throw new Error("it has to be waited for");
  return value;
}

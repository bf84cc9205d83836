import type { MaybePromise } from "../objects/maybe-promise.js";

/** The value, where nothing has to be waited for. Throws otherwise. */
export function atOnce<T>(value: MaybePromise<T>): T {
  if (value instanceof Promise) throw new Error("it has to be waited for");
  return value;
}

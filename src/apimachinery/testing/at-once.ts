import type { MaybePromise } from "../objects/maybe-promise.js";

/** What turns out not to be waited for. */
export function atOnce<T>(value: MaybePromise<T>): T {
  if (value instanceof Promise) throw new Error("it has to be waited for");
  return value;
}

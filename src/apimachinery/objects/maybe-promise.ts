/** A result that is a promise only when something has to be awaited. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value: at once if it is there already, so that nothing waits for a turn of the event loop. */
export function whenDone<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

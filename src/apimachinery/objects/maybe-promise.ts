/** A result that is a promise only when something has to be awaited. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once if it is available, so that nothing waits without need. */
export function whenDone<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

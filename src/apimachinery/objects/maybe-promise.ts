/** A result that is a promise only when something has to be waited for. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once where it is at hand, so that nothing waits without need. */
export function whenDone<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

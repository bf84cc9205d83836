import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { TransformationDirection } from "./envelope-transformer.js";
import type { PrefixedTransformer } from "./prefix-transformers.js";
import type { TransformationObserver } from "./transformation-observer.js";

/** Wraps a transformer to report each value of a resource to the observer. */
export function observedTransformer(
  { prefix, transformer }: PrefixedTransformer,
  resource: string,
  observer: TransformationObserver,
): PrefixedTransformer {
  const of = { prefix: prefix.toString("utf8"), resource };
  const observed = <T>(direction: TransformationDirection, work: () => MaybePromise<T>): MaybePromise<T> => {
    const startedAtMs = performance.now();
    const done = (isOk: boolean): void => {
      // If the identity transformer fails, the value is encrypted, and another transformer reads it.
      if (isOk || of.prefix !== "")
        observer.transformed(direction, of, performance.now() - startedAtMs, isOk);
    };
    try {
      const result = work();
      if (result instanceof Promise) {
        result.then(
          () => done(true),
          () => done(false),
        );
      } else {
        done(true);
      }
      return result;
    } catch (error) {
      done(false);
      throw error;
    }
  };
  return {
    prefix,
    transformer: {
      toStorage: (value, key) => observed("to_storage", () => transformer.toStorage(value, key)),
      fromStorage: (value, key) => observed("from_storage", () => transformer.fromStorage(value, key)),
    },
  };
}

import type { RequestContext } from "../request/request-context.js";

/** Undefined if there is nothing to await: most reads are answered synchronously. */
export type Handled = Promise<void> | undefined;

export type Handler = (context: RequestContext) => Handled;

/**
 * A middleware that every request passes. It answers itself, or rejects with a `StatusError`, or calls `next` once, the rest of the
 * chain; a step that only observes should return what `next` returns instead of being an async function. Does not throw.
 */
export type Filter = (context: RequestContext, next: Handler) => Handled;

/** A filter, and what is called when it passes a request on. */
export interface ObservedFilter {
  readonly filter: Filter;
  readonly passed: (context: RequestContext) => void;
}

/**
 * Runs `filters` in order, then `handler`. A step that throws by mistake is turned into a rejection, so that the steps before it clean up.
 */
export function chain(filters: readonly (Filter | ObservedFilter)[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, each) => {
    if (typeof each === "function") return rejecting((context) => each(context, next));
    const { filter, passed } = each;
    const passOn: Handler = (context) => {
      passed(context);
      return next(context);
    };
    return rejecting((context) => filter(context, passOn));
  }, rejecting(handler));
}

/** Calls `then` when a request is done, however it ended. */
export function whenHandled(done: Handled, then: () => void): Handled {
  if (done === undefined) then();
  // `finally` would make the request wait for two more promises.
  else done.then(then, then);
  return done;
}

function rejecting(step: Handler): Handler {
  return (context) => {
    try {
      return step(context);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

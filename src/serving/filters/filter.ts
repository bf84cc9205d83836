import type { RequestContext } from "../request/request-context.js";

export type Handler = (context: RequestContext) => Promise<void>;

/**
 * A step that every request takes. It answers by itself, or rejects with a `StatusError`, or calls `next` once, the rest of the chain; a
 * step that only observes should return the promise of `next` instead of being an async function. Does not throw.
 */
export type Filter = (context: RequestContext, next: Handler) => Promise<void>;

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

function rejecting(step: Handler): Handler {
  return (context) => {
    try {
      return step(context);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

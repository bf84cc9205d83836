import type { RequestContext } from "../request/request-context.js";

/** The rest of the chain: the filters after this one, and the handler. */
export type Next = () => Promise<void>;

/**
 * A step that every request takes. It answers by itself, or rejects with a `StatusError`, or calls `next` once; a step that only
 * observes should return the promise of `next` instead of being an async function. Does not throw.
 */
export type Filter = (context: RequestContext, next: Next) => Promise<void>;

export type Handler = (context: RequestContext) => Promise<void>;

/** A filter, and what is told when it passes a request on. */
export interface ObservedFilter {
  readonly filter: Filter;
  readonly passed: (context: RequestContext) => void;
}

/** Runs `filters` in order, then `handler`. A step that throws by mistake rejects, so that the steps before it clean up. */
export function chain(filters: readonly (Filter | ObservedFilter)[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, each) => {
    if (typeof each === "function") return rejecting((context) => each(context, () => next(context)));
    const { filter, passed } = each;
    return rejecting((context) =>
      filter(context, () => {
        passed(context);
        return next(context);
      }),
    );
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

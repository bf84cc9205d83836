import type { RequestContext } from "../request/request-context.js";

/** The rest of the way: the filters after this one, and the handler behind them. */
export type Next = () => Promise<void>;

/**
 * A step every request takes. It answers by itself, or rejects with a `StatusError`, or calls `next` once; a step that only looks
 * does better to hand on the promise of `next` than to be an async function with one of its own. Does not throw.
 */
export type Filter = (context: RequestContext, next: Next) => Promise<void>;

export type Handler = (context: RequestContext) => Promise<void>;

/** Runs `filters` from first to last, then `handler`. */
export function chain(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>(
    (next, filter) => (context) => filter(context, () => next(context)),
    handler,
  );
}

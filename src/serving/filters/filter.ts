import type { RequestContext } from "../request/request-context.js";

/** The rest of the way: the filters after this one, and the handler behind them. */
export type Next = () => Promise<void>;

/** A step every request takes. It answers by itself, or throws a `StatusError`, or calls `next` once. */
export type Filter = (context: RequestContext, next: Next) => Promise<void>;

export type Handler = (context: RequestContext) => Promise<void>;

/** Runs `filters` from first to last, then `handler`. */
export function chain(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>(
    (next, filter) => (context) => filter(context, () => next(context)),
    handler,
  );
}

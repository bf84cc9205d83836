import type { Filter } from "./filter.js";

/** Documents that say themselves how long they may be kept. */
const cachedPaths = ["/openapi/v3/", "/.well-known/", "/openid/"];

/** Answers are of this moment and this user: no cache may keep them. A client may name its request, in any words. */
export function standardHeaders(newId: () => string): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (!cachedPaths.some((path) => context.path.startsWith(path))) {
      exchange.addResponseHeader("Cache-Control", "no-cache, private");
    }
    context.auditId = exchange.headers["audit-id"] || newId();
    exchange.addResponseHeader("Audit-Id", context.auditId);
    return next();
  };
}

import type { Filter } from "./filter.js";

/** Documents that state themselves how long they may be cached. */
const cachedPaths = ["/openapi/v3/", "/.well-known/", "/openid/"];

/** Answers depend on time and user: no cache may keep them. A client may name its request with any text. */
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

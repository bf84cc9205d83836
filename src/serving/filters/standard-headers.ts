import type { Filter } from "./filter.js";

/** Documents that set their own caching headers. */
const cachedPaths = ["/openapi/v3/", "/.well-known/", "/openid/"];

/** The audit ID is repeated in the answer, in each audit event and in each log line. */
const auditIdMax = 1024;

/** Answers depend on time and user, so no cache may store them. A client may choose the audit ID; a long one is cut. */
export function standardHeaders(newId: () => string): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (context.info.isResourceRequest || !cachedPaths.some((path) => context.path.startsWith(path))) {
      exchange.addResponseHeader("Cache-Control", "no-cache, private");
    }
    context.auditId = exchange.headers["audit-id"]?.slice(0, auditIdMax) || newId();
    exchange.addResponseHeader("Audit-Id", context.auditId);
    return next(context);
  };
}

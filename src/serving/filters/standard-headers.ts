import type { Filter } from "./filter.js";

/** Documents that set their own caching headers. */
const cachedPaths = ["/openapi/v3/", "/.well-known/", "/openid/"];

/** The id is in the answer, in each audit event and in each line of the log. */
const auditIdMax = 1024;

/** Answers depend on time and user, so no cache may keep them. A client may choose the audit ID: the beginning of its header counts. */
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

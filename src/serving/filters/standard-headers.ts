import type { Filter } from "./filter.js";

/** Documents that say themselves how long they may be kept. */
const cachedPaths = ["/openapi/v3/", "/.well-known/", "/openid/"];

/** Answers are of this moment and this user: no cache may keep them. The audit id lets a client name its request. */
export function standardHeaders(newId: () => string): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (!cachedPaths.some((path) => context.path.startsWith(path))) {
      exchange.addResponseHeader("Cache-Control", "no-cache, private");
    }
    exchange.addResponseHeader("Audit-Id", auditId(exchange.headers["audit-id"]) ?? newId());
    return next();
  };
}

const auditIdCharactersMax = 64;

function auditId(sent: string | undefined): string | undefined {
  return sent === undefined || sent.length > auditIdCharactersMax || !/^[\x21-\x7e]+$/.test(sent)
    ? undefined
    : sent;
}

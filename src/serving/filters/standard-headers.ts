import type { Filter } from "./filter.js";

/** Documents with the hash of their content in the URL, which say themselves how long they may be kept. */
const cachedPaths = "/openapi/v3/";

/** Answers are of this moment and this user: no cache may keep them. The audit id lets a client name its request. */
export function standardHeaders(newId: () => string): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (!context.path.startsWith(cachedPaths)) {
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

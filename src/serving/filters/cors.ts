import type { Filter } from "./filter.js";

const methods = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const headers =
  "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since";

/** `--cors-allowed-origins`: lets pages of these origins use the API, and answers their preflight requests. */
export function cors(isAllowed: (origin: string) => boolean): Filter {
  return (context, next) => {
    const { exchange } = context;
    const origin = exchange.headers.origin;
    if (origin === undefined || !isAllowed(origin)) return next(context);
    exchange.addResponseHeader("Access-Control-Allow-Origin", origin);
    exchange.addResponseHeader("Access-Control-Allow-Methods", methods);
    exchange.addResponseHeader("Access-Control-Allow-Headers", headers);
    exchange.addResponseHeader("Access-Control-Expose-Headers", "Date");
    exchange.addResponseHeader("Access-Control-Allow-Credentials", "true");
    if (exchange.method !== "OPTIONS") return next(context);
    exchange.respond(204, {});
    return undefined;
  };
}

import { badRequest } from "../../apimachinery/status.js";
import type { HttpExchange } from "../http/exchange.js";
import { anonymousUser, type RequestContext } from "./request-context.js";
import { requestInfoOf } from "./request-info.js";

/** Reads method, path and query of an exchange. Throws 400 for a path that cannot be decoded. */
export function openContext(exchange: HttpExchange, now: Date): RequestContext {
  const path = decodePath(exchange.path);
  const query = new URLSearchParams(exchange.query);
  const info = requestInfoOf(exchange.method, path, query);
  const context = {
    exchange,
    receivedAt: now,
    query,
    path,
    info,
    longRunning: isLongRunning(info),
    user: anonymousUser,
    warnings: new Set<string>(),
  };
  // The signal of the exchange costs something to make, so it is made for those who ask.
  return Object.defineProperty(context, "signal", {
    configurable: true,
    enumerable: true,
    get: () => exchange.signal,
    set(value: AbortSignal) {
      Object.defineProperty(context, "signal", {
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    },
  }) as RequestContext; // `signal` has just been defined
}

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw badRequest(`invalid URL escape in path ${JSON.stringify(path)}`, error);
  }
}

const longRunningSubresources = new Set(["attach", "exec", "proxy", "log", "portforward"]);

function isLongRunning(info: RequestContext["info"]): boolean {
  return (
    info.isResourceRequest &&
    (info.verb === "watch" || info.verb === "proxy" || longRunningSubresources.has(info.subresource))
  );
}

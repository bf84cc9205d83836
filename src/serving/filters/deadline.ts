import { parseDuration } from "../../apimachinery/duration.js";
import { badRequest, timedOut } from "../../apimachinery/status.js";
import type { Filter } from "./filter.js";

/**
 * Ends requests that are not long-running after `--request-timeout`, or sooner when the client says `timeout=`. Throws 400 for
 * a timeout that is no duration, and 504 when the time is up.
 */
export function deadline(requestTimeoutMs: number): Filter {
  return async (context, next) => {
    if (context.longRunning) return await next();
    const timeoutMs = Math.min(requestTimeoutMs, clientTimeoutMs(context.query) ?? requestTimeoutMs);
    let expiry: AbortController | undefined;
    let reason: Error | undefined;
    let expire: (error: Error) => void = () => {};
    const expired = new Promise<never>((_resolve, reject) => {
      expire = reject;
    });
    const timer = setTimeout(() => {
      reason = timedOut("The request did not complete within the allotted time");
      expiry?.abort(reason);
      expire(reason);
    }, timeoutMs);
    context.signalSource = () => {
      if (expiry === undefined) {
        expiry = new AbortController();
        if (reason !== undefined) expiry.abort(reason);
      }
      return expiry.signal;
    };
    try {
      await Promise.race([next(), expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function clientTimeoutMs(query: URLSearchParams): number | undefined {
  const text = query.get("timeout");
  if (text === null || text === "") return undefined;
  const nanos = parseDuration(text);
  if (nanos === undefined || nanos < 0n)
    throw badRequest(`invalid timeout specified in the request URL: ${text}`);
  return nanos === 0n ? undefined : Number(nanos / 1_000_000n);
}

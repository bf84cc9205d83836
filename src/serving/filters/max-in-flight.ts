import type { KindLoad } from "../../access/flowcontrol/load-samples.js";
import { type RequestKind, requestKind } from "../../access/flowcontrol/request-kind.js";
import { StatusError } from "../../apimachinery/errors/status.js";
import { userOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import { type Filter, whenHandled } from "./filter.js";

/** 0 means no limit. */
export type InFlightLimits = Readonly<Record<RequestKind, number>>;

/**
 * Refuses requests above the limits with 429, after calling `refused`. Long-running requests and members of `system:masters` are not
 * counted.
 */
export function maxInFlight(
  limits: InFlightLimits,
  refused?: (context: RequestContext, kind: RequestKind) => void,
  loads?: Readonly<Record<RequestKind, KindLoad>>,
): Filter {
  const running = { readOnly: 0, mutating: 0 };
  return (context, next) => {
    const kind = requestKind(context.info.verb);
    if (context.longRunning || limits[kind] === 0 || userOf(context).groups.includes("system:masters")) {
      return next(context);
    }
    if (running[kind] >= limits[kind]) {
      const refusal = new StatusError({
        message: "Too many requests, please try again later.",
        reason: "TooManyRequests",
        details: { retryAfterSeconds: 1 },
        code: 429,
      });
      refused?.(context, kind);
      return Promise.reject(refusal);
    }
    running[kind]++;
    loads?.[kind].executing.add(1, performance.now());
    return whenHandled(next(context), () => {
      running[kind]--;
      loads?.[kind].executing.add(-1, performance.now());
    });
  };
}

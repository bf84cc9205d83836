import { StatusError } from "../../apimachinery/status.js";
import { userOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

const readOnlyVerbs = new Set(["get", "list", "watch"]);

/** As in Kubernetes, every other verb counts as mutating. */
export function requestKind(verb: string): keyof InFlightLimits {
  return readOnlyVerbs.has(verb) ? "readOnly" : "mutating";
}

export interface InFlightLimits {
  /** 0 means no limit. */
  readonly readOnly: number;
  readonly mutating: number;
}

/**
 * Refuses requests above the limits with 429, after calling `refused`. Long-running requests and members of `system:masters` are not
 * counted.
 */
export function maxInFlight(
  limits: InFlightLimits,
  refused?: (context: RequestContext, kind: keyof InFlightLimits) => void,
): Filter {
  const running = { readOnly: 0, mutating: 0 };
  return (context, next) => {
    const kind = requestKind(context.info.verb);
    if (context.longRunning || limits[kind] === 0 || userOf(context).groups.includes("system:masters")) {
      return next();
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
    return next().finally(() => {
      running[kind]--;
    });
  };
}

import type { Quantity } from "../../apimachinery/values/quantity.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";

/** The checked amount and its description in messages: `minimum cpu usage per Container is 100m …`. */
export interface LimitedUsage {
  /** `Container`, `Pod`, `PersistentVolumeClaim`. */
  readonly type: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Beyond this, thousandths do not fit 64 bits, and whole numbers are compared instead. */
const milliValueMax = 2n ** 63n / 1000n - 1n;

/** Undefined when the usage is not below `bound`. */
export function minimumProblem(usage: LimitedUsage, resource: string, bound: Quantity): string | undefined {
  const [request, limit] = [usage.requests.get(resource), usage.limits.get(resource)];
  const enforced = scaler(request, limit, bound);
  const what = `minimum ${resource} usage per ${usage.type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  if (enforced(request) < enforced(bound)) return `${what}, but request is ${request}`;
  if (limit !== undefined && enforced(limit) < enforced(bound)) return `${what}, but limit is ${limit}`;
  return undefined;
}

/** Undefined when the usage has a limit and is not above `bound`. */
export function maximumProblem(usage: LimitedUsage, resource: string, bound: Quantity): string | undefined {
  const [request, limit] = [usage.requests.get(resource), usage.limits.get(resource)];
  const enforced = scaler(request, limit, bound);
  const what = `maximum ${resource} usage per ${usage.type} is ${bound}`;
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (enforced(limit) > enforced(bound)) return `${what}, but limit is ${limit}`;
  if (request !== undefined && enforced(request) > enforced(bound))
    return `${what}, but request is ${request}`;
  return undefined;
}

/** Like `maximumProblem`, for requests without limits: storage. */
export function maximumRequestProblem(
  usage: LimitedUsage,
  resource: string,
  bound: Quantity,
): string | undefined {
  const request = usage.requests.get(resource);
  const enforced = scaler(request, undefined, bound);
  const what = `maximum ${resource} usage per ${usage.type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  return enforced(request) > enforced(bound) ? `${what}, but request is ${request}` : undefined;
}

/** Undefined when the limit is at most `bound` times the request. */
export function ratioProblem(usage: LimitedUsage, resource: string, bound: Quantity): string | undefined {
  const [request, limit] = [usage.requests.get(resource), usage.limits.get(resource)];
  const enforced = scaler(request, limit, bound);
  const what = `${resource} max limit to request ratio per ${usage.type} is ${bound}`;
  if (request === undefined || request.isZero())
    return `${what}, but no request is specified or request is 0`;
  if (limit === undefined || limit.isZero()) return `${what}, but no limit is specified or limit is 0`;
  const ratio = Number(enforced(limit)) / Number(enforced(request));
  return ratio > bound.asNumber() ? `${what}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Compares in thousandths, or in whole numbers if one of the amounts is too large for that. */
function scaler(...amounts: readonly (Quantity | undefined)[]): (amount: Quantity) => bigint {
  const fit = amounts.every((amount) => amount === undefined || amount.value() <= milliValueMax);
  return (amount) => (fit ? amount.milliValue() : amount.value());
}

import type { Quantity } from "../../../apimachinery/values/quantity.js";
import type { ResourceQuota } from "../../gen/core-v1.js";
import { readAmounts } from "./amounts.js";

/** Requests of these resources may be written without the prefix `requests.`. */
const bareRequests = ["cpu", "memory"];
const limitable = [...bareRequests, "storage", "ephemeral-storage"];

/** Warns if a quota allows more for requests than for limits: the difference cannot be used. */
export function resourceQuotaWarnings({ spec }: ResourceQuota): string[] {
  const hard = readAmounts(spec.hard);
  return limitable.flatMap((name) => {
    const [requests, limits] = [`requests.${name}`, `limits.${name}`];
    const request = hard.has(requests) || !bareRequests.includes(name) ? requests : name;
    const [asked, limit]: (Quantity | undefined)[] = [hard.get(request), hard.get(limits)];
    if (asked === undefined || limit === undefined || asked.compare(limit) <= 0) return [];
    return [`ResourceQuota ${request} (${asked}) should be less than ${limits} (${limit})`];
  });
}

import type { Quantity } from "../../apimachinery/quantity.js";
import {
  type Amounts,
  printAmounts,
  readAmounts,
  writeAmounts,
} from "../../apis/core/resource-quota/amounts.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";

/** What an object takes of each resource. */
export type Delta = Amounts;

/**
 * Adds `delta` to the use of a quota, as far as the quota limits it. Returns the new status, or why it does not fit, in Kubernetes'
 * words; undefined when the quota limits nothing of it.
 */
export function charge(
  name: string,
  { hard = {}, used = {} }: ResourceQuota["status"],
  delta: Delta,
): { readonly status: ResourceQuota["status"] } | { readonly problem: string } | undefined {
  const limited = [...delta].filter(([resource]) => hard[resource] !== undefined);
  if (limited.length === 0) return undefined;
  const unknown = limited.map(([resource]) => resource).filter((resource) => used[resource] === undefined);
  if (unknown.length > 0) return { problem: statusUnknown(name, unknown) };
  const [bounds, before] = [readAmounts(hard), readAmounts(used)];
  const after = new Map<string, Quantity>();
  const exceeded: string[] = [];
  for (const [resource, amount] of limited) {
    const [bound, taken] = [bounds.get(resource), before.get(resource)];
    if (bound === undefined || taken === undefined) continue;
    const sum = taken.add(amount);
    after.set(resource, sum);
    if (sum.compare(bound) > 0) exceeded.push(resource);
  }
  if (exceeded.length > 0) {
    const of = (amounts: Amounts) =>
      printAmounts(new Map([...amounts].filter(([key]) => exceeded.includes(key))));
    return {
      problem: `exceeded quota: ${name}, requested: ${of(delta)}, used: ${of(before)}, limited: ${of(bounds)}`,
    };
  }
  return { status: { hard, used: { ...used, ...writeAmounts(after) } } };
}

/** Takes `delta` back. */
export function refund({ hard, used = {} }: ResourceQuota["status"], delta: Delta): ResourceQuota["status"] {
  const before = readAmounts(used);
  const after = new Map<string, Quantity>();
  for (const [resource, amount] of delta) {
    const taken = before.get(resource);
    if (taken !== undefined && taken.compare(amount) >= 0) after.set(resource, taken.sub(amount));
  }
  return { hard, used: { ...used, ...writeAmounts(after) } };
}

export function statusUnknown(name: string, resources: readonly string[]): string {
  return `status unknown for quota: ${name}, resources: ${[...resources].sort().join(",")}`;
}

import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { ScopedResourceSelectorRequirement } from "../../gen/core-v1.js";
import type { Amounts } from "./amounts.js";

/** What evaluators need to know of the API level. */
export type QuotaLevel = Pick<ApiContext, "level" | "isEnabled"> & { readonly naming: Naming };

/** The usage of one object. */
export interface Measure {
  readonly usage: Amounts;
  /** When usage decreases by itself, in milliseconds since the epoch. */
  readonly changesAt?: number | undefined;
  /** Looks up what is in `usage` though another object is charged for it; absent for most objects. */
  readonly chargedElsewhere?: ((now: number) => Promise<Amounts>) | undefined;
  matchesScope(requirement: ScopedResourceSelectorRequirement): boolean;
}

export interface MeasuredUpdate<T extends ApiObject = ApiObject> {
  /** Empty for an update of the object itself. */
  readonly subresource: string;
  readonly object: T;
  readonly old: T;
}

/** Computes the usage of a resource's objects. */
export interface QuotaEvaluator<T extends ApiObject = ApiObject> {
  /** Whether an update, or one of a subresource, may increase usage. */
  measuresUpdate(update: MeasuredUpdate<T>): boolean;
  /** The usage, if it is the same for every object. */
  readonly constant?: Measure;
  /** Whether objects of the resource may use the quota resource `name`. */
  counts(name: string): boolean;
  measure(object: T, now: number): Measure;
  /** The resources that the object must specify if a quota limits them, each with the containers that do not. */
  unstated(object: T): ReadonlyMap<string, readonly string[]>;
}

export const nothingUnstated: ReadonlyMap<string, readonly string[]> = new Map();

export function countName(group: string, resource: string): string {
  return group === "" ? `count/${resource}` : `count/${resource}.${group}`;
}

/** The usage of objects that no scope applies to: a quota with scopes does not count them. */
export function unscoped(usage: Amounts): Measure {
  return { usage, matchesScope: () => false };
}

/** The measure without what another object is charged for. */
export async function chargedHere(measure: Measure, now: number): Promise<Measure> {
  const elsewhere = await measure.chargedElsewhere?.(now);
  if (elsewhere === undefined) return measure;
  const usage = new Map<string, Quantity>();
  for (const [name, amount] of measure.usage) {
    const other = elsewhere.get(name);
    const left = other === undefined ? amount : amount.sub(other);
    if (other === undefined || left.sign() > 0) usage.set(name, left);
  }
  return { usage, changesAt: measure.changesAt, matchesScope: (scope) => measure.matchesScope(scope) };
}

/** Whether a scope that selects by name covers an object that names `name`, which is empty for one that names nothing. */
export function matchesName(
  name: string,
  { operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  switch (operator) {
    case "Exists":
      return name !== "";
    case "DoesNotExist":
      return name === "";
    case "In":
      return name !== "" && values.includes(name);
    case "NotIn":
      return name === "" || !values.includes(name);
    default:
      return false;
  }
}

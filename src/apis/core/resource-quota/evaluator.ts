import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { ScopedResourceSelectorRequirement } from "../../gen/core-v1.js";
import type { Amounts } from "./amounts.js";

/** The usage of one object. */
export interface Measure {
  readonly usage: Amounts;
  /** When usage decreases by itself, in milliseconds since the epoch. */
  readonly changesAt?: number | undefined;
  matchesScope(requirement: ScopedResourceSelectorRequirement): boolean;
}

/** Computes the usage of a resource's objects. */
export interface QuotaEvaluator<T extends ApiObject = ApiObject> {
  /** Whether an update may increase usage. */
  readonly measuresUpdates: boolean;
  /** The usage, if it is the same for every object. */
  readonly constant?: Measure;
  /** Whether objects of the resource may use the quota resource `name`. */
  counts(name: string): boolean;
  measure(object: T, now: number): Measure;
  /** The resources that the object does not specify, and must where a quota limits them. */
  unstated(object: T): ReadonlySet<string>;
}

export const nothingUnstated: ReadonlySet<string> = new Set();

export function countName(group: string, resource: string): string {
  return group === "" ? `count/${resource}` : `count/${resource}.${group}`;
}

import type { ApiObject } from "../../../apimachinery/meta.js";
import type { ScopedResourceSelectorRequirement } from "../../gen/core-v1.js";
import type { Amounts } from "./amounts.js";

/** What an object takes of quotas. */
export interface Measure {
  readonly usage: Amounts;
  /** Milliseconds since the epoch, when it will take less by itself. */
  readonly changesAt?: number | undefined;
  matchesScope(requirement: ScopedResourceSelectorRequirement): boolean;
}

/** How the objects of a resource are measured. */
export interface QuotaEvaluator {
  /** Whether an update may take more than the object did. */
  readonly measuresUpdates: boolean;
  /** Set where every object takes the same. */
  readonly constant?: Measure;
  /** Whether objects of the resource may take something of what a quota calls `name`. */
  counts(name: string): boolean;
  measure(object: ApiObject, now: number): Measure;
  /** Which of the resources that a quota limits the object must state and does not. */
  missing(object: ApiObject, limited: readonly string[]): readonly string[];
}

export function countName(group: string, resource: string): string {
  return group === "" ? `count/${resource}` : `count/${resource}.${group}`;
}

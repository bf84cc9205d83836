import type { ConversionScope } from "../objects/conversion-scope.js";
import { timestamp } from "../values/time.js";
import { capUpdateManagers } from "./cap-managers.js";
import { type FieldSet, isEmptySet, setsEqual, union } from "./field-set.js";
import { identityOf, Manager, type ManagerIdentity, type Managers } from "./managers.js";
import type { OwnableFields } from "./ownership.js";

export interface TrackedWrite {
  /** See `fieldManagerName`. */
  readonly manager: string;
  /** The version of the request and of the objects passed in. */
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly now: Date;
  readonly scope: ConversionScope;
  /** Default: all fields. The strategy may reset the others, so managers must not own them. */
  readonly ownable?: OwnableFields | undefined;
  /** Top-level fields that the strategy resets, so that validation never sees what was sent. Default: none. */
  readonly discards?: ((name: string) => boolean) | undefined;
}

export function updaterOf(write: TrackedWrite): ManagerIdentity {
  return {
    name: write.manager === "" ? "unknown" : write.manager,
    operation: "Update",
    apiVersion: write.apiVersion,
    subresource: write.subresource,
  };
}

/** The entry gets the time of the write, or keeps that of `former` if it owns the same fields. */
export function addUpdater(
  managers: Managers,
  set: FieldSet,
  identity: ManagerIdentity,
  now: Date,
  former?: Manager,
): void {
  if (!isEmptySet(set)) {
    const key = identityOf(identity);
    const previous = managers.get(key);
    const owned = previous === undefined ? set : union(previous.set, set);
    const isFormer = former !== undefined && setsEqual(former.set, owned);
    managers.set(key, new Manager(identity, owned, isFormer ? former.time : timestamp(now)));
  }
  capUpdateManagers(managers);
}

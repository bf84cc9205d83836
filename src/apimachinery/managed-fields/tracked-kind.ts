import type { StatusError } from "../errors/status.js";
import type { JsonObject } from "../json/json-value.js";
import { fieldSetOf, isEmptySet } from "./field-set.js";
import { withoutManagedFields } from "./managed-fields-entries.js";
import type { Managers } from "./managers.js";
import { checkFits, type ObjectVersions, type VersionedContext, VersionedObject } from "./object-versions.js";
import { VersionedComparison } from "./ownership.js";
import { reconcileSet } from "./remove-items.js";
import type { TrackedWrite } from "./tracked-write.js";
import type { Repeats } from "./whole-tree.js";

/** The object's identity and fields that the server maintains are never owned. */
export const neverOwned = fieldSetOf(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
);

/** One kind's versions: each manager's field set is in one of them. */
export class TrackedKind {
  readonly versions: ObjectVersions;

  constructor(versions: ObjectVersions) {
    this.versions = versions;
  }

  compare(live: JsonObject, updated: JsonObject, write: TrackedWrite, repeats: Repeats): VersionedComparison {
    const { apiVersion, ownable = () => undefined } = write;
    const context = this.contextOf(write);
    return new VersionedComparison(
      {
        live: new VersionedObject(withoutManagedFields(live), apiVersion, context),
        updated: new VersionedObject(withoutManagedFields(updated), apiVersion, context),
      },
      this.versions,
      ownable,
      repeats,
    );
  }

  contextOf({ scope }: TrackedWrite): VersionedContext {
    return { versions: this.versions, scope };
  }

  /** The error for the first manager at a version that the kind lacks; undefined where such managers are dropped. */
  refusalOf(managers: Managers): StatusError | undefined {
    const { refuseManagerAt } = this.versions;
    if (refuseManagerAt === undefined) return undefined;
    for (const { apiVersion } of managers.values())
      if (this.versions.typeAt(apiVersion) === undefined) return refuseManagerAt(apiVersion);
    return undefined;
  }

  /**
   * Throws `TypedValueError` for a live object that has fields which the version of a manager does not declare. `checked`: the version that
   * it is known to fit.
   */
  checkFitsManagers(live: JsonObject, managers: Managers, checked?: string): void {
    if (this.versions.areAlike !== true) return;
    const object = withoutManagedFields(live);
    const used = new Set<string>();
    for (const { apiVersion } of managers.values()) if (apiVersion !== checked) used.add(apiVersion);
    for (const apiVersion of used) checkFits(object, apiVersion, this.versions);
  }

  /** Drops managers of versions that the kind does not have, and those that own nothing. */
  dropUnknown(managers: Managers): void {
    for (const [identity, { apiVersion, set }] of managers) {
      if (isEmptySet(set) || this.versions.typeAt(apiVersion) === undefined) managers.delete(identity);
    }
  }

  /** The type of a custom resource may have changed since the sets were made. */
  reconcile(managers: Managers): void {
    for (const [identity, manager] of managers) {
      const type = this.versions.typeAt(manager.apiVersion);
      if (type === undefined) continue;
      const set = reconcileSet(manager.set, type);
      if (set !== manager.set) managers.set(identity, manager.withSet(set));
    }
  }
}

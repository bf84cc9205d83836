import type { ApiObject } from "../apimachinery/meta.js";
import type { VersionedView } from "../registry/generic/versioned-view.js";

export interface TrackedWrite {
  readonly manager: string;
  readonly now: Date;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Keeps `metadata.managedFields`: who wrote which field (contract 1, §4 "Server-side apply"). */
export interface FieldTracking {
  /** `object` is of the hub version and changed in place. */
  onCreate<T extends ApiObject>(view: VersionedView<T>, object: T, write: TrackedWrite): void;
  onUpdate<T extends ApiObject>(view: VersionedView<T>, object: T, old: T, write: TrackedWrite): void;
}

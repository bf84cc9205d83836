import type { FieldError } from "../../apimachinery/field-error.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import type { UserInfo } from "../../apimachinery/request-info.js";

/** What a strategy may know of the request besides the objects. */
export interface WriteContext {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Version in the request's path: a few kinds are written by stricter rules in newer ones. Unset for the server itself. */
  readonly version?: string | undefined;
  readonly user: UserInfo;
  readonly now: Date;
  readonly dryRun: boolean;
}

/**
 * How one kind is written: which fields a client may set, what must hold. All objects are of the hub version
 * and owned by the caller: `prepare…` changes them in place, `validate…` does not.
 */
export interface Strategy<T extends ApiObject = ApiObject> {
  /** The problems of a name (or of a generateName prefix); empty when it is fine. */
  readonly validateName: (name: string, isPrefix: boolean) => string[];
  /** PUT to a name that does not exist creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** An update may leave resourceVersion out. */
  readonly allowUnconditionalUpdate: boolean;
  prepareForCreate(context: WriteContext, object: T): void;
  validate(context: WriteContext, object: T): FieldError[];
  warningsOnCreate?(context: WriteContext, object: T): string[];
  prepareForUpdate(context: WriteContext, object: T, old: T): void;
  /** Includes what `validate` checks where the original does so. metadata is checked by the registry. */
  validateUpdate(context: WriteContext, object: T, old: T): FieldError[];
  warningsOnUpdate?(context: WriteContext, object: T, old: T): string[];
  /** Last changes after validation, before storing: sorting, de-duplication. */
  canonicalize?(object: T): void;
  /** What happens on delete: undefined deletes at once. */
  gracefulDeletion?(object: T, requestedSeconds: number | undefined): GracefulDeletion;
  /** Whether something besides finalizers and the grace period keeps a terminating object: a namespace's content. */
  isHeld?(object: T): boolean;
  /** Called when deletionTimestamp has just been set, before the object is stored. */
  onDeletionStart?(object: T): void;
  /** Propagation when a request of this version does not say: background unless given. */
  defaultPropagation?(version: string | undefined): "orphan" | "background" | "unsupported";
  /** Warns clients that leave it at orphaning. */
  readonly orphaningWarning?: string | undefined;
  /** Top-level fields that a write through this strategy cannot set, for server-side apply: `["status"]`. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Seconds until the object is removed by itself; undefined is never. */
  ttlSeconds?(object: T): number | undefined;
}

export interface GracefulDeletion {
  /** 0 deletes at once; above, deletionTimestamp is set and the object stays. */
  readonly gracePeriodSeconds: number;
}

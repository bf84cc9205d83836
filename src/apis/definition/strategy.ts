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
  /** Includes what `validate` checks where Kubernetes does so. metadata is checked by the registry. */
  validateUpdate(context: WriteContext, object: T, old: T): FieldError[];
  warningsOnUpdate?(context: WriteContext, object: T, old: T): string[];
  /** Last changes after validation, before storing: sorting, de-duplication. */
  canonicalize?(object: T): void;
  /** Of a kind that is deleted gracefully: asked by the first delete. */
  gracefulDeletion?(object: T, requestedSeconds: number | undefined): GracefulDeletion;
  /** Of a kind whose first delete only says that the object is to go, whether anything holds it or not. */
  readonly termination?: Termination<T> | undefined;
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
  /** With 0 the object goes as soon as its deletionTimestamp is stored; above, it stays. */
  readonly gracePeriodSeconds: number;
}

export interface Termination<T extends ApiObject> {
  /** Called when deletionTimestamp has just been set, before the object is stored. */
  begin(object: T): void;
  /** Whether something besides finalizers keeps the terminating object: a namespace's content. */
  isHeld(object: T): boolean;
}

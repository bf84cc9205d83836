import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { NameValidator } from "../../apimachinery/validation/object-name.js";

/** What a strategy may know of the request besides the objects. */
export interface WriteContext {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The version in the request's path: a few kinds have stricter rules in newer versions. Undefined for the server's own writes. */
  readonly version?: string | undefined;
  /** In the request's path; empty or undefined for the object itself. */
  readonly subresource?: string | undefined;
  readonly user: UserInfo;
  readonly now: Date;
  readonly dryRun: boolean;
  /** Adds a warning to the answer. */
  warn?(text: string): void;
}

/**
 * How a kind is written: which fields clients may set, and which rules apply. All objects are in the hub version and owned by the
 * caller: `prepare…` changes them in place, `validate…` does not.
 */
export interface Strategy<T extends ApiObject = ApiObject> {
  /** The errors of a name or generateName; empty when it is valid. */
  readonly validateName: NameValidator;
  /** In place of `validateName` on creation, for a kind whose names follow from the rest of the object. */
  namesOf?(object: T): NameValidator;
  /** Whether the metadata of a new object is validated only if everything else is valid. */
  readonly validatesMetadataLast?: boolean;
  /** Whether PUT creates a missing object. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether an update may omit resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
  prepareForCreate(context: WriteContext, object: T): void;
  validate(context: WriteContext, object: T): FieldError[];
  warningsOnCreate?(context: WriteContext, object: T): string[];
  /** Whether updates may start to use fields whose feature gate is off. */
  readonly keepsGatedFields?: boolean | undefined;
  prepareForUpdate(context: WriteContext, object: T, old: T): void;
  /** Includes the checks of `validate` for kinds where Kubernetes repeats them. The registry validates metadata. */
  validateUpdate(context: WriteContext, object: T, old: T): FieldError[];
  warningsOnUpdate?(context: WriteContext, object: T, old: T): string[];
  /** Final changes after validation, before storing: sorting, de-duplication. */
  canonicalize?(context: WriteContext, object: T): void;
  /** For kinds with graceful deletion: called by the first delete. */
  gracefulDeletion?(object: T, requestedSeconds: number | undefined): GracefulDeletion;
  /** For kinds whose first delete only marks the object as terminating, even without finalizers. */
  readonly termination?: Termination<T> | undefined;
  /** Default propagation for a request of this version; background unless given. */
  defaultPropagation?(version: string | undefined): "orphan" | "background" | "unsupported";
  /** Why a request may not delete the object of this name. Deleting the whole collection is still allowed. */
  undeletable?(name: string): string | undefined;
  /** A warning for clients that rely on dependents being orphaned by default. */
  readonly orphaningWarning?: string | undefined;
  /** Top-level fields that writes through this strategy cannot set, for server-side apply: `["status"]`. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Seconds until the object expires; undefined is never. */
  ttlSeconds?(object: T): number | undefined;
}

export interface GracefulDeletion {
  /** With 0 the object is removed as soon as its deletionTimestamp is stored; with more, it stays. */
  readonly gracePeriodSeconds: number;
}

export interface Termination<T extends ApiObject> {
  /** Called after deletionTimestamp is set and before the object is stored. */
  begin(object: T): void;
  /** Whether the first delete ignores dependents, whatever propagation policy it has. */
  readonly ignoresPropagation?: boolean;
  /** Whether the terminating object must stay although it has no finalizers: a namespace with content. */
  isHeld(object: T): boolean;
}

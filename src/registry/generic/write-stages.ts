import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { CurrentObject } from "./current-object.js";
import type { RegistryContext } from "./registry-context.js";

/**
 * What the writer does in the stages of a write; `WritePipeline` decides their order. `old` is undefined for a new object, and must not
 * be changed. Each attempt runs all stages.
 */
export interface WriteStages<T extends ApiObject> {
  /** Records who manages which fields. Default: by `RegistryContext.fieldManager`. */
  track?(object: T, old: T | undefined): MaybePromise<void>;
  /** Whether an object that is too large is refused instead of stored without its managed fields. */
  readonly keepsManagers?: boolean | undefined;
  /** Mutating admission: changes the object in place. */
  mutate?(object: T, old: T | undefined): MaybePromise<void>;
  /** Validating admission of the object as it will be stored. */
  validate?(object: T, old: T | undefined): MaybePromise<void>;
}

/** The stages of a write by the server itself, which skips admission. */
export function ownStages<T extends ApiObject>(context: RegistryContext): WriteStages<T> {
  const begin = (): MaybePromise<void> => context.beforeStage?.();
  return { mutate: begin, validate: begin };
}

export interface Update<T extends ApiObject> extends WriteStages<T> {
  /** Makes the new object from the newest one; `current` is undefined if there is none and one may be created. */
  transform(current: CurrentObject<T> | undefined): MaybePromise<T>;
  /** A subresource's strategy; default the kind's own. */
  readonly strategy?: Strategy<T> | undefined;
  /** Server-side apply creates a missing object whatever the strategy says. */
  readonly createIfMissing?: boolean | undefined;
  /** The object must exist and have this uid, if one is given. */
  readonly uid?: string | undefined;
}

export interface Written<T> {
  readonly stored: StoredObject<T>;
  readonly created: boolean;
}

/** Finishes what a hook started before a write, given whether the write was stored. Called once per attempt; must not reject. */
export type Settle = (stored: boolean) => Promise<void>;

/** What a kind does around its writes beyond its strategy, such as allocating addresses. */
export interface RegistryHooks<T extends ApiObject> {
  /**
   * Runs before the strategy sees a new object, which already has its name and may be changed. Also runs for a dry run, and must then leave
   * nothing behind.
   */
  beforeCreate?(context: RegistryContext, object: T): Promise<Settle | undefined>;
  /** Runs before the strategy sees a changed object, like `beforeCreate`. Not called for writes of a subresource. */
  beforeUpdate?(context: RegistryContext, object: T, old: T): Promise<Settle | undefined>;
  /**
   * Problems with the object that depend on other objects, besides those that the strategy finds. Runs before the strategy sees the object,
   * also for writes of a subresource (`isPart`), and must not change it.
   */
  problems?(
    context: RegistryContext,
    object: T,
    old: T | undefined,
    isPart: boolean,
  ): Promise<readonly FieldError[]>;
  /** Why the writer may not write an otherwise valid object. Not called for writes of a subresource. */
  refusals?(context: RegistryContext, object: T, old: T | undefined): Promise<readonly FieldError[]>;
  /** Called after a change of the object or a subresource was stored, but not for a dry run. Must not throw. */
  afterUpdate?(object: T, old: T): void;
  /** Converts an object from its stored form to the one that writes use. May change the object in place. */
  current?(context: RegistryContext, object: T): Promise<T>;
  /** Called after an object was removed. */
  afterDelete?(object: T): Promise<void>;
}

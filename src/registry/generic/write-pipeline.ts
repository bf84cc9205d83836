import type { FieldError } from "../../apimachinery/errors/field-error.js";
import { badRequest, isStatus, notFound, otherUid } from "../../apimachinery/errors/status.js";
import { isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import { namesNoVersion } from "../../apimachinery/objects/named-version.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import {
  type ObjectCodec,
  type ObjectStore,
  type StoredObject,
  WriteConflict,
  type WriteState,
} from "../../storage/object-store.js";
import { isStorageError, StorageError } from "../../storage/storage-error.js";
import { unlessOutdated } from "../../storage/store/attempts.js";
import { createStoredObject } from "../../storage/stored-object.js";
import {
  beforeCreate,
  fillSystemFields,
  needsName,
  type RegistryRandom,
  refuseInvalid,
} from "./before-create.js";
import { beforeUpdate, checkVersion, refuseMalformedVersion } from "./before-update.js";
import { CurrentObject } from "./current-object.js";
import { nameTaken } from "./name-taken.js";
import type { RegistryContext } from "./registry-context.js";
import { keyOf } from "./resource-key.js";
import type { ServerFieldTracking } from "./server-field-tracking.js";
import { statusOfStorageError } from "./storage-status.js";
import type { RegistryHooks, Settle, Update, WriteStages, Written } from "./write-stages.js";

export interface WritePipelineParts<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly store: ObjectStore<T>;
  readonly codec: ObjectCodec<T>;
  readonly random: RegistryRandom;
  readonly hooks: RegistryHooks<T>;
  readonly serverTracking: ServerFieldTracking<T>;
  /** Whether a create tries another name if the generated one is taken. */
  readonly retriesGeneratedNames: boolean;
}

/** As in Kubernetes: enough for a million names of one prefix. */
const generatedNamesMax = 8;

/**
 * Creates and changes the objects of one resource. The stages of an attempt are, from top to bottom: current, transform, track managers,
 * mutate, prepare, validate, encode, commit. Each stage before the commit may throw to refuse the write.
 */
export class WritePipeline<T extends ApiObject> {
  readonly #parts: WritePipelineParts<T>;

  constructor(parts: WritePipelineParts<T>) {
    this.#parts = parts;
  }

  /**
   * Takes ownership of `object`. If its generated name is taken, the stages after mutating admission run again with another name. Throws
   * 400, 409 and 422.
   */
  async create(context: RegistryContext, object: T, stages: WriteStages<T>): Promise<StoredObject<T>> {
    const { definition, store, random, hooks, serverTracking, retriesGeneratedNames } = this.#parts;
    const { strategy } = definition;
    const tracking =
      stages.track === undefined
        ? serverTracking.track(context, object, undefined, strategy)
        : stages.track(object, undefined);
    if (tracking !== undefined) await tracking;

    const mutating = stages.mutate?.(object, undefined);
    if (mutating !== undefined) await mutating;

    let namesLeft = retriesGeneratedNames && needsName(object.metadata) ? generatedNamesMax : 1;
    for (;;) {
      namesLeft--;
      const named = namesLeft > 0 ? hubVersion(definition).codec.clone(object) : object;
      fillSystemFields(named.metadata, context.now, random);
      const hook = hooks.beforeCreate?.(context, named);
      const settle = hook && (await hook);
      let isStored = false;
      try {
        const finding = hooks.problems?.(context, named, undefined, false);
        beforeCreate(definition, strategy, context, named, finding && (await finding));
        const refusing = hooks.refusals?.(context, named, undefined);
        if (refusing !== undefined) await refuseFound(definition, named, refusing);

        const validating = stages.validate?.(named, undefined);
        if (validating !== undefined) await validating;

        const done = context.beginStoring?.();
        let stored: StoredObject<T>;
        try {
          stored = await this.#insert(context, named);
        } catch (error) {
          forgetManagers(named, stages.keepsManagers, error);
          stored = await this.#insert(context, named);
        }
        done?.();
        isStored = true;
        if (!context.dryRun) context.stored?.(stored.revision);
        return stored;
      } catch (error) {
        const isTaken = isStorageError(error, "KeyExists");
        if (isTaken && namesLeft === 0) throw await nameTaken(definition, store, named);
        if (!isTaken) throw statusOfStorageError(error, definition, named.metadata.name ?? "");
      } finally {
        if (settle !== undefined) await settle(isStored);
      }
    }
  }

  /** Throws 404, 409 and 422. Retries if another write came first, unless the client's preconditions fail. */
  async update(context: RegistryContext, name: string, update: Update<T>): Promise<Written<T>> {
    const { definition, store } = this.#parts;
    try {
      const beginning = store.begin(
        keyOf(definition, { namespace: context.namespace, name }),
        context.dryRun,
      );
      let state = beginning instanceof Promise ? await beginning : beginning;
      for (;;) {
        const outcome =
          state.object === undefined
            ? await this.#createMissing(context, name, state, update)
            : await this.#change(context, state, state.object, update);
        if (!(outcome instanceof WriteConflict)) return outcome;
        state = outcome.newest;
      }
    } catch (error) {
      throw statusOfStorageError(error, definition, name);
    }
  }

  /** One attempt to update, patch or apply an object or a part of it. */
  async #change(
    context: RegistryContext,
    state: WriteState<T>,
    stored: StoredObject<T>,
    update: Update<T>,
  ): Promise<Written<T> | WriteConflict<T>> {
    const { definition, store, hooks, serverTracking } = this.#parts;
    const strategy = update.strategy ?? definition.strategy;
    let current: CurrentObject<T>;
    let object: T;
    let settle: Settle | undefined;
    try {
      current =
        hooks.current === undefined
          ? new CurrentObject(definition, stored)
          : new CurrentObject(definition, stored, await hooks.current(context, stored.decode()));
      if (hasUid(update.uid)) checkUid(definition, current.old.metadata, update.uid);

      const transforming = update.transform(current);
      object = transforming instanceof Promise ? await transforming : transforming;
      const { old } = current;

      const tracking =
        update.track === undefined
          ? serverTracking.track(context, object, old, strategy)
          : update.track(object, old);
      if (tracking !== undefined) await tracking;

      const mutating = update.mutate?.(object, old);
      if (mutating !== undefined) await mutating;

      checkVersion(definition, strategy, object.metadata, old.metadata);
      const hook = strategy === definition.strategy ? hooks.beforeUpdate?.(context, object, old) : undefined;
      settle = hook && (await hook);
      const finding = hooks.problems?.(context, object, old, strategy !== definition.strategy);
      beforeUpdate(definition, strategy, context, object, old, finding && (await finding));
      const refusing = strategy === definition.strategy ? hooks.refusals?.(context, object, old) : undefined;
      if (refusing !== undefined) await refuseFound(definition, object, refusing);

      const validating = update.validate?.(object, old);
      if (validating !== undefined) await validating;
    } catch (refusal) {
      if (settle !== undefined) await settle(false);
      return await unlessOutdated(store, state, refusal);
    }

    if (isReleased(strategy, object, current.old)) {
      if (settle !== undefined) await settle(false);
      return await this.#release(context, state, stored, object);
    }
    let isStored = false;
    try {
      const done = context.beginStoring?.();
      let written: StoredObject<T> | WriteConflict<T>;
      try {
        written = await this.#replace(context, state, stored, object);
      } catch (error) {
        forgetManagers(object, update.keepsManagers, error);
        written = await this.#replace(context, state, stored, object);
      }
      done?.();
      if (written instanceof WriteConflict) return written;
      isStored = true;
      // An update that changes nothing is not stored, and neither is a dry run.
      if (written.revision !== stored.revision) context.stored?.(written.revision);
      if (!context.dryRun) hooks.afterUpdate?.(object, current.old);
      return { stored: written, created: false };
    } finally {
      if (settle !== undefined) await settle(isStored);
    }
  }

  /** One attempt to create the object that an update or apply did not find. */
  async #createMissing(
    context: RegistryContext,
    name: string,
    state: WriteState<T>,
    update: Update<T>,
  ): Promise<Written<T> | WriteConflict<T>> {
    const { definition, store } = this.#parts;
    const { allowCreateOnUpdate } = update.strategy ?? definition.strategy;
    const mayCreate = update.createIfMissing === true || allowCreateOnUpdate;
    // Since 1.34, an object that the update may not create is NotFound, whatever uid the update names.
    const isMissing = !mayCreate && isAtLeast(definition.level ?? oldestLevel, "1.34");
    if (!isMissing && hasUid(update.uid)) checkUid(definition, { name }, update.uid);
    if (!mayCreate) throw notFound(definition, name);
    const transforming = update.transform(undefined);
    const object = transforming instanceof Promise ? await transforming : transforming;
    refuseMalformedVersion(object.metadata);
    try {
      // It names a version of a deleted object.
      object.metadata.resourceVersion = undefined;
      return { stored: await this.create(context, object, update), created: true };
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) throw error;
      return new WriteConflict(await store.begin(state.key));
    }
  }

  #insert(context: RegistryContext, object: T): Promise<StoredObject<T>> {
    const { definition, store } = this.#parts;
    const key = keyOf(definition, object.metadata);
    if (context.dryRun) return this.#pretendInsert(key, object);
    if (namesVersion(object.metadata.resourceVersion))
      throw badRequest("resourceVersion should not be set on objects to be created");
    return store.create(key, object, { ttlSeconds: definition.strategy.ttlSeconds?.(object) });
  }

  async #pretendInsert(key: string, object: T): Promise<StoredObject<T>> {
    const { store, codec } = this.#parts;
    if ((await store.begin(key, true)).object !== undefined)
      throw new StorageError("KeyExists", `key exists: ${key}`, { key });
    object.metadata.name ??= "";
    return createStoredObject(codec, key, object, undefined);
  }

  #replace(
    { dryRun }: RegistryContext,
    state: WriteState<T>,
    { revision }: StoredObject<T>,
    object: T,
  ): Promise<StoredObject<T> | WriteConflict<T>> | StoredObject<T> {
    const { definition, store, codec } = this.#parts;
    if (!dryRun)
      return store.replace(state, object, { ttlSeconds: definition.strategy.ttlSeconds?.(object) });
    return createStoredObject(codec, state.key, object, revision);
  }

  /** The update removed the last finalizer of a terminating object: the object is removed, and watchers see a deletion, not a change. */
  async #release(
    context: RegistryContext,
    state: WriteState<T>,
    { revision }: StoredObject<T>,
    object: T,
  ): Promise<Written<T> | WriteConflict<T>> {
    const { store, codec, hooks } = this.#parts;
    if (!context.dryRun) {
      const removed = await store.remove(state);
      if (!(removed instanceof WriteConflict)) {
        context.stored?.(removed.revision);
        await hooks.afterDelete?.(removed.decode());
      } else if (removed.newest.object !== undefined) return removed;
    }
    await context.beforeStage?.();
    return { stored: createStoredObject(codec, state.key, object, revision), created: false };
  }
}

/** As in Kubernetes, an object that is too large for the store with its managed fields is stored without them. Throws any other `error`. */
function forgetManagers({ metadata }: ApiObject, keepsManagers: boolean | undefined, error: unknown): void {
  const isSmaller = metadata.managedFields !== undefined && keepsManagers !== true;
  if (!isSmaller || !isStorageError(error, "TooLarge")) throw error;
  metadata.managedFields = undefined;
}

async function refuseFound<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  { metadata }: T,
  finding: Promise<readonly FieldError[]>,
): Promise<void> {
  const refusals = await finding;
  refuseInvalid(definition, metadata, () => refusals);
}

function hasUid(uid: string | undefined): uid is string {
  return uid !== undefined && uid !== "";
}

/** Throws 409. */
function checkUid<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  { name = "", uid: actual = "" }: ObjectMeta,
  wanted: string,
): void {
  if (wanted !== actual) throw otherUid(definition, name, { wanted, actual });
}

/** As in Kubernetes, zero and malformed values do not count. */
function namesVersion(resourceVersion = ""): boolean {
  return /^\d+$/.test(resourceVersion) && !namesNoVersion(resourceVersion);
}

/** Whether the object is terminating and nothing holds it any more. */
function isReleased<T extends ApiObject>(strategy: Strategy<T>, object: T, old: T): boolean {
  return (
    strategy.termination?.isHeld(object) !== true &&
    old.metadata.deletionTimestamp !== undefined &&
    (object.metadata.finalizers?.length ?? 0) === 0 &&
    Number(object.metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

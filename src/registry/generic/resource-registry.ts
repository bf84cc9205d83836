import type { FieldError } from "../../apimachinery/errors/field-error.js";
import {
  alreadyExists,
  badRequest,
  conflict,
  invalidObject,
  notFound,
  StatusError,
} from "../../apimachinery/errors/status.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type {
  ListRequest,
  ListResult,
  ObjectCodec,
  ObjectStore,
  ReadVersion,
  StoredObject,
  UpdateResult,
  WatchHandle,
  WatchRequest,
  WatchSink,
} from "../../storage/object-store.js";
import { isStorageError } from "../../storage/storage-error.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { beforeCreate, fillSystemFields } from "./before-create.js";
import { beforeUpdate } from "./before-update.js";
import type { DeleteOptions } from "./delete-options.js";
import type { FieldTracking } from "./field-tracking.js";
import { type Deleted, ObjectDeleter } from "./object-deleter.js";
import { OwnFields } from "./own-fields.js";
import type { RegistryContext } from "./registry-context.js";
import { isStatus, statusOfStorageError, withStatus } from "./storage-status.js";

/** The registry's source of randomness. */
export interface RegistryRandom {
  uid(): string;
  /** Five characters for generateName. */
  nameSuffix(): string;
}

export interface ResourceRegistryParts<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly store: ObjectStore<T>;
  readonly codec: ObjectCodec<T>;
  readonly random: RegistryRandom;
  readonly hooks?: RegistryHooks<T> | undefined;
  /** Records what the server's own writes manage. */
  readonly fieldTracking?: FieldTracking | undefined;
  /** Whether a garbage collector acts on the propagation policies of deletes; default true. */
  readonly garbageCollection?: boolean | undefined;
}

/** What a kind does around its writes beyond its strategy, such as allocating addresses. */
export interface RegistryHooks<T extends ApiObject> {
  /**
   * Runs before the strategy sees a new object, which already has its name and may be changed. Also runs for a dry run, which must leave
   * nothing behind. The returned function is called once with the outcome, and must not reject.
   */
  beforeCreate?(context: RegistryContext, object: T): Promise<(stored: boolean) => Promise<void>>;
  /** Runs before the strategy sees a changed object, like `beforeCreate`. Not called for writes of a subresource. */
  beforeUpdate?(context: RegistryContext, object: T, old: T): Promise<(stored: boolean) => Promise<void>>;
  /** After a change was stored, of the object or of a subresource. Not for a dry run. Must not throw. */
  afterUpdate?(object: T, old: T): void;
  /** Converts an object from its stored form to the form that writes work on. May change the object in place. */
  current?(context: RegistryContext, object: T): Promise<T>;
  /** After an object was removed. */
  afterDelete?(object: T): Promise<void>;
}

/** Called with the final object before it is stored, again on every retry: validating admission. */
export type ValidateWrite<T> = (object: T, old: T | undefined) => MaybePromise<void>;

export interface UpdateRequest<T extends ApiObject> {
  /**
   * Makes the new object from the newest one; runs again on every retry. `current` is undefined when the object does not exist and may
   * be created.
   */
  readonly transform: (current: CurrentObject<T> | undefined) => Promise<T>;
  readonly validate: ValidateWrite<T>;
  /** A subresource's strategy; default the kind's own. */
  readonly strategy?: Strategy<T> | undefined;
  /** Server-side apply creates a missing object whatever the strategy says. */
  readonly createIfMissing?: boolean | undefined;
  /** The object must exist and have this uid, if one is given. */
  readonly uid?: string | undefined;
}

export interface CurrentObject<T> {
  /** Not to be changed. */
  readonly old: T;
  /** A copy that the caller may change. */
  copy(): T;
  /** Its JSON in the hub version, as `StoredObject.body`; undefined where it is not stored as it is. */
  readonly body: Buffer | undefined;
}

export interface Written<T> {
  readonly stored: StoredObject<T>;
  readonly created: boolean;
}

/** How Kubernetes prints an unsigned zero. */
const unversionedUpdate: FieldError = {
  type: "FieldValueInvalid",
  field: "metadata.resourceVersion",
  body: "Invalid value: 0x0: must be specified for an update",
};

const modifiedMessage =
  "the object has been modified; please apply your changes to the latest version and try again";

/** Throws 409. */
function checkUid<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  name: string,
  wanted: string | undefined,
  actual = "",
): void {
  if (wanted === undefined || wanted === "" || wanted === actual) return;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  throw conflict(definition, name, why);
}

/** Reads and writes one resource by its strategy. */
export class ResourceRegistry<T extends ApiObject = ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly #store: ObjectStore<T>;
  readonly #codec: ObjectCodec<T>;
  readonly #random: RegistryRandom;
  readonly #hooks: RegistryHooks<T>;
  readonly #deleter: ObjectDeleter<T>;
  readonly #ownFields: OwnFields<T>;

  constructor(parts: ResourceRegistryParts<T>) {
    this.definition = parts.definition;
    this.#store = parts.store;
    this.#codec = parts.codec;
    this.#random = parts.random;
    this.#hooks = parts.hooks ?? {};
    this.#ownFields = new OwnFields(parts.definition, parts.fieldTracking);
    this.#deleter = new ObjectDeleter({
      ...parts,
      garbageCollection: parts.garbageCollection ?? true,
      afterDelete: parts.hooks?.afterDelete?.bind(parts.hooks),
    });
  }

  get(namespace: string, name: string, at: ReadVersion): Promise<StoredObject<T>> {
    return withStatus(this.definition, name, () => this.#store.get(this.key(namespace, name), at));
  }

  /** As `get`; undefined when there is no such object. */
  async find(namespace: string, name: string, at: ReadVersion): Promise<StoredObject<T> | undefined> {
    try {
      return await this.get(namespace, name, at);
    } catch (error) {
      if (isStatus(error, "NotFound")) return undefined;
      throw error;
    }
  }

  list(request: ListRequest): Promise<ListResult<T>> {
    return withStatus(this.definition, "", () => this.#store.list(request));
  }

  watch(request: WatchRequest, sink: WatchSink<T>): Promise<WatchHandle> {
    return withStatus(this.definition, "", () => this.#store.watch(request, sink));
  }

  count(): Promise<number> {
    return this.#store.count();
  }

  /** Bytes of an object's JSON, if that is known without asking the store. */
  knownSize(namespace: string, name: string): number | undefined {
    const key = this.definition.namespaced ? `${namespace}/${name}` : name;
    return this.#store.knownSize?.(key);
  }

  /** The number of objects, if it is known without asking the store. */
  get knownCount(): number | undefined {
    return this.#store.knownCount;
  }

  /** Key below the resource's prefix. Throws 400 for a namespaced resource without namespace. */
  key(namespace: string, name: string): string {
    if (!this.definition.namespaced) return name;
    if (namespace === "") throw badRequest("Namespace parameter required.");
    return `${namespace}/${name}`;
  }

  /** Takes ownership of `object`. Throws 400, 409 and 422. */
  create(context: RegistryContext, object: T, validate: ValidateWrite<T>): Promise<StoredObject<T>> {
    const tracking = this.#ownFields.onCreate(context, object);
    if (tracking === undefined) return this.#createNew(context, object, validate);
    return tracking.then(() => this.#createNew(context, object, validate));
  }

  /** Throws 404, 409 and 422; retries conflicts that are not the client's. */
  async update(context: RegistryContext, name: string, request: UpdateRequest<T>): Promise<Written<T>> {
    const { definition } = this;
    const strategy = request.strategy ?? definition.strategy;
    const mayCreate = request.createIfMissing === true || strategy.allowCreateOnUpdate;
    const key = this.key(context.namespace, name);
    for (;;) {
      try {
        return await this.#updateExisting(context, key, strategy, request);
      } catch (error) {
        if (!isStorageError(error, "KeyNotFound")) throw statusOfStorageError(error, definition, name);
        checkUid(definition, name, request.uid, undefined);
        if (!mayCreate) throw notFound(definition, name);
      }
      const object = await request.transform(undefined);
      const tracking = this.#ownFields.onCreate(context, object);
      if (tracking !== undefined) await tracking;
      // The version that it names belonged to a deleted object.
      object.metadata.resourceVersion = undefined;
      try {
        return { stored: await this.#createNew(context, object, request.validate), created: true };
      } catch (error) {
        if (!isStatus(error, "AlreadyExists")) throw error;
      }
    }
  }

  /** Throws 404, and 409 for preconditions. */
  delete(
    context: RegistryContext,
    name: string,
    options: DeleteOptions,
    validate: (object: T) => Promise<void>,
  ): Promise<Deleted<T>> {
    const key = this.key(context.namespace, name);
    return this.#deleter.delete({ context, key, name, validate }, options);
  }

  async #createNew(
    context: RegistryContext,
    object: T,
    validate: ValidateWrite<T>,
  ): Promise<StoredObject<T>> {
    const { definition } = this;
    fillSystemFields(object.metadata, context.now, this.#random);
    const hook = this.#hooks.beforeCreate?.(context, object);
    const settle = hook && (await hook);
    let isStored = false;
    try {
      beforeCreate(definition, definition.strategy, context, object);
      const validating = validate(object, undefined);
      if (validating !== undefined) await validating;
      const turn = context.takeTurn?.();
      if (turn !== undefined) await turn;
      let stored: StoredObject<T>;
      try {
        stored = await this.#insert(context, object);
      } catch (error) {
        throw await this.#explained(error, object);
      }
      isStored = true;
      return stored;
    } finally {
      if (settle !== undefined) await settle(isStored);
    }
  }

  #insert(context: RegistryContext, object: T): Promise<StoredObject<T>> {
    const key = this.#keyOf(object);
    if (!context.dryRun && namesVersion(object.metadata.resourceVersion)) {
      throw badRequest("resourceVersion should not be set on objects to be created");
    }
    if (context.dryRun) return this.#pretendInsert(key, object);
    const ttlSeconds = this.definition.strategy.ttlSeconds?.(object);
    return this.#store.create(key, object, { ttlSeconds });
  }

  #keyOf({ metadata }: T): string {
    return this.key(metadata.namespace ?? "", metadata.name ?? "");
  }

  /** Of a create that failed. */
  async #explained(error: unknown, object: T): Promise<unknown> {
    if (isStorageError(error, "KeyExists")) return await this.#explainExisting(this.#keyOf(object), object);
    return statusOfStorageError(error, this.definition, object.metadata.name ?? "");
  }

  async #pretendInsert(key: string, object: T): Promise<StoredObject<T>> {
    const existing = await this.#find(key);
    if (existing !== undefined) throw await this.#explainExisting(key, object);
    object.metadata.name ??= "";
    return createStoredObject(this.#codec, key, object, undefined);
  }

  /** Why a create found its name taken. As in Kubernetes, a name beside a `generateName` counts as generated. */
  async #explainExisting(key: string, object: T): Promise<StatusError> {
    const { name = "", generateName = "" } = object.metadata;
    let { status } = alreadyExists(this.definition, name);
    if (generateName !== "") {
      status = {
        ...status,
        message: `${status.message}, the server was not able to generate a unique name for the object`,
        details: { ...status.details, retryAfterSeconds: 1 },
      };
    }
    const existing = await this.#find(key);
    if (existing?.decode().metadata.deletionTimestamp !== undefined) {
      status = { ...status, message: `object is being deleted: ${status.message}` };
    }
    return new StatusError(status);
  }

  async #find(key: string): Promise<StoredObject<T> | undefined> {
    try {
      return await this.#store.get(key, { kind: "mostRecent" });
    } catch (error) {
      if (isStorageError(error, "KeyNotFound")) return undefined;
      throw error;
    }
  }

  async #updateExisting(
    context: RegistryContext,
    key: string,
    strategy: Strategy<T>,
    request: UpdateRequest<T>,
  ): Promise<Written<T>> {
    const { definition } = this;
    let settle: ((stored: boolean) => Promise<void>) | undefined;
    let released: { readonly object: T; readonly from: StoredObject<T> } | undefined;
    let changed: { readonly object: T; readonly old: T } | undefined;

    const change = async (current: StoredObject<T> | undefined): Promise<UpdateResult<T>> => {
      if (current === undefined) throw new Error("update without createIfMissing got no object");
      if (settle !== undefined) await settle(false);
      settle = undefined;
      const converts = this.#hooks.current;
      const decoded = current.decode();
      const old = converts === undefined ? decoded : await converts.call(this.#hooks, context, decoded);
      const name = old.metadata.name ?? "";
      checkUid(definition, name, request.uid, old.metadata.uid);
      // The hub codec's form is T by the definition's contract.
      const clone = () => hubVersion(definition).codec.clone(old) as T;
      const object = await request.transform({
        old,
        copy: converts === undefined ? () => current.decode() : clone,
        body: converts === undefined ? current.body : undefined,
      });
      const tracking = this.#ownFields.onUpdate(context, object, old, strategy);
      if (tracking !== undefined) await tracking;
      const turnToValidate = context.takeTurn?.();
      if (turnToValidate !== undefined) await turnToValidate;
      const meta = object.metadata;
      if ((meta.resourceVersion ?? "") === "") {
        if (!strategy.allowUnconditionalUpdate) {
          // Kubernetes names the resource here, not the kind.
          const { group, resource } = definition;
          throw invalidObject({ group, kind: resource }, name, [unversionedUpdate]);
        }
        meta.resourceVersion = old.metadata.resourceVersion;
      } else if (meta.resourceVersion !== old.metadata.resourceVersion) {
        throw conflict(definition, name, modifiedMessage);
      }
      if (strategy === definition.strategy) {
        const hook = this.#hooks.beforeUpdate?.(context, object, old);
        if (hook !== undefined) settle = await hook;
      }
      beforeUpdate(definition, strategy, context, object, old);
      const validating = request.validate(object, old);
      if (validating !== undefined) await validating;
      const turnToEncode = context.takeTurn?.();
      if (turnToEncode !== undefined) await turnToEncode;
      released = undefined;
      if (isReleased(strategy, object, old)) {
        released = { object, from: current };
        throw new Released();
      }
      changed = { object, old };
      return { object, ttlSeconds: definition.strategy.ttlSeconds?.(object) };
    };

    let stored: StoredObject<T>;
    try {
      if (context.dryRun) {
        const current = await this.#store.get(key, { kind: "mostRecent" });
        const { object } = await change(current);
        stored = createStoredObject(this.#codec, key, object, current.revision);
      } else {
        stored = await this.#store.update(key, change);
      }
    } catch (error) {
      await settle?.(false);
      if (!(error instanceof Released) || released === undefined) throw error;
      const { object, from } = released;
      if (!context.dryRun && !(await this.#deleter.removeUnchanged(key, from))) {
        return await this.#updateExisting(context, key, strategy, request);
      }
      const last = createStoredObject(this.#codec, key, object, from.revision);
      return { stored: last, created: false };
    }
    if (settle !== undefined) await settle(true);
    if (!context.dryRun && changed !== undefined) this.#hooks.afterUpdate?.(changed.object, changed.old);
    return { stored, created: false };
  }
}

/** As in Kubernetes, zero and malformed values do not count. */
function namesVersion(resourceVersion = ""): boolean {
  return /^\d+$/.test(resourceVersion) && !/^0+$/.test(resourceVersion);
}

/** Stores nothing: the object is removed instead. */
class Released extends Error {}

/** Terminating, and nothing holds it any more. */
function isReleased<T extends ApiObject>(strategy: Strategy<T>, object: T, old: T): boolean {
  return (
    strategy.termination?.isHeld(object) !== true &&
    old.metadata.deletionTimestamp !== undefined &&
    (object.metadata.finalizers?.length ?? 0) === 0 &&
    Number(object.metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

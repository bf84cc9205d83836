import { isStatus, notFound } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type {
  ListRequest,
  ListResult,
  ObjectCodec,
  ObjectStore,
  ReadVersion,
  StoredObject,
  WatchHandle,
  WatchRequest,
  WatchSink,
} from "../../storage/object-store.js";
import type { RegistryRandom } from "./before-create.js";
import type { DeleteOptions } from "./delete-options.js";
import type { FieldTracking } from "./field-tracking.js";
import { type Deleted, ObjectDeleter } from "./object-deleter.js";
import type { RegistryContext } from "./registry-context.js";
import { keyOf } from "./resource-key.js";
import { ServerFieldTracking } from "./server-field-tracking.js";
import { withStatus } from "./storage-status.js";
import { WritePipeline } from "./write-pipeline.js";
import {
  ownStages,
  type RegistryHooks,
  type Update,
  type WriteStages,
  type Written,
} from "./write-stages.js";

export interface ResourceRegistryParts<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly store: ObjectStore<T>;
  readonly codec: ObjectCodec<T>;
  readonly random: RegistryRandom;
  readonly hooks?: RegistryHooks<T> | undefined;
  /** Records the managed fields of the server's own writes. */
  readonly fieldTracking?: FieldTracking | undefined;
  /** Whether a garbage collector acts on propagation policies. Default: true. */
  readonly garbageCollection?: boolean | undefined;
  /** Whether a create tries another name if the generated one is taken. Default: false. */
  readonly retriesGeneratedNames?: boolean | undefined;
}

const nothing = {};

/** Reads and writes one resource by its strategy. */
export class ResourceRegistry<T extends ApiObject = ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly #store: ObjectStore<T>;
  readonly #pipeline: WritePipeline<T>;
  readonly #deleter: ObjectDeleter<T>;
  readonly #serverTracking: ServerFieldTracking<T>;

  constructor(parts: ResourceRegistryParts<T>) {
    const { definition, store, codec, random, hooks = {}, fieldTracking, garbageCollection = true } = parts;
    const { retriesGeneratedNames = false } = parts;
    this.definition = definition;
    this.#store = store;
    const serverTracking = new ServerFieldTracking(definition, fieldTracking);
    this.#serverTracking = serverTracking;
    this.#pipeline = new WritePipeline({
      definition,
      store,
      codec,
      random,
      hooks,
      serverTracking,
      retriesGeneratedNames,
    });
    const afterDelete = hooks.afterDelete?.bind(hooks);
    this.#deleter = new ObjectDeleter({ definition, store, codec, garbageCollection, afterDelete });
  }

  /** A promise unless the object is at hand. */
  get(namespace: string, name: string, at: ReadVersion): MaybePromise<StoredObject<T>> {
    const found = this.#store.get(keyOf(this.definition, { namespace, name }), at);
    return found instanceof Promise ? withStatus(this.definition, name, () => found) : found;
  }

  /** Like `get`, but undefined if there is no such object. */
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

  /** Bytes of an object's JSON, if known without asking the store. */
  knownSize(namespace: string, name: string): number | undefined {
    const key = this.definition.namespaced ? `${namespace}/${name}` : name;
    return this.#store.knownSize?.(key);
  }

  /** The number of objects, if known without asking the store. */
  get knownCount(): number | undefined {
    return this.#store.knownCount;
  }

  /** Bytes of the JSON of all objects, if known without asking the store. */
  get knownBytes(): number | undefined {
    return this.#store.knownBytes;
  }

  /** Takes ownership of `object`. Throws 400, 409 and 422. */
  create(
    context: RegistryContext,
    object: T,
    stages: WriteStages<T> = ownStages(context),
  ): Promise<StoredObject<T>> {
    return this.#pipeline.create(context, object, stages);
  }

  /** Throws 404, 409 and 422; retries conflicts that the client did not cause. */
  update(context: RegistryContext, name: string, update: Update<T>): Promise<Written<T>> {
    return this.#pipeline.update(context, name, update);
  }

  /** An update by the server itself, which never creates: changes a copy of the newest object in place. */
  async change(
    context: RegistryContext,
    name: string,
    change: (object: T) => void,
    { strategy, uid }: Pick<Update<T>, "strategy" | "uid"> = nothing,
  ): Promise<StoredObject<T>> {
    await context.beforeStage?.();
    const { stored } = await this.#pipeline.update(context, name, {
      ...ownStages(context),
      strategy,
      uid,
      transform: async (current) => {
        if (current === undefined) throw notFound(this.definition, name);
        await context.beforeStage?.();
        const object = current.copy();
        change(object);
        return object;
      },
    });
    return stored;
  }

  /** A forced server-side apply by the server itself. Never creates. */
  async apply(
    context: RegistryContext,
    name: string,
    configuration: JsonObject,
    { strategy = this.definition.strategy }: Pick<Update<T>, "strategy"> = nothing,
  ): Promise<StoredObject<T>> {
    await context.beforeStage?.();
    const { stored } = await this.#pipeline.update(context, name, {
      ...ownStages(context),
      strategy,
      track() {
        // `transform` already sets the managed fields.
      },
      transform: async (current) => {
        if (current === undefined) throw notFound(this.definition, name);
        return await this.#serverTracking.apply(context, current.old, configuration, strategy);
      },
    });
    return stored;
  }

  /** Throws 404, and 409 for preconditions. `admit`, for admission, is called in each attempt. */
  async delete(
    context: RegistryContext,
    name: string,
    options: DeleteOptions,
    admit: (object: T) => MaybePromise<void> = () => context.beforeStage?.(),
  ): Promise<Deleted<T>> {
    const beginning = context.beforeStage?.();
    if (beginning !== undefined) await beginning;
    return await this.#deleter.delete(context, { name, options, admit });
  }

  /** Removes an object that cannot be decrypted or decoded. Throws 422 if it can be, or does not exist. */
  deleteUnreadable(namespace: string, name: string): Promise<void> {
    return this.#deleter.deleteUnreadable(namespace, name);
  }
}

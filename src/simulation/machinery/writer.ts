import { isStatus } from "../../apimachinery/errors/status.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import { hubVersion, partStrategy } from "../../apis/definition/resource-definition.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { controllerUser } from "../../controllers/controller.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import { serverWriter, WriteScope } from "../../request/write-scope.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { SimulationContext } from "./simulation-context.js";

/** An object of a resource; with its uid, so that an object which replaced it is left alone. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** The writes of one simulated component. Writes of objects pass admission, as a client's do; those of status do not. */
export class Writer {
  readonly #context: SimulationContext;
  readonly #user: ReturnType<typeof controllerUser>;

  /** `user`: the user name of the real component. */
  constructor(context: SimulationContext, user: string) {
    this.#context = context;
    this.#user = controllerUser(user);
  }

  /** Sets the defaults that an object from a client would get. */
  async create<R extends BuiltinResource>(
    resource: R,
    namespace: string,
    object: BuiltinObjects[R],
  ): Promise<StoredObject<BuiltinObjects[R]>> {
    const registry = this.#context.builtin(resource);
    const scope = this.#scope(namespace);
    if (registry.definition.namespaced) object.metadata.namespace = namespace;
    hubVersion(registry.definition).setDefaults(object);
    return await registry.create(scope, object, this.#context.admission<BuiltinObjects[R]>(registry, scope));
  }

  /** A deep copy, because objects in the cluster views are shared. */
  copy<R extends BuiltinResource>(resource: R, object: BuiltinObjects[R]): BuiltinObjects[R] {
    const { definition } = this.#context.builtin(resource);
    return hubVersion(definition).codec.clone(object);
  }

  /** Changes the newest state in place, and retries on conflict. Returns undefined if the object was deleted or replaced. */
  async change<R extends BuiltinResource>(
    resource: R,
    target: Target,
    change: (object: BuiltinObjects[R]) => void,
  ): Promise<StoredObject<BuiltinObjects[R]> | undefined> {
    const registry = this.#context.builtin(resource);
    const scope = this.#scope(target.namespace);
    const admission = this.#context.admission<BuiltinObjects[R]>(registry, scope);
    return await ignoreNotFound(async () => {
      const { stored } = await registry.update(scope, target.name, {
        uid: target.uid,
        ...admission,
        transform: (current) => {
          if (current === undefined) throw new Gone();
          const object = current.copy();
          change(object);
          return object;
        },
      });
      return stored;
    });
  }

  /** Like `change`, through a subresource. */
  async changePart<R extends BuiltinResource>(
    resource: R,
    target: Target,
    change: (object: BuiltinObjects[R]) => void,
    subresource = "status",
  ): Promise<StoredObject<BuiltinObjects[R]> | undefined> {
    const registry = this.#context.builtin(resource);
    const strategy = partStrategy(registry.definition, subresource);
    return await ignoreNotFound(() =>
      registry.change(this.#scope(target.namespace), target.name, change, { uid: target.uid, strategy }),
    );
  }

  /** A change of a pod that no strategy restricts: a binding writes spec and status. */
  async changePodFreely(target: Target, change: (pod: Pod) => void): Promise<StoredObject<Pod> | undefined> {
    const registry = this.#context.builtin("pods");
    const strategy = {
      ...registry.definition.strategy,
      prepareForUpdate() {},
      validateUpdate: () => [],
      warningsOnUpdate: () => [],
    };
    return await ignoreNotFound(() =>
      registry.change(this.#scope(target.namespace), target.name, change, { uid: target.uid, strategy }),
    );
  }

  /** Does nothing when the object is gone or was replaced. */
  async delete(resource: BuiltinResource, target: Target, options: DeleteOptions = {}): Promise<void> {
    const registry: Deleter = this.#context.builtin(resource);
    const { namespace, name, uid } = target;
    const preconditions = uid === undefined ? options.preconditions : { ...options.preconditions, uid };
    await ignoreNotFound(() => registry.delete(this.#scope(namespace), name, { ...options, preconditions }));
  }

  #scope(namespace: string): WriteScope {
    const writer = serverWriter(this.#user, new Date(this.#context.clock.now()));
    return new WriteScope(writer, { namespace, dryRun: false });
  }
}

/** The registry of any type of object: a delete does not get one. */
interface Deleter {
  delete(scope: WriteScope, name: string, options: DeleteOptions): Promise<unknown>;
}

/** Thrown within a write whose object does not exist. */
class Gone extends Error {}

async function ignoreNotFound<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Gone || isStatus(error, "NotFound") || isStatus(error, "Conflict")) return undefined;
    throw error;
  }
}

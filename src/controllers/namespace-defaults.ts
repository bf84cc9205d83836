import { isStatus } from "../apimachinery/errors/status.js";
import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import type { Namespace } from "../apis/gen/core-v1.js";
import { type Following, follow } from "../informers/follow.js";
import { namespaceOfKey } from "../informers/informer-index.js";
import type { StoredObject } from "../storage/object-store.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreAlreadyExists } from "./ignore-errors.js";
import { RepairBackoff } from "./repair-backoff.js";
import type { WorkQueue } from "./work-queue.js";

/** An object that every namespace should have. */
export interface NamespaceDefault<R extends BuiltinResource> {
  /** Name of the controller, for the log and as writer. */
  readonly controller: string;
  /** Label of the work queue in metrics. */
  readonly queue: string;
  readonly resource: R;
  readonly name: string;
  /** Creates the object for a new namespace, in the hub version. */
  make(): BuiltinObjects[R];
  /** Whether an existing object is correct; otherwise `repair` changes it in place. */
  isGood(object: BuiltinObjects[R]): boolean;
  repair(object: BuiltinObjects[R]): void;
}

/** Maintains one object in every active namespace: the `default` service account, the root CA's config map. */
export class NamespaceDefaultController<R extends BuiltinResource> implements Controller {
  readonly #context: ControllerContext;
  readonly #wanted: NamespaceDefault<R>;
  readonly #queue: WorkQueue<string>;
  readonly #backoff = new RepairBackoff<string>();
  readonly #following: Following[] = [];

  constructor(context: ControllerContext, wanted: NamespaceDefault<R>) {
    this.#context = context;
    this.#wanted = wanted;
    this.#queue = controllerQueue(context, {
      name: wanted.queue,
      work: (namespace) => this.#ensure(namespace),
      workers: 4,
      file: "controllers/namespace-defaults",
      failure: "namespace default could not be written",
      about: (namespace) => ({ controller: wanted.controller, namespace }),
    });
  }

  async start(): Promise<void> {
    const { resource, name } = this.#wanted;
    this.#following.push(
      await follow(this.#context.builtin("namespaces"), {
        change: (type, stored) => {
          if (type !== "DELETED" && isActive(stored)) this.#queue.add(stored.key);
        },
      }),
      await follow(this.#context.builtin(resource), {
        change: (type, stored) => {
          if (type === "ADDED" || !stored.key.endsWith(`/${name}`)) return;
          this.#queue.add(namespaceOfKey(stored.key));
        },
      }),
    );
  }

  async stop(): Promise<void> {
    for (const following of this.#following) following.stop();
    await this.#queue.close();
  }

  async #ensure(namespace: string): Promise<void> {
    const { resource, name, controller } = this.#wanted;
    const registry = this.#context.builtin(resource);
    if (!(await this.#isActive(namespace))) return this.#backoff.forget(namespace);
    const write = controllerWrite(
      this.#context,
      controllerUser(`system:serviceaccount:${controller}`),
      namespace,
    );
    try {
      const existing = await registry.get(namespace, name, { kind: "any" });
      if (this.#wanted.isGood(existing.decode())) return;
      const now = performance.now();
      const waitMs = this.#backoff.waitMs(namespace, now);
      if (waitMs > 0) {
        this.#context.log.warn(
          "another server keeps changing an object back: do the servers on this store have different certificate authorities?",
          {
            controller,
            namespace,
            name,
            waitMs,
          },
        );
        this.#queue.addAfter(namespace, waitMs);
        return;
      }
      this.#backoff.repaired(namespace, now);
      await registry.change(write, name, (object) => this.#wanted.repair(object));
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
      await ignoreAlreadyExists(registry.create(write, this.#wanted.make()));
    }
  }

  async #isActive(namespace: string): Promise<boolean> {
    const found = await this.#context.builtin("namespaces").find("", namespace, { kind: "any" });
    return found !== undefined && isActive(found);
  }
}

function isActive(namespace: StoredObject<Namespace>): boolean {
  return namespace.fields["status.phase"] !== "Terminating";
}

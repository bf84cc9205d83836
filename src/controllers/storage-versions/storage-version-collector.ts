import { type Following, follow } from "../../informers/follow.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "../controller.js";
import { controllerQueue } from "../controller-queue.js";
import { writeStatus } from "../status-write.js";
import type { WorkQueue } from "../work-queue.js";
import { withServers } from "./server-versions.js";

export interface StorageVersionCollectorOptions {
  /** Namespace and label of the servers' leases. */
  readonly namespace: string;
  readonly label: { readonly name: string; readonly value: string };
}

const user = "system:serviceaccount:storage-version-garbage-collector";

/**
 * Removes servers without a lease from storage versions, and deletes storage versions without servers. Source: the controller manager's
 * `storage-version-gc`.
 */
export class StorageVersionCollector implements Controller {
  readonly #context: ControllerContext;
  readonly #options: StorageVersionCollectorOptions;
  readonly #queue: WorkQueue<string>;
  /** Names of existing storage versions. */
  readonly #names = new Set<string>();
  #following: readonly Following[] = [];

  constructor(context: ControllerContext, options: StorageVersionCollectorOptions) {
    this.#context = context;
    this.#options = options;
    this.#queue = controllerQueue(context, {
      name: "storage_version_garbage_collector",
      work: (name) => this.#collect(name),
      workers: 2,
      file: "controllers/storage-versions/storage-version-collector",
      failure: "the check of a storage version will be retried",
      about: (name) => ({ name }),
    });
  }

  async start(): Promise<void> {
    const { namespace, label } = this.#options;
    this.#following = await Promise.all([
      follow(this.#context.builtin("storageversions.internal.apiserver"), {
        change: (type, { key }) => {
          if (type === "DELETED") {
            this.#names.delete(key);
          } else {
            this.#names.add(key);
            this.#queue.add(key);
          }
        },
      }),
      follow(this.#context.builtin("leases.coordination"), {
        change: (type, { key, labels }) => {
          const isServers = key.startsWith(`${namespace}/`) && labels[label.name] === label.value;
          if (type === "DELETED" && isServers) for (const name of this.#names) this.#queue.add(name);
        },
      }),
    ]);
  }

  async stop(): Promise<void> {
    for (const following of this.#following) following.stop();
    await this.#queue.close();
  }

  async #collect(name: string): Promise<void> {
    const registry = this.#context.builtin("storageversions.internal.apiserver");
    const version = (await registry.find("", name, { kind: "mostRecent" }))?.decode();
    if (version === undefined) return;
    const servers = version.status.storageVersions ?? [];
    const living = new Set<string>();
    for (const { apiServerID = "" } of servers) if (await this.#isAlive(apiServerID)) living.add(apiServerID);
    if (servers.length === living.size) return;
    if (living.size === 0) {
      const preconditions = { uid: version.metadata.uid, resourceVersion: version.metadata.resourceVersion };
      const write = controllerWrite(this.#context, controllerUser(user), "");
      await registry.delete(write, name, { preconditions });
      return;
    }
    await writeStatus(this.#context, registry, {
      namespace: "",
      name,
      as: user,
      change: (object) => {
        const { status } = object;
        const left = (status.storageVersions ?? []).filter(({ apiServerID = "" }) => living.has(apiServerID));
        object.status = withServers(status, left, this.#context.now());
      },
    });
  }

  /** A server counts as alive until its lease is deleted. */
  async #isAlive(identity: string): Promise<boolean> {
    const { namespace, label } = this.#options;
    const leases = this.#context.builtin("leases.coordination");
    const lease = await leases.find(namespace, identity, { kind: "mostRecent" });
    return lease?.labels[label.name] === label.value;
  }
}

import type { StorageVersion } from "../../apis/gen/apiserverinternal-v1alpha1.js";
import { type Following, follow } from "../../informers/follow.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "../controller.js";
import { writeStatus } from "../status-write.js";
import { WorkQueue } from "../work-queue.js";
import { withServers } from "./server-versions.js";

export interface StorageVersionCollectorOptions {
  /** API groups of storage versions and of leases, in the profile's names. */
  readonly group: string;
  readonly leaseGroup: string;
  /** Namespace and label of the servers' leases. */
  readonly namespace: string;
  readonly label: { readonly name: string; readonly value: string };
}

const user = "system:serviceaccount:storage-version-garbage-collector";

/**
 * Takes servers whose leases are gone out of the storage versions, and deletes those that no server is left in. Source: the
 * controller manager's `storage-version-gc`.
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
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("storage_version_garbage_collector"),
      work: (name) => this.#collect(name),
      workers: 2,
      onFailure: (name, error) =>
        context.log.verbose(
          { level: 2, file: "controllers/storage-versions/storage-version-collector" },
          "a storage version will be looked at again",
          { name, reason: String(error) },
        ),
    });
  }

  async start(): Promise<void> {
    const { group, leaseGroup, namespace, label } = this.#options;
    this.#following = await Promise.all([
      follow(this.#context.registry(group, "storageversions"), {
        change: (type, { key }) => {
          if (type === "DELETED") {
            this.#names.delete(key);
          } else {
            this.#names.add(key);
            this.#queue.add(key);
          }
        },
      }),
      follow(this.#context.registry(leaseGroup, "leases"), {
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
    const registry = this.#context.registry(this.#options.group, "storageversions");
    let version: StorageVersion;
    try {
      // The registry of storage versions holds nothing else.
      version = (await registry.get("", name, { kind: "mostRecent" })).decode() as StorageVersion;
    } catch (error) {
      if (isStatus(error, "NotFound")) return;
      throw error;
    }
    const servers = version.status.storageVersions ?? [];
    const living = new Set<string>();
    for (const { apiServerID = "" } of servers) if (await this.#isAlive(apiServerID)) living.add(apiServerID);
    if (servers.length === living.size) return;
    if (living.size === 0) {
      const preconditions = { uid: version.metadata.uid, resourceVersion: version.metadata.resourceVersion };
      const write = controllerWrite(this.#context, controllerUser(user), "");
      await registry.delete(write, name, { preconditions }, async () => {});
      return;
    }
    await writeStatus(this.#context, registry, {
      namespace: "",
      name,
      as: user,
      change: (object) => {
        const { status } = object as StorageVersion; // as above
        const left = (status.storageVersions ?? []).filter(({ apiServerID = "" }) => living.has(apiServerID));
        (object as StorageVersion).status = withServers(status, left, this.#context.now());
      },
    });
  }

  /** A server counts as alive until its lease is deleted. */
  async #isAlive(identity: string): Promise<boolean> {
    const { leaseGroup, namespace, label } = this.#options;
    try {
      const leases = this.#context.registry(leaseGroup, "leases");
      const { labels } = await leases.get(namespace, identity, { kind: "mostRecent" });
      return labels[label.name] === label.value;
    } catch (error) {
      if (isStatus(error, "NotFound")) return false;
      throw error;
    }
  }
}

import { messageOf } from "../../apimachinery/errors/message-of.js";
import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ServerStorageVersion, StorageVersion } from "../../apis/gen/apiserverinternal-v1alpha1.js";
import { type Controller, type ControllerContext, serverWrite } from "../controller.js";
import { writeStatus } from "../status-write.js";
import { withServer } from "./server-versions.js";

export interface StorageVersionUpdaterOptions {
  /** Name of this server, and of its lease. */
  readonly identity: string;
  readonly resources: readonly RegisteredResource[];
}

export interface RegisteredResource {
  readonly definition: ResourceDefinition;
  /** Other resources with the same objects. */
  readonly sharedBy: readonly ResourceDefinition[];
  /** The versions in which clients may use it. */
  readonly served: readonly string[];
}

const user = "system:apiserver";
/** Interval after which changed or deleted storage versions are restored. */
const repairMs = 10 * 60_000;
const retryMs = 1000;

/**
 * Publishes which version of each resource this server writes and which versions it can read, so that a storage migration can tell
 * when all servers agree. Writes of a resource wait until its version is published. Source: KEP-2339, gate StorageVersionAPI.
 */
export class StorageVersionUpdater implements Controller {
  readonly #context: ControllerContext;
  readonly #options: StorageVersionUpdaterOptions;
  /** Last failure by `group/resource`; empty before the first one. */
  readonly #pending: Map<string, string>;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, options: StorageVersionUpdaterOptions) {
    this.#context = context;
    this.#options = options;
    this.#pending = new Map(options.resources.map(({ definition }) => [keyOf(definition), ""]));
  }

  /** The reason why writes of the resource must wait; undefined when they need not. */
  pending(group: string, resource: string): string | undefined {
    return this.#pending.size === 0 ? undefined : this.#pending.get(`${group}/${resource}`);
  }

  /** Resolves when all storage versions are written. */
  async start(): Promise<void> {
    await this.#updateAll();
    while (this.#pending.size > 0 && !this.#stopping.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      await this.#updateAll();
    }
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#updateAll());
    }, repairMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #updateAll(): Promise<void> {
    await Promise.all(this.#options.resources.map((resource) => this.#update(resource)));
  }

  async #update(resource: RegisteredResource): Promise<void> {
    const key = keyOf(resource.definition);
    try {
      await this.#write(nameOf(resource.definition), this.#serverVersion(resource));
      this.#pending.delete(key);
    } catch (error) {
      const reason = messageOf(error);
      if (this.#pending.has(key)) this.#pending.set(key, reason);
      this.#context.log.verbose(
        { level: 2, file: "controllers/storage-versions/storage-version-updater" },
        "a storage version could not be updated",
        { resource: key, reason },
      );
    }
  }

  async #write(name: string, server: ServerStorageVersion): Promise<void> {
    const registry = this.#context.builtin("storageversions.internal.apiserver");
    const empty: StorageVersion = { metadata: { name }, spec: {}, status: {} };
    await registry.update(serverWrite(this.#context, ""), name, {
      transform: async (current) => current?.copy() ?? empty,
      createIfMissing: true,
    });
    await writeStatus(this.#context, registry, {
      namespace: "",
      name,
      as: user,
      change: (version) => {
        version.status = withServer(version.status, server, this.#context.now());
      },
    });
  }

  #serverVersion({ definition, sharedBy, served }: RegisteredResource): ServerStorageVersion {
    const { group, storage } = definition;
    const encodingVersion = apiVersionOf({ group, version: storage?.version ?? "" });
    const decodable = [definition, ...sharedBy].flatMap((each) =>
      each.versions.map(({ version }) => apiVersionOf({ group: each.group, version })),
    );
    return {
      apiServerID: this.#options.identity,
      encodingVersion,
      decodableVersions: [...new Set([encodingVersion, ...decodable])],
      // Levels without the field drop it.
      servedVersions: served.map((version) => apiVersionOf({ group, version })),
    };
  }
}

function keyOf({ group, resource }: ResourceDefinition): string {
  return `${group}/${resource}`;
}

/** `apps.deployments`, `core.pods`. */
function nameOf({ group, resource }: ResourceDefinition): string {
  return `${group === "" ? "core" : group}.${resource}`;
}

import { messageOf } from "../../apimachinery/errors/message-of.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { timestamp } from "../../apimachinery/values/time.js";
import {
  isTrue,
  type Migration,
  type MigrationState,
} from "../../apis/storagemigration/storage-version-migration/migration.js";
import { type Following, follow } from "../../informers/follow.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { Controller, ControllerContext } from "../controller.js";
import { writeStatus } from "../status-write.js";
import { WorkQueue } from "../work-queue.js";
import { type MigratedDefinition, tellMigrated, tellMigrating } from "./definition-status.js";
import { rewriteObjects } from "./rewrite-objects.js";

const writer = "system:serviceaccount:storage-version-migrator-controller";
const mostRecent = { kind: "mostRecent" } as const;
/** How long a migration waits for a missing resource, whose definition may have been created together with it. */
const patienceMs = 60_000;

const reasons: Readonly<Record<MigrationState, string>> = {
  Running: "StorageVersionMigrationInProgress",
  Succeeded: "StorageVersionMigrationSucceeded",
  Failed: "StorageVersionMigrationFailed",
};

/**
 * Rewrites the objects of the resources that migrations name, so that all have this server's storage version and encryption key. The
 * state is in the migration's status, so a restarted server continues. Source: KEP-4192.
 */
export class StorageMigrator implements Controller {
  readonly #context: ControllerContext;
  readonly #level: ApiLevel;
  readonly #queue: WorkQueue<string>;
  readonly #stopping = new AbortController();
  /** Migrations whose resource is still missing. */
  readonly #waiting = new Set<string>();
  #following: Following | undefined;
  #unsubscribe: () => void = () => {};

  constructor(context: ControllerContext, level: ApiLevel) {
    this.#context = context;
    this.#level = level;
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("storage-version-migrator-controller"),
      clock: context.clock,
      work: (name) => this.#sync(name),
      workers: 1,
      onFailure: (name, error) =>
        context.log.verbose(
          { level: 2, file: "controllers/storage-migration/storage-migrator" },
          "a storage migration will be retried",
          { name, reason: messageOf(error) },
        ),
    });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#context.onRegistries(({ added }) => {
      if (added.length > 0) for (const name of this.#waiting) this.#queue.add(name);
    });
    this.#following = await follow(this.#registry(), {
      change: (type, { key }) => {
        if (type === "DELETED") {
          this.#waiting.delete(key);
          this.#queue.forget(key);
        } else this.#queue.add(key);
      },
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    this.#following?.stop();
    await this.#queue.close();
  }

  #registry(): ResourceRegistry<Migration> {
    return this.#context.builtin("storageversionmigrations.storagemigration");
  }

  async #sync(name: string): Promise<void> {
    const migration = (await this.#registry().find("", name, mostRecent))?.decode();
    this.#waiting.delete(name);
    if (migration === undefined || isTrue(migration, "Succeeded") || isTrue(migration, "Failed")) return;
    const resource = this.#resourceOf(migration);
    if (resource === undefined) return this.#wait(name, migration);
    const { resourceVersion = "" } = migration.status;
    if (resourceVersion === "") {
      const { revision } = await resource.list({ prefix: "", at: mostRecent, limit: 1 });
      return this.#change(migration, (status) => {
        status.resourceVersion ||= String(revision);
      });
    }
    const definition = this.#definitionOf(resource);
    // A migration that another server began continues with the definition of that time.
    if (definition !== undefined && !isTrue(migration, "Running")) {
      await tellMigrating(this.#context, definition, name);
    }
    await this.#tell(migration, "Running");
    try {
      const { signal } = this.#stopping;
      await rewriteObjects(this.#context, resource, { until: Number(resourceVersion), writer, signal });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (definition !== undefined) await tellMigrated(this.#context, definition, false);
      return this.#tell(migration, "Failed", `migration encountered unhandled error: ${messageOf(error)}`);
    }
    if (this.#stopping.signal.aborted) return;
    if (definition !== undefined) await tellMigrated(this.#context, definition, true);
    await this.#tell(migration, "Succeeded");
  }

  /** The custom resource definition whose status records the migration. */
  #definitionOf({ definition: { group, resource } }: ResourceRegistry): MigratedDefinition | undefined {
    return isAtLeast(this.#level, "1.36") ? { name: `${resource}.${group}`, writer } : undefined;
  }

  #resourceOf({ spec }: Migration): ResourceRegistry | undefined {
    const { group = "", resource = "", version } = spec.resource;
    for (const registry of this.#context.registries()) {
      const { definition } = registry;
      if (definition.group !== group || definition.resource !== resource) continue;
      if (version === undefined || definition.versions.some((known) => known.version === version)) {
        return registry;
      }
    }
    return undefined;
  }

  async #wait(name: string, migration: Migration): Promise<void> {
    const createdMs = Date.parse(migration.metadata.creationTimestamp ?? "");
    const until = createdMs + patienceMs;
    if (until <= this.#context.now().getTime() || !isAtLeast(this.#level, "1.35")) {
      return this.#tell(migration, "Failed", "resource does not exist in discovery");
    }
    this.#waiting.add(name);
    this.#queue.addAt(name, until);
  }

  /** Sets a condition once; a migration that has ended no longer runs. */
  async #tell(migration: Migration, state: MigrationState, message = ""): Promise<void> {
    const now = timestamp(this.#context.now());
    const time = isAtLeast(this.#level, "1.35") ? { lastTransitionTime: now } : { lastUpdateTime: now };
    await this.#change(migration, (status) => {
      const conditions = status.conditions ?? [];
      if (conditions.some(({ type }) => type === state)) return;
      const before = conditions.map((condition) =>
        state !== "Running" && condition.type === "Running" ? { ...condition, status: "False" } : condition,
      );
      status.conditions = [
        ...before,
        { type: state, status: "True", ...time, reason: reasons[state], message },
      ];
    });
  }

  #change(
    { metadata: { name = "", uid } }: Migration,
    change: (status: Migration["status"]) => void,
  ): Promise<void> {
    return writeStatus(this.#context, this.#registry(), {
      namespace: "",
      name,
      uid,
      as: writer,
      change: (migration) => change(migration.status),
    });
  }
}

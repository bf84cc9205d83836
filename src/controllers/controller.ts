import type { UserInfo } from "../apimachinery/requests/request-info.js";
import type { BuiltinRegistries } from "../registry/generic/builtin-registries.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { serverWriter, WriteScope, type WriteTarget } from "../request/write-scope.js";
import type { Logger } from "../telemetry/logger.js";
import type { Clock } from "../time/clock.js";
import type { QueueObserver } from "./work-queue.js";

/** A control loop of the server. */
export interface Controller {
  /** Whether it reads all stored objects: other controllers then start first. */
  readonly readsAll?: boolean;
  /** Resolves when its watches are registered. */
  start(): Promise<void>;
  /** Called as soon as the server is about to stop, while it still answers. */
  withdraw?(): Promise<void>;
  /** Resolves when it has stopped all work. */
  stop(): Promise<void>;
}

/** The dependencies of controllers. */
export interface ControllerContext {
  /** The registry of a built-in resource, with the type of its objects. */
  readonly builtin: BuiltinRegistries;
  /** Every stored resource that exists now. */
  registries(): Iterable<ResourceRegistry>;
  /** Calls `listener` with resources that are added or removed, until the returned function is called. */
  onRegistries(listener: (change: RegistryChange) => void): () => void;
  readonly log: Logger;
  /** The observer for a controller's work queue; `name` is its label in the metrics. */
  observeQueue?(name: string): QueueObserver;
  /** The clock of the cluster, which tests may move. */
  readonly clock: Clock;
  now(): Date;
  /** The field manager of the API server's own writes. */
  readonly fieldManager: string;
}

/** The dependencies of the server's own writes. */
export type WritingContext = Pick<ControllerContext, "builtin" | "now" | "fieldManager">;

export interface RegistryChange {
  readonly added: readonly ResourceRegistry[];
  readonly removed: readonly ResourceRegistry[];
}

/** The user name that the server's own controllers write under. */
export function controllerUser(name: string): UserInfo {
  return { name, uid: "", groups: ["system:masters"], extra: {} };
}

const server = controllerUser("system:apiserver");

export type ServerWriteOptions = Pick<WriteTarget, "fieldManager" | "version">;

/** A write by the API server itself, which records that it manages the fields. */
export function serverWrite(
  context: Pick<ControllerContext, "now" | "fieldManager">,
  namespace: string,
  { fieldManager = context.fieldManager, version }: ServerWriteOptions = {},
): WriteScope {
  const target = { namespace, dryRun: false, fieldManager, version };
  return new WriteScope(serverWriter(server, context.now()), target);
}

/** A write by a controller that in Kubernetes is a client of the API server. */
export function controllerWrite(
  context: Pick<ControllerContext, "now">,
  user: UserInfo,
  namespace: string,
  fieldManager?: string | undefined,
): WriteScope {
  return new WriteScope(serverWriter(user, context.now()), { namespace, dryRun: false, fieldManager });
}

import type { UserInfo } from "../apimachinery/request-info.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { serverWriter, WriteScope } from "../request/write-scope.js";
import type { Logger } from "../telemetry/logger.js";

/** A loop that brings the cluster to where it should be. */
export interface Controller {
  /** Resolves when it watches what it must watch. */
  start(): Promise<void>;
  /** Told as soon as the server is to stop, while it still answers. */
  withdraw?(): Promise<void>;
  /** Resolves when it does nothing any more. */
  stop(): Promise<void>;
}

/** What every controller works with. */
export interface ControllerContext {
  /** Throws for a resource that is not stored. */
  registry(group: string, resource: string): ResourceRegistry;
  /** Of every stored resource there is now. */
  registries(): Iterable<ResourceRegistry>;
  /** Tells `listener` of resources that come and go from now on, until the returned function is called. */
  onRegistries(listener: (change: RegistryChange) => void): () => void;
  readonly log: Logger;
  now(): Date;
}

export interface RegistryChange {
  readonly added: readonly ResourceRegistry[];
  readonly removed: readonly ResourceRegistry[];
}

/** The identity that the server's own loops write under. */
export function controllerUser(name: string): UserInfo {
  return { name, uid: "", groups: ["system:masters"], extra: {} };
}

/** A write of a controller. */
export function controllerWrite(
  context: Pick<ControllerContext, "now">,
  user: UserInfo,
  namespace: string,
): WriteScope {
  return new WriteScope(serverWriter(user, context.now()), { namespace, dryRun: false });
}

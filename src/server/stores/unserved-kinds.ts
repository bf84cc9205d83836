import { messageOf } from "../../apimachinery/errors/message-of.js";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Stores } from "./open-store.js";

export interface UnservedKind {
  readonly definition: ResourceDefinition;
  /** How many of its objects are stored, at least one. */
  readonly count: number;
}

/** Kinds that this level does not serve, but of which the store has objects from another level. */
export async function storedUnservedKinds(
  stores: Pick<Stores, "countOf">,
  unserved: readonly ResourceDefinition[],
): Promise<readonly UnservedKind[]> {
  const stored: UnservedKind[] = [];
  for (const definition of unserved) {
    const count = await stores.countOf(definition);
    if (count > 0) stored.push({ definition, count });
  }
  return stored;
}

/**
 * Logs in one line which stored objects this level does not serve. They are kept. Never rejects: a store that does not answer is reported
 * elsewhere.
 */
export async function warnOfUnservedKinds(
  stores: Pick<Stores, "countOf">,
  unserved: readonly ResourceDefinition[],
  level: ApiLevel,
  log: Pick<Logger, "warn">,
): Promise<void> {
  try {
    const stored = await storedUnservedKinds(stores, unserved);
    if (stored.length === 0) return;
    const kinds = stored.map(({ definition, count }) => `${qualifiedResource(definition)} (${count})`);
    log.warn(
      "the store has objects of kinds that the API level does not have; they are kept and not served",
      {
        level,
        kinds: kinds.join(", "),
      },
    );
  } catch (error) {
    log.warn("could not count the stored objects of other API levels", { reason: messageOf(error) });
  }
}

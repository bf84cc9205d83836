import { messageOf } from "../../apimachinery/errors/message-of.js";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Stores } from "./open-store.js";

/**
 * Says in one line which objects of the store the level does not have: another level has stored them. They stay as they are. Never
 * rejects: a store that does not answer is told of elsewhere.
 */
export async function warnOfLackingKinds(
  stores: Pick<Stores, "countOf">,
  lacking: readonly ResourceDefinition[],
  level: ApiLevel,
  log: Pick<Logger, "warn">,
): Promise<void> {
  try {
    const kinds: string[] = [];
    for (const definition of lacking) {
      const count = await stores.countOf(definition);
      if (count > 0) kinds.push(`${qualifiedResource(definition)} (${count})`);
    }
    if (kinds.length === 0) return;
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

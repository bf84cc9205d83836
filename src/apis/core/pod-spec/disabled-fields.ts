import type { ApiContext } from "../../definition/api-context.js";
import type { PodLike } from "./validation-options.js";

/** Drops, in place, the fields of disabled feature gates that `old` does not use already. */
export function dropDisabledPodTemplateFields(
  _context: ApiContext,
  _template: PodLike | undefined,
  _old?: PodLike,
): void {}

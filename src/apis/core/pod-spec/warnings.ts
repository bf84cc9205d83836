import type { FieldPath } from "../../../apimachinery/field-error.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PodLike } from "./validation-options.js";

/** Of a pod or of a template at `path` (empty for a pod itself). With `old`, only what is new warns. */
export function podTemplateWarnings(
  _context: ApiContext,
  _path: FieldPath,
  _template: PodLike | undefined,
  _old?: PodLike,
): string[] {
  return [];
}

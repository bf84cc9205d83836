import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";

/** The extra fact about users that says which credential they presented; undefined at levels that do not tell. */
export function credentialIdKey(naming: Naming, level: ApiLevel): string | undefined {
  return isAtLeast(level, "1.32") ? `authentication.${naming.domain}/credential-id` : undefined;
}

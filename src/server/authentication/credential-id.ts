import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";

/** The key of the users' extra value that identifies the credential; undefined at levels without it. */
export function credentialIdKey(naming: Naming, level: ApiLevel): string | undefined {
  return isAtLeast(level, "1.32") ? `authentication.${naming.domain}/credential-id` : undefined;
}

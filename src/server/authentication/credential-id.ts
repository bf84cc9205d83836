import type { Naming } from "../../naming/naming.js";

/** The extra fact of users that tells which credential they have shown. */
export function credentialIdKey(naming: Naming): string {
  return `authentication.${naming.domain}/credential-id`;
}

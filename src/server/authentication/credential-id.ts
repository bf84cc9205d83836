import type { Naming } from "../../naming/naming.js";

/** The extra fact about users that says which credential they presented. */
export function credentialIdKey(naming: Naming): string {
  return `authentication.${naming.domain}/credential-id`;
}

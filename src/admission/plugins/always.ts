import type { AdmissionOperation } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";

const everyOperation: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/** AlwaysAdmit, which does nothing. */
export function alwaysAdmit(): AdmissionPlugin {
  return { operations: everyOperation };
}

/** AlwaysDeny, for testing what depends on admission. */
export function alwaysDeny(): AdmissionPlugin {
  const deny: AdmissionPlugin["validate"] = (attributes) => {
    throw refused(attributes, "admission control is denying all modifications");
  };
  return { operations: everyOperation, mutate: deny, validate: deny };
}

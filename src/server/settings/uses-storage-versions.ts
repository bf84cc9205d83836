import type { FeatureGates } from "../options/feature-gates.js";

/** Storage versions identify servers by their leases, so both gates are needed. */
export function usesStorageVersions(gates: FeatureGates): boolean {
  return gates.isEnabled("StorageVersionAPI") && gates.isEnabled("APIServerIdentity");
}

import type { NetworkPolicy } from "../../gen/networking-v1.js";

export function setNetworkPolicyDefaults(object: NetworkPolicy): void {
  const { spec } = object;
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of rule.ports ?? []) port.protocol ??= "TCP";
  }
  if ((spec.policyTypes ?? []).length === 0) {
    spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  }
}

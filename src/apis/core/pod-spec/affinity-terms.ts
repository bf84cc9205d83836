import type { PodAffinity, PodAffinityTerm, PodSpec } from "../../gen/core-v1.js";

/** Every term about other pods, of affinity first. */
export function podAffinityTerms({ affinity }: PodSpec): PodAffinityTerm[] {
  return [...termsOf(affinity?.podAffinity), ...termsOf(affinity?.podAntiAffinity)];
}

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((t) => t.podAffinityTerm),
  ];
}

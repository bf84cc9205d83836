import type { PodAffinity, PodAffinityTerm, PodSpec } from "../../gen/core-v1.js";

/** All affinity terms about other pods, then the anti-affinity terms. */
export function podAffinityTerms({ affinity }: PodSpec): PodAffinityTerm[] {
  return [...termsOf(affinity?.podAffinity), ...termsOf(affinity?.podAntiAffinity)];
}

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((t) => t.podAffinityTerm),
  ];
}

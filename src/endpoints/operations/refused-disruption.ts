import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PodDisruptionBudget } from "../../apis/gen/policy-v1.js";

/** Why a budget that allows no disruption refuses an eviction, in Kubernetes' words. */
export function refusedDisruption({ metadata, status }: PodDisruptionBudget, level: ApiLevel): string {
  const budget = `The disruption budget ${metadata.name ?? ""}`;
  const { currentHealthy, desiredHealthy, conditions = [] } = status;
  const numbers = `${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  if (!isAtLeast(level, "1.35")) return numbers;
  const denied = `${budget} does not allow evicting pods currently`;
  const condition = conditions.find(({ type }) => type === "DisruptionAllowed");
  const isExplained = condition?.status === "False" && condition.message !== "";
  // The numbers may be outdated in this case.
  if (isExplained && condition.reason === "SyncFailed") {
    return `${denied} because it failed sync: ${condition.message}`;
  }
  if (currentHealthy <= desiredHealthy) return numbers;
  return isExplained ? `${denied} (${condition.reason}): ${condition.message}` : denied;
}

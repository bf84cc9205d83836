// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { Condition, DeleteOptions, LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface PodDisruptionBudgetSpec {
  minAvailable?: number | string | undefined;
  selector?: LabelSelector | undefined;
  maxUnavailable?: number | string | undefined;
  unhealthyPodEvictionPolicy?: OpenEnum<"IfHealthyBudget" | "AlwaysAllow"> | undefined;
}

export interface PodDisruptionBudgetStatus {
  observedGeneration?: number | bigint | undefined;
  disruptedPods?: { [key: string]: string } | undefined;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: Condition[] | undefined;
}

export interface PodDisruptionBudget {
  metadata: ObjectMeta;
  spec: PodDisruptionBudgetSpec;
  status: PodDisruptionBudgetStatus;
}

export interface PodDisruptionBudgetList {
  metadata: ListMeta;
  items?: PodDisruptionBudget[] | undefined;
}

export interface Eviction {
  metadata: ObjectMeta;
  deleteOptions?: DeleteOptions | undefined;
}

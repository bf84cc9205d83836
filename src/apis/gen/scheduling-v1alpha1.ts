// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface BasicSchedulingPolicy {
}

export interface GangSchedulingPolicy {
  minCount: number;
}

export interface PodGroup {
  name: string;
  policy: PodGroupPolicy;
}

export interface PodGroupPolicy {
  basic?: BasicSchedulingPolicy | undefined;
  gang?: GangSchedulingPolicy | undefined;
}

export interface TypedLocalObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface Workload {
  metadata: ObjectMeta;
  spec: WorkloadSpec;
}

export interface WorkloadList {
  metadata: ListMeta;
  items?: Workload[] | undefined;
}

export interface WorkloadSpec {
  controllerRef?: TypedLocalObjectReference | undefined;
  podGroups?: PodGroup[] | undefined;
}

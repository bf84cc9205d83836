// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { Condition, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface BasicSchedulingPolicy {
}

export interface GangSchedulingPolicy {
  minCount: number;
}

export interface PodGroup {
  metadata: ObjectMeta;
  spec: PodGroupSpec;
  status: PodGroupStatus;
}

export interface PodGroupList {
  metadata: ListMeta;
  items?: PodGroup[] | undefined;
}

export interface PodGroupResourceClaim {
  name: string;
  resourceClaimName?: string | undefined;
  resourceClaimTemplateName?: string | undefined;
}

export interface PodGroupResourceClaimStatus {
  name: string;
  resourceClaimName?: string | undefined;
}

export interface PodGroupSchedulingConstraints {
  topology?: TopologyConstraint[] | undefined;
}

export interface PodGroupSchedulingPolicy {
  basic?: BasicSchedulingPolicy | undefined;
  gang?: GangSchedulingPolicy | undefined;
}

export interface PodGroupSpec {
  podGroupTemplateRef?: PodGroupTemplateReference | undefined;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints | undefined;
  resourceClaims?: PodGroupResourceClaim[] | undefined;
  disruptionMode?: OpenEnum<"Pod" | "PodGroup"> | undefined;
  priorityClassName?: string | undefined;
  priority?: number | undefined;
}

export interface PodGroupStatus {
  conditions?: Condition[] | undefined;
  resourceClaimStatuses?: PodGroupResourceClaimStatus[] | undefined;
}

export interface PodGroupTemplate {
  name: string;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints | undefined;
  resourceClaims?: PodGroupResourceClaim[] | undefined;
  disruptionMode?: OpenEnum<"Pod" | "PodGroup"> | undefined;
  priorityClassName?: string | undefined;
  priority?: number | undefined;
}

export interface PodGroupTemplateReference {
  workload?: WorkloadPodGroupTemplateReference | undefined;
}

export interface TopologyConstraint {
  key: string;
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

export interface WorkloadPodGroupTemplateReference {
  workloadName: string;
  podGroupTemplateName: string;
}

export interface WorkloadSpec {
  controllerRef?: TypedLocalObjectReference | undefined;
  podGroupTemplates?: PodGroupTemplate[] | undefined;
}

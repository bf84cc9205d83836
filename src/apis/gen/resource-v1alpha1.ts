// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { NodeSelector as CoreV1NodeSelector } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface AllocationResult {
  resourceHandle?: string | undefined;
  availableOnNodes?: CoreV1NodeSelector | undefined;
  shareable?: boolean | undefined;
}

export interface ResourceClaim {
  metadata: ObjectMeta;
  spec: ResourceClaimSpec;
  status: ResourceClaimStatus;
}

export interface ResourceClaimConsumerReference {
  apiGroup?: string | undefined;
  resource: string;
  name: string;
  uid: string;
}

export interface ResourceClaimList {
  metadata: ListMeta;
  items?: ResourceClaim[] | undefined;
}

export interface ResourceClaimParametersReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface ResourceClaimSchedulingStatus {
  name?: string | undefined;
  unsuitableNodes?: string[] | undefined;
}

export interface ResourceClaimSpec {
  resourceClassName: string;
  parametersRef?: ResourceClaimParametersReference | undefined;
  allocationMode?: string | undefined;
}

export interface ResourceClaimStatus {
  driverName?: string | undefined;
  allocation?: AllocationResult | undefined;
  reservedFor?: ResourceClaimConsumerReference[] | undefined;
  deallocationRequested?: boolean | undefined;
}

export interface ResourceClaimTemplate {
  metadata: ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}

export interface ResourceClaimTemplateList {
  metadata: ListMeta;
  items?: ResourceClaimTemplate[] | undefined;
}

export interface ResourceClaimTemplateSpec {
  metadata: ObjectMeta;
  spec: ResourceClaimSpec;
}

export interface ResourceClass {
  metadata: ObjectMeta;
  driverName: string;
  parametersRef?: ResourceClassParametersReference | undefined;
  suitableNodes?: CoreV1NodeSelector | undefined;
  structuredParameters?: boolean | undefined;
}

export interface ResourceClassList {
  metadata: ListMeta;
  items?: ResourceClass[] | undefined;
}

export interface ResourceClassParametersReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}

export interface PodScheduling {
  metadata: ObjectMeta;
  spec: PodSchedulingSpec;
  status: PodSchedulingStatus;
}

export interface PodSchedulingList {
  metadata: ListMeta;
  items?: PodScheduling[] | undefined;
}

export interface PodSchedulingSpec {
  selectedNode?: string | undefined;
  potentialNodes?: string[] | undefined;
}

export interface PodSchedulingStatus {
  resourceClaims?: ResourceClaimSchedulingStatus[] | undefined;
}

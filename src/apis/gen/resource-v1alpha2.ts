// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { NodeSelector as CoreV1NodeSelector } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface AllocationResult {
  resourceHandles?: ResourceHandle[] | undefined;
  availableOnNodes?: CoreV1NodeSelector | undefined;
  shareable?: boolean | undefined;
}

export interface AllocationResultModel {
  namedResources?: NamedResourcesAllocationResult | undefined;
}

export interface DriverAllocationResult {
  vendorRequestParameters?: JsonValue | undefined;
  namedResources?: NamedResourcesAllocationResult | undefined;
}

export interface DriverRequests {
  driverName?: string | undefined;
  vendorParameters?: JsonValue | undefined;
  requests?: ResourceRequest[] | undefined;
}

export interface NamedResourcesAllocationResult {
  name: string;
}

export interface NamedResourcesAttribute {
  name: string;
  quantity?: string | undefined;
  bool?: boolean | undefined;
  int?: number | bigint | undefined;
  intSlice?: NamedResourcesIntSlice | undefined;
  string?: string | undefined;
  stringSlice?: NamedResourcesStringSlice | undefined;
  version?: string | undefined;
}

export interface NamedResourcesAttributeValue {
  quantity?: string | undefined;
  bool?: boolean | undefined;
  int?: number | bigint | undefined;
  intSlice?: NamedResourcesIntSlice | undefined;
  string?: string | undefined;
  stringSlice?: NamedResourcesStringSlice | undefined;
  version?: string | undefined;
}

export interface NamedResourcesFilter {
  selector: string;
}

export interface NamedResourcesInstance {
  name: string;
  attributes?: NamedResourcesAttribute[] | undefined;
}

export interface NamedResourcesIntSlice {
  ints?: (number | bigint)[] | undefined;
}

export interface NamedResourcesRequest {
  selector: string;
}

export interface NamedResourcesResources {
  instances?: NamedResourcesInstance[] | undefined;
}

export interface NamedResourcesStringSlice {
  strings?: string[] | undefined;
}

export interface PodSchedulingContext {
  metadata: ObjectMeta;
  spec: PodSchedulingContextSpec;
  status: PodSchedulingContextStatus;
}

export interface PodSchedulingContextList {
  metadata: ListMeta;
  items?: PodSchedulingContext[] | undefined;
}

export interface PodSchedulingContextSpec {
  selectedNode?: string | undefined;
  potentialNodes?: string[] | undefined;
}

export interface PodSchedulingContextStatus {
  resourceClaims?: ResourceClaimSchedulingStatus[] | undefined;
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

export interface ResourceClaimParameters {
  metadata: ObjectMeta;
  generatedFrom?: ResourceClaimParametersReference | undefined;
  shareable?: boolean | undefined;
  driverRequests?: DriverRequests[] | undefined;
}

export interface ResourceClaimParametersList {
  metadata: ListMeta;
  items?: ResourceClaimParameters[] | undefined;
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

export interface ResourceClassParameters {
  metadata: ObjectMeta;
  generatedFrom?: ResourceClassParametersReference | undefined;
  vendorParameters?: VendorParameters[] | undefined;
  filters?: ResourceFilter[] | undefined;
}

export interface ResourceClassParametersList {
  metadata: ListMeta;
  items?: ResourceClassParameters[] | undefined;
}

export interface ResourceClassParametersReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}

export interface ResourceFilter {
  driverName?: string | undefined;
  namedResources?: NamedResourcesFilter | undefined;
}

export interface ResourceFilterModel {
  namedResources?: NamedResourcesFilter | undefined;
}

export interface ResourceHandle {
  driverName?: string | undefined;
  data?: string | undefined;
  structuredData?: StructuredResourceHandle | undefined;
}

export interface ResourceModel {
  namedResources?: NamedResourcesResources | undefined;
}

export interface ResourceRequest {
  vendorParameters?: JsonValue | undefined;
  namedResources?: NamedResourcesRequest | undefined;
}

export interface ResourceRequestModel {
  namedResources?: NamedResourcesRequest | undefined;
}

export interface ResourceSlice {
  metadata: ObjectMeta;
  nodeName?: string | undefined;
  driverName: string;
  namedResources?: NamedResourcesResources | undefined;
}

export interface ResourceSliceList {
  metadata: ListMeta;
  items?: ResourceSlice[] | undefined;
}

export interface StructuredResourceHandle {
  vendorClassParameters?: JsonValue | undefined;
  vendorClaimParameters?: JsonValue | undefined;
  nodeName?: string | undefined;
  results?: DriverAllocationResult[] | undefined;
}

export interface VendorParameters {
  driverName?: string | undefined;
  parameters?: JsonValue | undefined;
}

// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { NodeSelector as CoreV1NodeSelector } from "./core-v1.js";
import type { Condition, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string | undefined;
  conditions?: Condition[] | undefined;
  data?: JsonValue | undefined;
  networkData?: NetworkDeviceData | undefined;
}

export interface AllocationResult {
  devices: DeviceAllocationResult;
  nodeSelector?: CoreV1NodeSelector | undefined;
  allocationTimestamp?: string | undefined;
  controller?: string | undefined;
}

export interface CELDeviceSelector {
  expression: string;
}

export interface CapacityRequestPolicy {
  default?: string | undefined;
  validValues?: string[] | undefined;
  validRange?: CapacityRequestPolicyRange | undefined;
}

export interface CapacityRequestPolicyRange {
  min?: string | undefined;
  max?: string | undefined;
  step?: string | undefined;
}

export interface CapacityRequirements {
  requests?: { [key: string]: string } | undefined;
}

export interface Counter {
  value: string;
}

export interface CounterSet {
  name: string;
  counters?: { [key: string]: Counter } | undefined;
}

export interface Device {
  name: string;
  attributes?: { [key: string]: DeviceAttribute } | undefined;
  capacity?: { [key: string]: DeviceCapacity } | undefined;
  consumesCounters?: DeviceCounterConsumption[] | undefined;
  nodeName?: string | undefined;
  nodeSelector?: CoreV1NodeSelector | undefined;
  allNodes?: boolean | undefined;
  taints?: DeviceTaint[] | undefined;
  bindsToNode?: boolean | undefined;
  bindingConditions?: string[] | undefined;
  bindingFailureConditions?: string[] | undefined;
  allowMultipleAllocations?: boolean | undefined;
  nodeAllocatableResourceMappings?: { [key: string]: NodeAllocatableResourceMapping } | undefined;
}

export interface DeviceAllocationConfiguration {
  source: OpenEnum<"FromClass" | "FromClaim">;
  requests?: string[] | undefined;
  opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceAllocationResult {
  results?: DeviceRequestAllocationResult[] | undefined;
  config?: DeviceAllocationConfiguration[] | undefined;
}

export interface DeviceAttribute {
  int?: number | bigint | undefined;
  bool?: boolean | undefined;
  string?: string | undefined;
  version?: string | undefined;
  ints?: (number | bigint)[] | undefined;
  bools?: boolean[] | undefined;
  strings?: string[] | undefined;
  versions?: string[] | undefined;
}

export interface DeviceCapacity {
  value: string;
  requestPolicy?: CapacityRequestPolicy | undefined;
}

export interface DeviceClaim {
  requests?: DeviceRequest[] | undefined;
  constraints?: DeviceConstraint[] | undefined;
  config?: DeviceClaimConfiguration[] | undefined;
}

export interface DeviceClaimConfiguration {
  requests?: string[] | undefined;
  opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceClass {
  metadata: ObjectMeta;
  spec: DeviceClassSpec;
}

export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceClassList {
  metadata: ListMeta;
  items?: DeviceClass[] | undefined;
}

export interface DeviceClassSpec {
  selectors?: DeviceSelector[] | undefined;
  config?: DeviceClassConfiguration[] | undefined;
  extendedResourceName?: string | undefined;
  suitableNodes?: CoreV1NodeSelector | undefined;
}

export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceConstraint {
  requests?: string[] | undefined;
  matchAttribute?: string | undefined;
  distinctAttribute?: string | undefined;
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters?: { [key: string]: Counter } | undefined;
}

export interface DeviceRequest {
  name: string;
  exactly?: ExactDeviceRequest | undefined;
  firstAvailable?: DeviceSubRequest[] | undefined;
}

export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean | undefined;
  tolerations?: DeviceToleration[] | undefined;
  bindingConditions?: string[] | undefined;
  bindingFailureConditions?: string[] | undefined;
  shareID?: string | undefined;
  consumedCapacity?: { [key: string]: string } | undefined;
}

export interface DeviceSelector {
  cel?: CELDeviceSelector | undefined;
}

export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[] | undefined;
  allocationMode?: OpenEnum<"ExactCount" | "All"> | undefined;
  count?: number | bigint | undefined;
  tolerations?: DeviceToleration[] | undefined;
  capacity?: CapacityRequirements | undefined;
}

export interface DeviceTaint {
  key: string;
  value?: string | undefined;
  effect: OpenEnum<"None" | "NoSchedule" | "NoExecute">;
  timeAdded?: string | undefined;
}

export interface DeviceToleration {
  key?: string | undefined;
  operator?: OpenEnum<"Exists" | "Equal"> | undefined;
  value?: string | undefined;
  effect?: OpenEnum<"None" | "NoSchedule" | "NoExecute"> | undefined;
  tolerationSeconds?: number | bigint | undefined;
}

export interface ExactDeviceRequest {
  deviceClassName: string;
  selectors?: DeviceSelector[] | undefined;
  allocationMode?: OpenEnum<"ExactCount" | "All"> | undefined;
  count?: number | bigint | undefined;
  adminAccess?: boolean | undefined;
  tolerations?: DeviceToleration[] | undefined;
  capacity?: CapacityRequirements | undefined;
}

export interface NetworkDeviceData {
  interfaceName?: string | undefined;
  ips?: string[] | undefined;
  hardwareAddress?: string | undefined;
}

export interface NodeAllocatableResourceMapping {
  capacityKey?: string | undefined;
  allocationMultiplier?: string | undefined;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters?: JsonValue | undefined;
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

export interface ResourceClaimSpec {
  devices: DeviceClaim;
  controller?: string | undefined;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult | undefined;
  reservedFor?: ResourceClaimConsumerReference[] | undefined;
  devices?: AllocatedDeviceStatus[] | undefined;
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

export interface ResourcePool {
  name: string;
  generation: number | bigint;
  resourceSliceCount: number | bigint;
}

export interface ResourceSlice {
  metadata: ObjectMeta;
  spec: ResourceSliceSpec;
}

export interface ResourceSliceList {
  metadata: ListMeta;
  items?: ResourceSlice[] | undefined;
}

export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string | undefined;
  nodeSelector?: CoreV1NodeSelector | undefined;
  allNodes?: boolean | undefined;
  devices?: Device[] | undefined;
  perDeviceNodeSelection?: boolean | undefined;
  sharedCounters?: CounterSet[] | undefined;
}

export interface DeviceTaintRule {
  metadata: ObjectMeta;
  spec: DeviceTaintRuleSpec;
  status: DeviceTaintRuleStatus;
}

export interface DeviceTaintRuleList {
  metadata: ListMeta;
  items?: DeviceTaintRule[] | undefined;
}

export interface DeviceTaintRuleSpec {
  deviceSelector?: DeviceTaintSelector | undefined;
  taint: DeviceTaint;
}

export interface DeviceTaintRuleStatus {
  conditions?: Condition[] | undefined;
}

export interface DeviceTaintSelector {
  driver?: string | undefined;
  pool?: string | undefined;
  device?: string | undefined;
}

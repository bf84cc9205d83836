// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { SELinuxOptions as CoreV1SELinuxOptions } from "./core-v1.js";
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

export interface PodSecurityPolicy {
  metadata: ObjectMeta;
  spec: PodSecurityPolicySpec;
}

export interface PodSecurityPolicySpec {
  privileged?: boolean | undefined;
  defaultAddCapabilities?: string[] | undefined;
  requiredDropCapabilities?: string[] | undefined;
  allowedCapabilities?: string[] | undefined;
  volumes?: string[] | undefined;
  hostNetwork?: boolean | undefined;
  hostPorts?: HostPortRange[] | undefined;
  hostPID?: boolean | undefined;
  hostIPC?: boolean | undefined;
  seLinux: SELinuxStrategyOptions;
  runAsUser: RunAsUserStrategyOptions;
  runAsGroup?: RunAsGroupStrategyOptions | undefined;
  supplementalGroups: SupplementalGroupsStrategyOptions;
  fsGroup: FSGroupStrategyOptions;
  readOnlyRootFilesystem?: boolean | undefined;
  defaultAllowPrivilegeEscalation?: boolean | undefined;
  allowPrivilegeEscalation?: boolean | undefined;
  allowedHostPaths?: AllowedHostPath[] | undefined;
  allowedFlexVolumes?: AllowedFlexVolume[] | undefined;
  allowedCSIDrivers?: AllowedCSIDriver[] | undefined;
  allowedUnsafeSysctls?: string[] | undefined;
  forbiddenSysctls?: string[] | undefined;
  allowedProcMountTypes?: OpenEnum<"Default" | "Unmasked">[] | undefined;
  runtimeClass?: RuntimeClassStrategyOptions | undefined;
}

export interface AllowedHostPath {
  pathPrefix?: string | undefined;
  readOnly?: boolean | undefined;
}

export interface AllowedFlexVolume {
  driver: string;
}

export interface AllowedCSIDriver {
  name: string;
}

export interface HostPortRange {
  min: number;
  max: number;
}

export interface SELinuxStrategyOptions {
  rule: string;
  seLinuxOptions?: CoreV1SELinuxOptions | undefined;
}

export interface RunAsUserStrategyOptions {
  rule: string;
  ranges?: IDRange[] | undefined;
}

export interface RunAsGroupStrategyOptions {
  rule: string;
  ranges?: IDRange[] | undefined;
}

export interface IDRange {
  min: number | bigint;
  max: number | bigint;
}

export interface FSGroupStrategyOptions {
  rule?: string | undefined;
  ranges?: IDRange[] | undefined;
}

export interface SupplementalGroupsStrategyOptions {
  rule?: string | undefined;
  ranges?: IDRange[] | undefined;
}

export interface RuntimeClassStrategyOptions {
  allowedRuntimeClassNames?: string[] | undefined;
  defaultRuntimeClassName?: string | undefined;
}

export interface PodSecurityPolicyList {
  metadata: ListMeta;
  items?: PodSecurityPolicy[] | undefined;
}

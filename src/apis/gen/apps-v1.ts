// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { PersistentVolumeClaim as CoreV1PersistentVolumeClaim, PodTemplateSpec as CoreV1PodTemplateSpec } from "./core-v1.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface StatefulSet {
  metadata: ObjectMeta;
  spec: StatefulSetSpec;
  status: StatefulSetStatus;
}

export interface StatefulSetUpdateStrategy {
  type?: OpenEnum<"RollingUpdate" | "OnDelete"> | undefined;
  rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
}

export interface RollingUpdateStatefulSetStrategy {
  partition?: number | undefined;
  maxUnavailable?: number | string | undefined;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string | undefined;
  whenScaled?: string | undefined;
}

export interface StatefulSetSpec {
  replicas?: number | undefined;
  selector?: LabelSelector | undefined;
  template: CoreV1PodTemplateSpec;
  volumeClaimTemplates?: CoreV1PersistentVolumeClaim[] | undefined;
  serviceName: string;
  podManagementPolicy?: OpenEnum<"OrderedReady" | "Parallel"> | undefined;
  updateStrategy: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number | undefined;
  minReadySeconds?: number | undefined;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
  ordinals?: StatefulSetOrdinals | undefined;
}

export interface StatefulSetStatus {
  observedGeneration?: number | bigint | undefined;
  replicas: number;
  readyReplicas?: number | undefined;
  currentReplicas?: number | undefined;
  updatedReplicas?: number | undefined;
  currentRevision?: string | undefined;
  updateRevision?: string | undefined;
  collisionCount?: number | undefined;
  conditions?: StatefulSetCondition[] | undefined;
  availableReplicas: number;
}

export interface StatefulSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface StatefulSetList {
  metadata: ListMeta;
  items?: StatefulSet[] | undefined;
}

export interface Deployment {
  metadata: ObjectMeta;
  spec: DeploymentSpec;
  status: DeploymentStatus;
}

export interface DeploymentSpec {
  replicas?: number | undefined;
  selector?: LabelSelector | undefined;
  template: CoreV1PodTemplateSpec;
  strategy: DeploymentStrategy;
  minReadySeconds?: number | undefined;
  revisionHistoryLimit?: number | undefined;
  paused?: boolean | undefined;
  progressDeadlineSeconds?: number | undefined;
}

export interface DeploymentStrategy {
  type?: OpenEnum<"Recreate" | "RollingUpdate"> | undefined;
  rollingUpdate?: RollingUpdateDeployment | undefined;
}

export interface RollingUpdateDeployment {
  maxUnavailable?: number | string | undefined;
  maxSurge?: number | string | undefined;
}

export interface DeploymentStatus {
  observedGeneration?: number | bigint | undefined;
  replicas?: number | undefined;
  updatedReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  unavailableReplicas?: number | undefined;
  terminatingReplicas?: number | undefined;
  conditions?: DeploymentCondition[] | undefined;
  collisionCount?: number | undefined;
}

export interface DeploymentCondition {
  type: string;
  status: string;
  lastUpdateTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface DeploymentList {
  metadata: ListMeta;
  items?: Deployment[] | undefined;
}

export interface DaemonSetUpdateStrategy {
  type?: OpenEnum<"RollingUpdate" | "OnDelete"> | undefined;
  rollingUpdate?: RollingUpdateDaemonSet | undefined;
}

export interface RollingUpdateDaemonSet {
  maxUnavailable?: number | string | undefined;
  maxSurge?: number | string | undefined;
}

export interface DaemonSetSpec {
  selector?: LabelSelector | undefined;
  template: CoreV1PodTemplateSpec;
  updateStrategy: DaemonSetUpdateStrategy;
  minReadySeconds?: number | undefined;
  revisionHistoryLimit?: number | undefined;
}

export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number | bigint | undefined;
  updatedNumberScheduled?: number | undefined;
  numberAvailable?: number | undefined;
  numberUnavailable?: number | undefined;
  collisionCount?: number | undefined;
  conditions?: DaemonSetCondition[] | undefined;
}

export interface DaemonSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface DaemonSet {
  metadata: ObjectMeta;
  spec: DaemonSetSpec;
  status: DaemonSetStatus;
}

export interface DaemonSetList {
  metadata: ListMeta;
  items?: DaemonSet[] | undefined;
}

export interface ReplicaSet {
  metadata: ObjectMeta;
  spec: ReplicaSetSpec;
  status: ReplicaSetStatus;
}

export interface ReplicaSetList {
  metadata: ListMeta;
  items?: ReplicaSet[] | undefined;
}

export interface ReplicaSetSpec {
  replicas?: number | undefined;
  minReadySeconds?: number | undefined;
  selector?: LabelSelector | undefined;
  template: CoreV1PodTemplateSpec;
}

export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  terminatingReplicas?: number | undefined;
  observedGeneration?: number | bigint | undefined;
  conditions?: ReplicaSetCondition[] | undefined;
}

export interface ReplicaSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface ControllerRevision {
  metadata: ObjectMeta;
  data?: JsonValue | undefined;
  revision: number | bigint;
}

export interface ControllerRevisionList {
  metadata: ListMeta;
  items?: ControllerRevision[] | undefined;
}

export interface StatefulSetOrdinals {
  start: number;
}

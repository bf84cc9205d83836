// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { PersistentVolumeSpec as CoreV1PersistentVolumeSpec, TopologySelectorTerm as CoreV1TopologySelectorTerm } from "./core-v1.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface StorageClass {
  metadata: ObjectMeta;
  provisioner: string;
  parameters?: { [key: string]: string } | undefined;
  reclaimPolicy?: OpenEnum<"Recycle" | "Delete" | "Retain"> | undefined;
  mountOptions?: string[] | undefined;
  allowVolumeExpansion?: boolean | undefined;
  volumeBindingMode?: string | undefined;
  allowedTopologies?: CoreV1TopologySelectorTerm[] | undefined;
}

export interface StorageClassList {
  metadata: ListMeta;
  items?: StorageClass[] | undefined;
}

export interface VolumeAttachment {
  metadata: ObjectMeta;
  spec: VolumeAttachmentSpec;
  status: VolumeAttachmentStatus;
}

export interface VolumeAttachmentList {
  metadata: ListMeta;
  items?: VolumeAttachment[] | undefined;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}

export interface VolumeAttachmentSource {
  persistentVolumeName?: string | undefined;
  inlineVolumeSpec?: CoreV1PersistentVolumeSpec | undefined;
}

export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: { [key: string]: string } | undefined;
  attachError?: VolumeError | undefined;
  detachError?: VolumeError | undefined;
}

export interface VolumeError {
  time?: string | undefined;
  message?: string | undefined;
  errorCode?: number | undefined;
}

export interface CSIDriver {
  metadata: ObjectMeta;
  spec: CSIDriverSpec;
}

export interface CSIDriverList {
  metadata: ListMeta;
  items?: CSIDriver[] | undefined;
}

export interface CSIDriverSpec {
  attachRequired?: boolean | undefined;
  podInfoOnMount?: boolean | undefined;
  volumeLifecycleModes?: string[] | undefined;
  storageCapacity?: boolean | undefined;
  fsGroupPolicy?: string | undefined;
  tokenRequests?: TokenRequest[] | undefined;
  requiresRepublish?: boolean | undefined;
  seLinuxMount?: boolean | undefined;
  nodeAllocatableUpdatePeriodSeconds?: number | bigint | undefined;
  serviceAccountTokenInSecrets?: boolean | undefined;
  preventPodSchedulingIfMissing?: boolean | undefined;
}

export interface TokenRequest {
  audience: string;
  expirationSeconds?: number | bigint | undefined;
}

export interface CSINode {
  metadata: ObjectMeta;
  spec: CSINodeSpec;
}

export interface CSINodeSpec {
  drivers?: CSINodeDriver[] | undefined;
}

export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: string[] | undefined;
  allocatable?: VolumeNodeResources | undefined;
}

export interface VolumeNodeResources {
  count?: number | undefined;
}

export interface CSINodeList {
  metadata: ListMeta;
  items?: CSINode[] | undefined;
}

export interface CSIStorageCapacity {
  metadata: ObjectMeta;
  nodeTopology?: LabelSelector | undefined;
  storageClassName: string;
  capacity?: string | undefined;
  maximumVolumeSize?: string | undefined;
}

export interface CSIStorageCapacityList {
  metadata: ListMeta;
  items?: CSIStorageCapacity[] | undefined;
}

export interface VolumeAttributesClass {
  metadata: ObjectMeta;
  driverName: string;
  parameters?: { [key: string]: string } | undefined;
}

export interface VolumeAttributesClassList {
  metadata: ListMeta;
  items?: VolumeAttributesClass[] | undefined;
}

// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { PersistentVolumeSpec as CoreV1PersistentVolumeSpec } from "./core-v1.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

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

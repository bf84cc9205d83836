// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface StorageVersion {
  metadata: ObjectMeta;
  spec: StorageVersionSpec;
  status: StorageVersionStatus;
}

export interface StorageVersionSpec {
}

export interface StorageVersionStatus {
  storageVersions?: ServerStorageVersion[] | undefined;
  commonEncodingVersion?: string | undefined;
  conditions?: StorageVersionCondition[] | undefined;
}

export interface ServerStorageVersion {
  apiServerID?: string | undefined;
  encodingVersion?: string | undefined;
  decodableVersions?: string[] | undefined;
  servedVersions?: string[] | undefined;
}

export interface StorageVersionCondition {
  type: string;
  status: string;
  observedGeneration?: number | bigint | undefined;
  lastTransitionTime?: string | undefined;
  reason: string;
  message?: string | undefined;
}

export interface StorageVersionList {
  metadata: ListMeta;
  items?: StorageVersion[] | undefined;
}

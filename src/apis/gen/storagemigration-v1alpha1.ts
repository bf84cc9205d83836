// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface GroupVersionResource {
  group?: string | undefined;
  version?: string | undefined;
  resource?: string | undefined;
}

export interface MigrationCondition {
  type: string;
  status: string;
  lastUpdateTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface StorageVersionMigration {
  metadata: ObjectMeta;
  spec: StorageVersionMigrationSpec;
  status: StorageVersionMigrationStatus;
}

export interface StorageVersionMigrationList {
  metadata: ListMeta;
  items?: StorageVersionMigration[] | undefined;
}

export interface StorageVersionMigrationSpec {
  resource: GroupVersionResource;
  continueToken?: string | undefined;
}

export interface StorageVersionMigrationStatus {
  conditions?: MigrationCondition[] | undefined;
  resourceVersion?: string | undefined;
}

// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { Condition, GroupResource, ListMeta, ObjectMeta } from "./meta-v1.js";

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
  resource: GroupResource;
}

export interface StorageVersionMigrationStatus {
  conditions?: Condition[] | undefined;
  resourceVersion?: string | undefined;
}

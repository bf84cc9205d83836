import type { ObjectMeta } from "../../gen/meta-v1.js";

/** A `StorageVersionMigration`, in the version of the server's level: v1alpha1 before 1.35, v1beta1 since. */
export interface Migration {
  metadata: ObjectMeta;
  spec: {
    resource: {
      group?: string | undefined;
      /** In v1alpha1. */
      version?: string | undefined;
      resource?: string | undefined;
    };
    /** In v1alpha1. */
    continueToken?: string | undefined;
  };
  status: {
    conditions?: MigrationCondition[] | undefined;
    resourceVersion?: string | undefined;
  };
}

export interface MigrationCondition {
  type: string;
  status: string;
  /** In v1beta1. */
  observedGeneration?: number | bigint | undefined;
  /** In v1beta1. */
  lastTransitionTime?: string | undefined;
  /** In v1alpha1. */
  lastUpdateTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export type MigrationState = "Running" | "Succeeded" | "Failed";

export function isTrue({ status }: Migration, state: MigrationState): boolean {
  return status.conditions?.find(({ type }) => type === state)?.status === "True";
}

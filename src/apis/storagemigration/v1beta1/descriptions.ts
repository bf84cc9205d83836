import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const storagemigrationV1beta1Descriptions: TypeDescriptions = {
  GroupVersionResource: {
    about: "A resource in a version.",
    fields: {
      group: "Name of the group.",
      version: "Name of the version.",
      resource: "Name of the resource.",
    },
  },
  MigrationCondition: {
    fields: {
      type: "Running, Succeeded or Failed.",
      status: "True, False or Unknown.",
      lastUpdateTime: "When the condition was last written.",
      reason: "Why the condition is as it is, as a word in CamelCase.",
      message: "Details for people.",
    },
  },
  StorageVersionMigration: {
    about: "Writes the stored objects of a resource anew, so that all have the form that is current.",
    fields: {
      spec: "Which resource.",
      status: "How far it has come.",
    },
  },
  StorageVersionMigrationSpec: {
    fields: {
      resource: "The resource. Cannot be changed.",
      continueToken: "Where a list goes on.",
    },
  },
  StorageVersionMigrationStatus: {
    fields: {
      conditions: "Whether the migration runs, has succeeded or has failed.",
      resourceVersion: "Version of the list that is migrated.",
    },
  },
};

import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const storagemigrationV1alpha1Types = typePackage("storagemigration/v1alpha1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    GroupVersionResource: {
      fields: {
        group: { number: 1, type: "string", omitempty: true },
        version: { number: 2, type: "string", omitempty: true },
        resource: { number: 3, type: "string", omitempty: true },
      },
    },
    MigrationCondition: {
      fields: {
        type: { number: 1, type: "string" },
        status: { number: 2, type: "string" },
        lastUpdateTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    StorageVersionMigration: {
      kind: "StorageVersionMigration",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "storagemigration/v1alpha1.StorageVersionMigrationSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "storagemigration/v1alpha1.StorageVersionMigrationStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    StorageVersionMigrationList: {
      kind: "StorageVersionMigrationList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: {
          number: 2,
          type: "storagemigration/v1alpha1.StorageVersionMigration",
          list: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    StorageVersionMigrationSpec: {
      fields: {
        resource: { number: 1, type: "storagemigration/v1alpha1.GroupVersionResource" },
        continueToken: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    StorageVersionMigrationStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "storagemigration/v1alpha1.MigrationCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
        resourceVersion: { number: 2, type: "string", omitempty: true },
      },
    },
  };
}

import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const storagemigrationV1beta1Types = typePackage("storagemigration/v1beta1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    StorageVersionMigration: {
      kind: "StorageVersionMigration",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "storagemigration/v1beta1.StorageVersionMigrationSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "storagemigration/v1beta1.StorageVersionMigrationStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    StorageVersionMigrationList: listKind("storagemigration/v1beta1.StorageVersionMigration"),
    StorageVersionMigrationSpec: { fields: { resource: { number: 1, type: "meta/v1.GroupResource" } } },
    StorageVersionMigrationStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "meta/v1.Condition",
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

import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import { firstFewText } from "../../definition/first-few-text.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { StorageVersion } from "../../gen/apiserverinternal-v1alpha1.js";
import { storageVersionNameProblems, validateStorageVersionStatus } from "./validation.js";

/** The version of a resource that each server of the cluster writes. The spec is empty; everything is in the status. */
export function storageVersions(context: ApiContext): ResourceDefinition<StorageVersion> {
  const main = strategy<StorageVersion>({
    validateName: (name) => storageVersionNameProblems(name),
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = {};
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
    },
    validate: (_context, object) => validateStorageVersionStatus(object.status),
  });
  return defineResource<StorageVersion>({
    group: context.naming.group("internal.apiserver"),
    resource: "storageversions",
    kind: "StorageVersion",
    namespaced: false,
    versions: [
      hub<StorageVersion>(context, {
        version: "v1alpha1",
        type: "apiserverinternal/v1alpha1.StorageVersion",
        enabledByDefault: context.isEnabled("StorageVersionAPI"),
      }),
    ],
    storage: { version: "v1alpha1", prefix: "/storageversions" },
    strategy: main,
    subresources: [
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: strategy<StorageVersion>({
          ...main,
          resetFields: [["metadata"], ["spec"]],
          prepareForUpdate(_context, object, old) {
            object.spec = old.spec;
            resetMetadataForStatus(object, old);
          },
          validateUpdate: (_context, object) => validateStorageVersionStatus(object.status),
        }),
      },
    ],
    columns,
  });
}

const columns: TableColumns<StorageVersion> = {
  columns: [
    nameColumn,
    column("CommonEncodingVersion", "string", "Version that all servers write, if they agree."),
    column("StorageVersions", "string", "Version that each server writes."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.status.commonEncodingVersion ?? "<unset>",
    firstFewText(
      (object.status.storageVersions ?? []).map(
        ({ apiServerID = "", encodingVersion = "" }) => `${apiServerID}=${encodingVersion}`,
      ),
    ),
    ageCell(object, now),
  ],
};

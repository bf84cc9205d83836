import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { VolumeAttributesClass } from "../../gen/storage-v1.js";
import { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from "./validation.js";

/** They have the same fields as the hub. */
const olderVersions = [
  {
    version: "v1beta1",
    since: "1.31",
    lifecycle: { introduced: "1.31", deprecated: "1.34", removed: "1.37" },
  },
  {
    version: "v1alpha1",
    since: "1.29",
    until: "1.35",
    lifecycle: { introduced: "1.29", deprecated: "1.32", removed: "1.35" },
  },
] as const;

export function volumeAttributesClasses(context: ApiContext): ResourceDefinition<VolumeAttributesClass> {
  const group = context.naming.group("storage");
  const replacement = { group, version: "v1", kind: "VolumeAttributesClass" };
  return defineResource<VolumeAttributesClass>({
    group,
    resource: "volumeattributesclasses",
    singular: "volumeattributesclass",
    kind: "VolumeAttributesClass",
    namespaced: false,
    since: "1.29",
    shortNames: ["vac"],
    versions: [
      hub<VolumeAttributesClass>(context, {
        version: "v1",
        since: "1.34",
        lifecycle: { introduced: "1.34" },
        type: "storage/v1.VolumeAttributesClass",
      }),
      ...olderVersions.map((older) =>
        spoke<VolumeAttributesClass, VolumeAttributesClass>(context, {
          ...older,
          lifecycle: { ...older.lifecycle, replacement },
          before: { "1.34": { lifecycle: older.lifecycle } },
          enabledByDefault: false,
          type: `storage/${older.version}.VolumeAttributesClass`,
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: {
      version: "v1",
      before: { "1.36": { version: "v1beta1" }, "1.31": { version: "v1alpha1" } },
      prefix: "/volumeattributesclasses",
    },
    strategy: strategy<VolumeAttributesClass>({
      validate: (_write, object) => validateVolumeAttributesClass(object),
      validateUpdate: (_write, object, old) => validateVolumeAttributesClassUpdate(object, old),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

const columns: TableColumns<VolumeAttributesClass> = {
  columns: [
    nameColumn,
    column("DriverName", "string", "The driver that changes volumes of the class."),
    ageColumn,
  ],
  cells: (object, now) => [object.metadata.name ?? "", object.driverName, ageCell(object, now)],
};

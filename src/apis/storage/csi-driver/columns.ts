import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { CSIDriver } from "../../gen/storage-v1.js";

export const csiDriverColumns: TableColumns<CSIDriver> = {
  columns: [
    nameColumn,
    column("AttachRequired", "boolean", "Whether volumes are attached to nodes before they are mounted."),
    column("PodInfoOnMount", "boolean", "Whether the driver is told of the pod when it mounts."),
    column("StorageCapacity", "boolean", "Whether pods are placed by the capacity that the driver reports."),
    column("TokenRequests", "string", "Audiences of the service account tokens that the driver gets."),
    column("RequiresRepublish", "boolean", "Whether the driver is called again for mounted volumes."),
    column("Modes", "string", "Lifecycles of the volumes that the driver supports."),
    ageColumn,
  ],
  cells: (object, now) => {
    const { spec } = object;
    return [
      object.metadata.name ?? "",
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience }) => audience).join(",") ?? "<unset>",
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(",") || "<none>",
      ageCell(object, now),
    ];
  },
};

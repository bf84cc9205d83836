import type { Naming } from "../../../naming/naming.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PersistentVolumeClaim } from "../../gen/core-v1.js";
import { accessModesText } from "../persistent-volume/access-modes.js";

export function persistentVolumeClaimColumns({ domain }: Naming): TableColumns<PersistentVolumeClaim> {
  return {
    columns: [
      nameColumn,
      column("Status", "string", "Phase of the claim, or Terminating."),
      column("Volume", "string", "Name of the volume it is bound to."),
      column("Capacity", "string", "Size of that volume."),
      column("Access Modes", "string", "Ways in which that volume can be mounted."),
      column("StorageClass", "string", "Name of the class it asks for."),
      {
        ...column(
          "VolumeAttributesClass",
          "string",
          "Name of the class of changeable attributes it asks for.",
        ),
        since: "1.29",
      },
      ageColumn,
      column("VolumeMode", "string", "Whether it is used as a file system or as a raw device.", 1),
    ],
    cells(object, now) {
      const { metadata, spec, status } = object;
      const volume = spec.volumeName ?? "";
      return [
        metadata.name ?? "",
        metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
        volume,
        volume === "" ? "" : (status.capacity?.storage ?? "0"),
        volume === "" ? "" : accessModesText(status.accessModes),
        metadata.annotations?.[`volume.beta.${domain}/storage-class`] ?? spec.storageClassName ?? "",
        spec.volumeAttributesClassName ?? "<unset>",
        ageCell(object, now),
        spec.volumeMode ?? "<unset>",
      ];
    },
  };
}

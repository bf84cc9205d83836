import type { Naming } from "../../../naming/naming.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PersistentVolume } from "../../gen/core-v1.js";
import { accessModesText } from "./access-modes.js";

export function persistentVolumeColumns({ domain }: Naming): TableColumns<PersistentVolume> {
  return {
    columns: [
      nameColumn,
      column("Capacity", "string", "Size of the volume."),
      column("Access Modes", "string", "Ways in which the volume can be mounted."),
      column("Reclaim Policy", "string", "What becomes of the volume when its claim is gone."),
      column("Status", "string", "Phase of the volume, or Terminating."),
      column("Claim", "string", "Namespace and name of the claim it is bound to."),
      column("StorageClass", "string", "Name of the class it belongs to."),
      {
        ...column("VolumeAttributesClass", "string", "Name of the class of its changeable attributes."),
        since: "1.29",
      },
      column("Reason", "string", "Why the volume failed, in one word."),
      ageColumn,
      column("VolumeMode", "string", "Whether it is used as a file system or as a raw device.", 1),
    ],
    cells(object, now) {
      const { metadata, spec, status } = object;
      const claim = spec.claimRef;
      return [
        metadata.name ?? "",
        spec.capacity?.storage ?? "0",
        accessModesText(spec.accessModes),
        spec.persistentVolumeReclaimPolicy ?? "",
        metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
        claim === undefined ? "" : `${claim.namespace ?? ""}/${claim.name ?? ""}`,
        metadata.annotations?.[`volume.beta.${domain}/storage-class`] ?? spec.storageClassName ?? "",
        spec.volumeAttributesClassName ?? "<unset>",
        status.reason ?? "",
        ageCell(object, now),
        spec.volumeMode ?? "<unset>",
      ];
    },
  };
}

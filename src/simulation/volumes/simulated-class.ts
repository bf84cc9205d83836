import { isStatus } from "../../apimachinery/errors/status.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import type { StorageClass } from "../../apis/gen/storage-v1.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "../pods/cluster.js";

/** The provisioner of the class whose volumes are simulated. */
export const provisioner = "volumes.simulation.orch.io";

/** Creates the default class, unless one of that name exists. */
export async function makeSimulatedClass({ context, domain, views }: Cluster, writer: Writer): Promise<void> {
  const { storageClass: name } = context.settings;
  if (views.of("storageclasses.storage").get(name) !== undefined) return;
  const annotations = { [`storageclass.${domain}/is-default-class`]: "true" };
  const made: StorageClass = { metadata: { name, annotations }, provisioner, allowVolumeExpansion: true };
  await writer.create("storageclasses.storage", "", made).catch((error: unknown) => {
    if (!isStatus(error, "AlreadyExists")) throw error;
  });
}

/** The volume that a provisioner would create for a claim. */
export function simulatedVolume(
  view: ObjectView<PersistentVolumeClaim>,
  { spec }: PersistentVolumeClaim,
  { reclaimPolicy }: StorageClass,
  domain: string,
): PersistentVolume {
  return {
    metadata: {
      name: `pvc-${view.uid}`,
      annotations: { [`pv.${domain}/provisioned-by`]: provisioner },
    },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? "1Gi" },
      accessModes: spec.accessModes,
      volumeMode: spec.volumeMode,
      storageClassName: spec.storageClassName,
      persistentVolumeReclaimPolicy: reclaimPolicy ?? "Delete",
      claimRef: referenceTo(view),
      csi: { driver: provisioner, volumeHandle: view.uid },
    },
    status: {},
  };
}

export function referenceTo({ namespace, name, uid, stored }: ObjectView<PersistentVolumeClaim>) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    namespace,
    name,
    uid,
    resourceVersion: String(stored.revision),
  };
}

import { allContainers } from "../../apis/core/pod-spec/containers.js";
import type { PodSpec, Volume } from "../../apis/gen/core-v1.js";

/** The secrets that a pod refers to: for image pulls, in variables of its containers, and in its volumes. */
export function podSecretNames(spec: PodSpec): readonly string[] {
  const names = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...allContainers(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(volumeSecretNames),
  ];
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function volumeSecretNames(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.rbd?.secretRef?.name,
    volume.secret?.secretName,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

import type { Container, PersistentVolume, Pod, Volume } from "../../../apis/gen/core-v1.js";
import type { PodReferences, VolumeReferences } from "./node-graph.js";

const noReferences = {
  serviceAccount: "",
  secrets: [],
  configMaps: [],
  claims: [],
  resourceClaims: [],
};

/** Mirror pods refer to nothing: node agents create them, and could name anything. */
export function podReferences(pod: Pod, mirrorAnnotation: string): PodReferences {
  const { metadata, spec, status } = pod;
  const namespace = metadata.namespace ?? "";
  const node = spec?.nodeName ?? "";
  if (metadata.annotations?.[mirrorAnnotation] !== undefined) return { ...noReferences, namespace, node };
  const containers: readonly Container[] = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    // Ephemeral containers have the fields that matter here.
    ...((spec?.ephemeralContainers ?? []) as Container[]),
  ];
  const volumes = spec?.volumes ?? [];
  return {
    namespace,
    node,
    serviceAccount: spec?.serviceAccountName ?? "",
    secrets: named([
      ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
      ...containers.flatMap(({ env = [], envFrom = [] }) => [
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
        ...envFrom.map(({ secretRef }) => secretRef?.name),
      ]),
      ...volumes.flatMap(secretsOfVolume),
    ]),
    configMaps: named([
      ...containers.flatMap(({ env = [], envFrom = [] }) => [
        ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
        ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ]),
      ...volumes.flatMap(({ configMap, projected }) => [
        configMap?.name,
        ...(projected?.sources ?? []).map((source) => source.configMap?.name),
      ]),
    ]),
    claims: named(
      volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
        persistentVolumeClaim?.claimName,
        // The claim created for the ephemeral volume.
        ephemeral === undefined ? undefined : `${metadata.name}-${name}`,
      ]),
    ),
    resourceClaims: named([
      ...(spec?.resourceClaims ?? []).map(({ resourceClaimName }) => resourceClaimName),
      // Claims made from templates.
      ...(status?.resourceClaimStatuses ?? []).map(({ resourceClaimName }) => resourceClaimName),
      status?.extendedResourceClaimStatus?.resourceClaimName,
    ]),
  };
}

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, projected, rbd, scaleIO, secret, storageos } =
    volume;
  return [
    azureFile?.secretName,
    cephfs?.secretRef?.name,
    cinder?.secretRef?.name,
    csi?.nodePublishSecretRef?.name,
    flexVolume?.secretRef?.name,
    iscsi?.secretRef?.name,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
    rbd?.secretRef?.name,
    scaleIO?.secretRef?.name,
    secret?.secretName,
    storageos?.secretRef?.name,
  ];
}

export function volumeReferences({ spec }: PersistentVolume): VolumeReferences {
  const { claimRef } = spec ?? {};
  if (claimRef === undefined) return { claim: undefined, secrets: [] };
  const own = claimRef.namespace ?? "";
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec ?? {};
  const keys = [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace },
    cephfs?.secretRef,
    cinder?.secretRef,
    // Nodes do not need the secrets that controllers use.
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    flexVolume?.secretRef,
    iscsi?.secretRef,
    rbd?.secretRef,
    scaleIO?.secretRef,
    storageos?.secretRef,
  ].flatMap((reference) =>
    reference?.name === undefined || reference.name === ""
      ? []
      : [`${reference.namespace || own}/${reference.name}`],
  );
  return { claim: `${own}/${claimRef.name}`, secrets: [...new Set(keys)] };
}

function named(names: readonly (string | undefined)[]): string[] {
  return names.flatMap((name) => (name === undefined || name === "" ? [] : [name]));
}

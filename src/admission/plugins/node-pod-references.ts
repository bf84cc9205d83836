import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { allContainers } from "../../apis/core/pod-spec/containers.js";
import type { PodSpec, Volume } from "../../apis/gen/core-v1.js";
import { podSecretNames } from "./pod-secret-names.js";

/**
 * The API resource that a pod created by a node agent refers to, in Kubernetes' words: such pods must not refer to any. Undefined if
 * there is none.
 */
export function referredResource(spec: PodSpec, level: ApiLevel): string | undefined {
  const isLater = isAtLeast(level, "1.34");
  if ((spec.serviceAccountName ?? "") !== "") return isLater ? "serviceaccounts" : "a service account";
  if (podSecretNames(spec).length > 0) return "secrets";
  if (refersToConfigMaps(spec)) return "configmaps";
  const claims = (spec.resourceClaims ?? []).length > 0 ? "resourceclaims" : undefined;
  if (isLater) return claims ?? firstOf(spec.volumes, byVolume);
  const bundles = isAtLeast(level, "1.29") ? firstOf(spec.volumes, bundlesOf) : undefined;
  return bundles ?? firstOf(spec.volumes, byVolumeBefore) ?? (isAtLeast(level, "1.32") ? claims : undefined);
}

function refersToConfigMaps(spec: PodSpec): boolean {
  return (
    (spec.volumes ?? []).some(
      ({ configMap, projected }) =>
        configMap !== undefined || projected?.sources?.some((source) => source.configMap !== undefined),
    ) ||
    allContainers(spec).some(
      ({ env = [], envFrom = [] }) =>
        envFrom.some(({ configMapRef }) => configMapRef !== undefined) ||
        env.some(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined),
    )
  );
}

function firstOf(
  volumes: readonly Volume[] = [],
  referredBy: (volume: Volume) => string | undefined,
): string | undefined {
  for (const volume of volumes) {
    const referred = referredBy(volume);
    if (referred !== undefined) return referred;
  }
  return undefined;
}

/** Secrets and config maps are found before. */
function byVolume(volume: Volume): string | undefined {
  const { csi, glusterfs, persistentVolumeClaim, ephemeral, projected } = volume;
  if (csi !== undefined) return "csidrivers (via CSI volumes)";
  if (glusterfs !== undefined) return "endpoints (via glusterFS volumes)";
  if (persistentVolumeClaim !== undefined) return "persistentvolumeclaims";
  if (ephemeral !== undefined) return "persistentvolumeclaims (via ephemeral volumes)";
  for (const source of projected?.sources ?? []) {
    if (source.serviceAccountToken !== undefined) return "serviceaccounts (via projected volumes)";
    if (source.clusterTrustBundle !== undefined) return "clustertrustbundles";
    if (source.podCertificate !== undefined) return "podcertificates";
  }
  return undefined;
}

function bundlesOf({ projected }: Volume): string | undefined {
  const refers = projected?.sources?.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined);
  return refers === true ? "clustertrustbundles" : undefined;
}

function byVolumeBefore({ persistentVolumeClaim, projected }: Volume): string | undefined {
  if (projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    return "serviceaccounttokens";
  }
  return persistentVolumeClaim === undefined ? undefined : "persistentvolumeclaims";
}

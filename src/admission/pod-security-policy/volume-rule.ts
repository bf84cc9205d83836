import { addToList } from "../../apimachinery/collections/groups.js";
import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { placedContainers } from "../../apis/core/pod-spec/containers.js";
import type { HostPathVolumeSource, Pod, ProjectedVolumeSource, Volume } from "../../apis/gen/core-v1.js";
import type { AllowedHostPath, PodSecurityPolicySpec } from "../../apis/gen/policy-v1beta1.js";
import type { Naming } from "../../naming/naming.js";
import { onDemand } from "../../telemetry/on-demand.js";
import type { PodRule } from "./rules.js";

type VolumeFields = Pick<
  PodSecurityPolicySpec,
  "volumes" | "allowedHostPaths" | "allowedFlexVolumes" | "allowedCSIDrivers"
>;

const path = FieldPath.of("spec", "volumes");

/** Allowed volume types, host paths and drivers. */
export function volumeRule(
  { volumes = [], allowedHostPaths = [], allowedFlexVolumes = [], allowedCSIDrivers = [] }: VolumeFields,
  { rootCaConfigMapName }: Naming,
): PodRule {
  const allowed = new Set(volumes);
  const flexDrivers = new Set(allowedFlexVolumes.map(({ driver }) => driver));
  const csiDrivers = new Set(allowedCSIDrivers.map(({ name }) => name));

  const isAllowed = (kind: string, { projected }: Volume): boolean =>
    allowed.has("*") ||
    allowed.has(kind) ||
    // Service account tokens were secrets before they were projected.
    (allowed.has("secret") &&
      projected !== undefined &&
      isServiceAccountToken(projected, rootCaConfigMapName));

  return {
    problems(pod) {
      const mounts = onDemand(() => writableMounts(pod));
      return (pod.spec.volumes ?? []).flatMap((volume, index): readonly FieldError[] => {
        const at = path.index(index);
        const kind = kindOf(volume);
        if (kind === undefined) {
          return [invalid(at, "", `unknown volume type for volume: ${JSON.stringify(volume)}`)];
        }
        if (!isAllowed(kind, volume))
          return [invalid(at, kind, `${kind} volumes are not allowed to be used`)];
        const { name, hostPath, flexVolume, csi } = volume;
        if (hostPath !== undefined && allowedHostPaths.length > 0) {
          return hostPathErrors(hostPath, allowedHostPaths, at, () => mounts().get(name) ?? []);
        }
        if (flexVolume !== undefined && lacks(flexDrivers, flexVolume.driver)) {
          return [
            invalid(at.child("driver"), flexVolume.driver, "Flexvolume driver is not allowed to be used"),
          ];
        }
        if (csi !== undefined && lacks(csiDrivers, csi.driver)) {
          const what = "Inline CSI driver is not allowed to be used";
          return [invalid(at.child("csi", "driver"), csi.driver, what)];
        }
        return [];
      });
    },
  };
}

/** An empty set allows all. */
function lacks(allowed: ReadonlySet<string>, driver: string): boolean {
  return allowed.size > 0 && !allowed.has(driver);
}

/** `writable`: the `readOnly` fields of its writable mounts. */
function hostPathErrors(
  { path: hostPath }: HostPathVolumeSource,
  allowed: readonly AllowedHostPath[],
  at: FieldPath,
  writable: () => readonly FieldPath[],
): readonly FieldError[] {
  switch (hostPathAccess(hostPath, allowed)) {
    case "none":
      return [invalid(at.child("hostPath", "pathPrefix"), hostPath, "is not allowed to be used")];
    case "write":
      return [];
    case "read":
      return writable().map((mount) => invalid(mount, false, "must be read-only"));
  }
}

/** The volume type as policies name it: the field of the source, except for `cephFS`. */
function kindOf({ name: _name, ...sources }: Volume): string | undefined {
  const kind = Object.entries(sources).find(([, source]) => source !== undefined)?.[0];
  return kind === "cephfs" ? "cephFS" : kind;
}

/** Whether it projects only what the plugin ServiceAccount adds to pods. */
function isServiceAccountToken({ sources = [] }: ProjectedVolumeSource, rootCa: string): boolean {
  return sources.every(({ secret, serviceAccountToken, configMap, downwardAPI }) => {
    if (serviceAccountToken === undefined && configMap === undefined && downwardAPI === undefined)
      return false;
    if (secret !== undefined) return false;
    return (
      (serviceAccountToken === undefined ||
        (serviceAccountToken.path === "token" && (serviceAccountToken.audience ?? "") === "")) &&
      (configMap === undefined || configMap.name === rootCa) &&
      (downwardAPI?.items ?? []).every(
        (item) =>
          item.path === "namespace" &&
          item.fieldRef?.apiVersion === "v1" &&
          item.fieldRef.fieldPath === "metadata.namespace",
      )
    );
  });
}

/** A path is writable if any matching prefix allows it. */
function hostPathAccess(hostPath: string, allowed: readonly AllowedHostPath[]): "none" | "read" | "write" {
  const matching = allowed.filter(({ pathPrefix = "" }) => isBelow(hostPath, pathPrefix));
  if (matching.length === 0) return "none";
  return matching.some(({ readOnly }) => readOnly !== true) ? "write" : "read";
}

/** `/foo` is below `/foo` and `/`, but not below `/fo`. */
function isBelow(hostPath: string, prefix: string): boolean {
  const [given, wanted] = [withoutSlash(hostPath), withoutSlash(prefix)];
  return given === wanted || given.startsWith(`${wanted}/`);
}

function withoutSlash(text: string): string {
  return text.endsWith("/") ? text.slice(0, -1) : text;
}

/** Paths of the `readOnly` fields of writable mounts, by volume. */
type WritableMounts = ReadonlyMap<string, readonly FieldPath[]>;

function writableMounts({ spec }: Pod): WritableMounts {
  const found = new Map<string, FieldPath[]>();
  for (const { container, path: at } of placedContainers(spec, FieldPath.of("spec"))) {
    for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
      if (mount.readOnly === true) continue;
      const field = at.child("volumeMounts").index(index).child("readOnly");
      addToList(found, mount.name, field);
    }
  }
  return found;
}

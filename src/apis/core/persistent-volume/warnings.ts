import { append } from "../../../apimachinery/collections/append.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PersistentVolume } from "../../gen/core-v1.js";
import { nodeSelectorTermWarnings } from "../pod-spec/node-label-warnings.js";

/** Field, first level, words, and what Kubernetes calls the field where that differs. */
const plugins = [
  ["cephfs", "1.28", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "1.28", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "1.28", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "1.28", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["glusterfs", "1.28", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "1.28", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

/** Warns of what is deprecated: labels, the annotation that came before the field, recycling, plugins. */
export function volumeWarnings(
  { level, naming }: ApiContext,
  { metadata, spec }: PersistentVolume,
): string[] {
  const warnings: string[] = [];
  const path = FieldPath.of("spec");
  const annotation = `volume.beta.${naming.domain}/storage-class`;
  if (isAtLeast(level, "1.27") && metadata.annotations?.[annotation] !== undefined) {
    const at = FieldPath.of("metadata", "annotations").key(annotation);
    warnings.push(`${at}: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  if (isAtLeast(level, "1.27") && spec.persistentVolumeReclaimPolicy === "Recycle") {
    warnings.push(
      `${path.child("persistentVolumeReclaimPolicy")}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`,
    );
  }
  const termsPath = path.child("nodeAffinity", "required", "nodeSelectorTerms");
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    append(warnings, nodeSelectorTermWarnings(term, termsPath.index(index), naming));
  }
  for (const [source, since, message, name = source] of plugins) {
    if (spec[source] !== undefined && isAtLeast(level, since))
      warnings.push(`${path.child(name)}: ${message}`);
  }
  return warnings;
}

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

/** What follows the domain, first level, and words. */
const annotations = [
  ["storage-class", "1.28", 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ["mount-options", "1.31", 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Warns of what is deprecated: labels, annotations that came before their fields, recycling, plugins. */
export function volumeWarnings(
  { level, naming }: ApiContext,
  { metadata, spec }: PersistentVolume,
): string[] {
  const warnings: string[] = [];
  const path = FieldPath.of("spec");
  for (const [suffix, since, message] of annotations) {
    const annotation = `volume.beta.${naming.domain}/${suffix}`;
    if (metadata.annotations?.[annotation] === undefined || !isAtLeast(level, since)) continue;
    warnings.push(`${FieldPath.of("metadata", "annotations").key(annotation)}: ${message}`);
  }
  if (isAtLeast(level, "1.30") && spec.persistentVolumeReclaimPolicy === "Recycle") {
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

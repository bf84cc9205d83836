import { append } from "../../../apimachinery/collections/append.js";
import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isValidLabelValue } from "../../../apimachinery/validation/qualified-name.js";
import type { Naming } from "../../../naming/naming.js";
import { nodeLabelDeprecation } from "../../checks/node-label-deprecation.js";
import type { NodeSelectorTerm, PodSpec } from "../../gen/core-v1.js";

export const noSelectorMessage = "a null labelSelector results in matching no pod";

/** Warnings for the labels of one node selector term, and for its values where validation does not check them. */
export function nodeSelectorTermWarnings(
  term: NodeSelectorTerm,
  path: FieldPath,
  naming: Naming,
  { ofValues = false } = {},
): string[] {
  const warnings: string[] = [];
  for (const [index, { key, values = [] }] of (term.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    const message = nodeLabelDeprecation(key, naming);
    if (message !== undefined) warnings.push(`${at.child("key")}: ${key} is ${message}`);
    for (const [place, value] of ofValues ? values.entries() : []) {
      for (const problem of isValidLabelValue(value)) {
        warnings.push(`${at.child("values").index(place)}: ${value} is invalid, ${problem}`);
      }
    }
  }
  return warnings;
}

/** Warns of deprecated node labels by which a pod chooses its node, and of choices that match nothing. */
export function nodeLabelWarnings(
  spec: PodSpec,
  path: FieldPath,
  { naming, level }: { readonly naming: Naming; readonly level: ApiLevel },
): string[] {
  const warnings = Object.keys(spec.nodeSelector ?? {}).flatMap((label) => {
    const message = nodeLabelDeprecation(label, naming);
    return message === undefined ? [] : [`${path.child("nodeSelector").key(label)}: ${message}`];
  });
  const affinity = spec.affinity?.nodeAffinity;
  const affinityPath = path.child("affinity", "nodeAffinity");
  const hard = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const hardPath = affinityPath.child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  for (const [index, term] of hard.entries()) {
    append(warnings, nodeSelectorTermWarnings(term, hardPath.index(index), naming));
  }
  const soft = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const softPath = affinityPath.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (const [index, { preference }] of soft.entries()) {
    const at = softPath.index(index).child("preference");
    append(
      warnings,
      nodeSelectorTermWarnings(preference, at, naming, { ofValues: isAtLeast(level, "1.33") }),
    );
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const message = nodeLabelDeprecation(topologyKey, naming);
    const at = path.child("topologySpreadConstraints").index(index);
    if (message !== undefined) warnings.push(`${at.child("topologyKey")}: ${topologyKey} is ${message}`);
    if (labelSelector === undefined && isAtLeast(level, "1.28")) {
      warnings.push(`${at.child("labelSelector")}: ${noSelectorMessage}`);
    }
  }
  return warnings;
}

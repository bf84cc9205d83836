import { append } from "../../../apimachinery/collections/append.js";
import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { Naming } from "../../../naming/naming.js";
import { nodeLabelDeprecation } from "../../checks/node-label-deprecation.js";
import type { NodeSelectorTerm, PodSpec } from "../../gen/core-v1.js";

/** Labels in one term of a node selector. */
export function nodeSelectorTermWarnings(term: NodeSelectorTerm, path: FieldPath, naming: Naming): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key }, index) => {
    const message = nodeLabelDeprecation(key, naming);
    const at = path.child("matchExpressions").index(index).child("key");
    return message === undefined ? [] : [`${at}: ${key} is ${message}`];
  });
}

/** Warns of deprecated node labels by which a pod chooses its node. */
export function nodeLabelWarnings(spec: PodSpec, path: FieldPath, naming: Naming): string[] {
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
    append(warnings, nodeSelectorTermWarnings(preference, at, naming));
  }
  for (const [index, { topologyKey }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const message = nodeLabelDeprecation(topologyKey, naming);
    const at = path.child("topologySpreadConstraints").index(index).child("topologyKey");
    if (message !== undefined) warnings.push(`${at}: ${topologyKey} is ${message}`);
  }
  return warnings;
}

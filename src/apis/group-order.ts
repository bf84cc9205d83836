import type { Naming } from "../naming/naming.js";

/** Stems of the built-in groups in the order of discovery, each with its versions, the preferred one first. */
const order: readonly (readonly [stem: string, versions: readonly string[]])[] = [
  ["apiregistration", ["v1"]],
  ["", ["v1"]],
  ["apps", ["v1"]],
  ["events", ["v1", "v1beta1"]],
  ["authentication", ["v1"]],
  ["authorization", ["v1"]],
  ["autoscaling", ["v2", "v1", "v2beta1", "v2beta2"]],
  ["batch", ["v1", "v1beta1"]],
  ["certificates", ["v1"]],
  ["networking", ["v1"]],
  ["policy", ["v1", "v1beta1"]],
  ["rbac.authorization", ["v1"]],
  ["storage", ["v1", "v1beta1", "v1alpha1"]],
  ["admissionregistration", ["v1"]],
  ["apiextensions", ["v1"]],
  ["scheduling", ["v1"]],
  ["coordination", ["v1"]],
  ["node", ["v1", "v1beta1", "v1alpha1"]],
  ["discovery", ["v1", "v1beta1"]],
  ["flowcontrol.apiserver", ["v1beta2", "v1beta1"]],
  ["internal.apiserver", ["v1alpha1"]],
];

export interface GroupVersions {
  /** In the profile's words; empty for core. */
  readonly group: string;
  readonly versions: readonly string[];
}

export function groupOrder(naming: Naming): readonly GroupVersions[] {
  return order.map(([stem, versions]) => ({ group: naming.group(stem), versions }));
}

import type { Naming } from "../naming/naming.js";

interface GroupOrder {
  /** Neutral name of the group. */
  readonly stem: string;
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly (readonly [name: string, priority: number])[];
}

/**
 * In the order of discovery. The registration group comes first whatever its priority, which has no meaning: it cannot be
 * served by anyone else.
 */
const order: readonly GroupOrder[] = [
  { stem: "apiregistration", priority: 20_000, versions: [["v1", 18]] },
  { stem: "", priority: 18_000, versions: [["v1", 1]] },
  { stem: "apps", priority: 17_800, versions: [["v1", 15]] },
  {
    stem: "events",
    priority: 17_750,
    versions: [
      ["v1", 15],
      ["v1beta1", 5],
    ],
  },
  { stem: "authentication", priority: 17_700, versions: [["v1", 15]] },
  { stem: "authorization", priority: 17_600, versions: [["v1", 15]] },
  {
    stem: "autoscaling",
    priority: 17_500,
    versions: [
      ["v2", 30],
      ["v1", 15],
      ["v2beta1", 9],
      ["v2beta2", 1],
    ],
  },
  {
    stem: "batch",
    priority: 17_400,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
    ],
  },
  { stem: "certificates", priority: 17_300, versions: [["v1", 15]] },
  { stem: "networking", priority: 17_200, versions: [["v1", 15]] },
  {
    stem: "policy",
    priority: 17_100,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
    ],
  },
  { stem: "rbac.authorization", priority: 17_000, versions: [["v1", 15]] },
  {
    stem: "storage",
    priority: 16_800,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
      ["v1alpha1", 1],
    ],
  },
  { stem: "admissionregistration", priority: 16_700, versions: [["v1", 15]] },
  { stem: "apiextensions", priority: 16_700, versions: [["v1", 15]] },
  { stem: "scheduling", priority: 16_600, versions: [["v1", 15]] },
  { stem: "coordination", priority: 16_500, versions: [["v1", 15]] },
  {
    stem: "node",
    priority: 16_300,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
      ["v1alpha1", 1],
    ],
  },
  {
    stem: "discovery",
    priority: 16_200,
    versions: [
      ["v1", 15],
      ["v1beta1", 12],
    ],
  },
  {
    stem: "flowcontrol.apiserver",
    priority: 16_100,
    versions: [
      ["v1beta2", 15],
      ["v1beta1", 12],
      // Not of 1.23, whose clients expect the order of the others.
      ["v1", 9],
    ],
  },
  { stem: "internal.apiserver", priority: 16_000, versions: [["v1alpha1", 9]] },
];

export interface GroupVersions {
  /** In the profile's words; empty for core. */
  readonly group: string;
  /** Above zero; groups of other API services are sorted in by theirs. */
  readonly groupPriorityMinimum: number;
  /** Names, the preferred one first. */
  readonly versions: readonly string[];
  /** By name. */
  readonly versionPriorities: ReadonlyMap<string, number>;
}

export function groupOrder(naming: Naming): readonly GroupVersions[] {
  return order.map(({ stem, priority, versions }) => ({
    group: naming.group(stem),
    groupPriorityMinimum: priority,
    versions: versions.map(([name]) => name),
    versionPriorities: new Map(versions),
  }));
}

import { type ApiLevel, isAtLeast } from "../apimachinery/levels/api-level.js";
import type { Naming } from "../naming/naming.js";

interface GroupOrder {
  /** Neutral name of the group. */
  readonly stem: string;
  readonly priority: number | PriorityByLevel;
  /** The versions of all levels; the preferred one first. */
  readonly versions: readonly (readonly [name: string, priority: number | PriorityByLevel])[];
}

interface PriorityByLevel {
  readonly since: ApiLevel;
  readonly priority: number;
  /** The priority at levels before `since`. */
  readonly before: number;
}

/**
 * In the order of discovery. The registration group comes first; its priority has no effect, because no extension server can serve it.
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
  {
    stem: "authentication",
    priority: 17_700,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
      ["v1alpha1", 1],
    ],
  },
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
  {
    stem: "certificates",
    priority: 17_300,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
      ["v1alpha1", 1],
    ],
  },
  {
    stem: "networking",
    priority: 17_200,
    versions: [
      ["v1", 15],
      ["v1beta1", 9],
      ["v1alpha1", 1],
    ],
  },
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
  {
    stem: "admissionregistration",
    priority: 16_700,
    versions: [
      ["v1", 15],
      ["v1beta1", 12],
      ["v1alpha1", 9],
    ],
  },
  { stem: "apiextensions", priority: 16_700, versions: [["v1", 15]] },
  {
    stem: "scheduling",
    priority: 16_600,
    versions: [
      ["v1", 15],
      ["v1alpha2", 1],
      ["v1alpha1", 1],
    ],
  },
  {
    stem: "coordination",
    priority: 16_500,
    versions: [
      ["v1", 15],
      ["v1beta1", 13],
      ["v1alpha2", 12],
      ["v1alpha1", 9],
    ],
  },
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
    stem: "resource",
    priority: { since: "1.32", priority: 16_200, before: 15_900 },
    versions: [
      ["v1", 21],
      ["v1beta2", 15],
      ["v1beta1", 9],
      ["v1alpha3", { since: "1.32", priority: 1, before: 9 }],
      ["v1alpha2", 9],
      ["v1alpha1", 9],
    ],
  },
  {
    stem: "flowcontrol.apiserver",
    priority: 16_100,
    versions: [
      // Not in Kubernetes 1.23. Newer clients may use it there, while older ones expect the order of the older versions.
      ["v1", { since: "1.24", priority: 21, before: 9 }],
      ["v1beta3", 18],
      ["v1beta2", 15],
      ["v1beta1", 12],
    ],
  },
  { stem: "internal.apiserver", priority: 16_000, versions: [["v1alpha1", 9]] },
  {
    stem: "storagemigration",
    priority: 15_800,
    versions: [
      ["v1beta1", 9],
      ["v1alpha1", 9],
    ],
  },
];

export interface GroupVersions {
  /** The group's name in the profile; empty for core. */
  readonly group: string;
  /** Above zero. API services of other groups are sorted in by their own priority. */
  readonly groupPriorityMinimum: number;
  /** Names of the versions that some level has, the preferred one first. */
  readonly versions: readonly string[];
  /** The priority of each version by its name. */
  readonly versionPriorities: ReadonlyMap<string, number>;
}

/** The groups that some level has, in the order of `level`. */
export function groupOrder(naming: Naming, level: ApiLevel): readonly GroupVersions[] {
  return order
    .map(({ stem, priority, versions }): GroupVersions => {
      const priorities = versions.map(([name, given]) => [name, priorityAt(given, level)] as const);
      return {
        group: naming.group(stem),
        groupPriorityMinimum: priorityAt(priority, level),
        versions: [...priorities].sort(([, a], [, b]) => b - a).map(([name]) => name),
        versionPriorities: new Map(priorities),
      };
    })
    .sort((a, b) => b.groupPriorityMinimum - a.groupPriorityMinimum);
}

function priorityAt(given: number | PriorityByLevel, level: ApiLevel): number {
  if (typeof given === "number") return given;
  return isAtLeast(level, given.since) ? given.priority : given.before;
}

/** Highest priority of user-defined classes; the range above is reserved for the system. */
export const userPriorityMax = 1_000_000_000;

const systemPriority = 2 * userPriorityMax;

export interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/** Created by the server at start; no other name may begin with `system-`. */
export const systemPriorityClasses: readonly SystemPriorityClass[] = [
  {
    name: "system-node-critical",
    value: systemPriority + 1000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    name: "system-cluster-critical",
    value: systemPriority,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
];

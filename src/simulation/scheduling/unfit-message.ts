import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { reasonText, type UnfitReasons } from "./unfit-reason.js";

/** Why a pod fits on no node, in the words of Kubernetes' scheduler. */
export interface Unfit {
  readonly level: ApiLevel;
  /** How many nodes there are. */
  readonly nodes: number;
  /** What the pod lacks on each node. */
  readonly reasons: Iterable<UnfitReasons>;
  readonly preemption: PreemptionOutcome;
}

/** What came of the search for less important pods that could leave. */
export type PreemptionOutcome =
  | { readonly kind: "nominated"; readonly node: string }
  | { readonly kind: "not-eligible"; readonly because: keyof typeof ineligibilities }
  /** For each node, why it would not help. */
  | { readonly kind: "helpless"; readonly reasons: Iterable<Obstacles> };

const ineligibilities = {
  policy: "not eligible due to preemptionPolicy=Never.",
  terminatingPod: "not eligible due to a terminating pod on the nominated node.",
} as const;

/** Why preemption on a node would not help: what the pod would still lack, or one of the reasons for the whole node. */
export type Obstacles = UnfitReasons | "notHelpful" | "noVictims";

const obstacleTexts = {
  notHelpful: "Preemption is not helpful for scheduling",
  noVictims: "No preemption victims found for incoming pod",
} as const;

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`, and from 1.24 on what preemption could do. */
export function unfitMessage({ level, nodes, reasons, preemption }: Unfit): string {
  const message = availability(nodes, counted(reasons, level));
  if (!isAtLeast(level, "1.24") || preemption.kind === "nominated") return message;
  const claims = isAtLeast(level, "1.34") ? "no new claims to deallocate, " : "";
  const outcome =
    preemption.kind === "not-eligible"
      ? ineligibilities[preemption.because]
      : availability(nodes, counted(preemption.reasons, level));
  return `${message} ${claims}${ofPreemption(level, outcome)}`;
}

/** The message about a pod whose volumes keep it from every node. */
export function unplaceableMessage(level: ApiLevel, nodes: number, problem: string): string {
  const message = availability(nodes, isAtLeast(level, "1.26") ? problem : `${nodes} ${problem}`);
  if (!isAtLeast(level, "1.24")) return message;
  if (isAtLeast(level, "1.34")) return `${message} not found`;
  return `${message} ${ofPreemption(level, availability(nodes, `${nodes} ${obstacleTexts.notHelpful}`))}`;
}

/** From 1.26 to 1.28, the scheduler added a second full stop. */
function ofPreemption(level: ApiLevel, outcome: string): string {
  const isStoppedTwice = isAtLeast(level, "1.26") && !isAtLeast(level, "1.29");
  return `preemption: ${outcome}${isStoppedTwice ? "." : ""}`;
}

function availability(nodes: number, problem: string): string {
  return `0/${nodes} nodes are available: ${problem}.`;
}

function counted(ofNodes: Iterable<Obstacles>, level: ApiLevel): string {
  const counts = new Map<string, number>();
  for (const obstacles of ofNodes) {
    for (const text of textsOf(obstacles, level)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(", ");
}

function textsOf(obstacles: Obstacles, level: ApiLevel): readonly string[] {
  if (typeof obstacles === "string") return [obstacleTexts[obstacles]];
  return obstacles.map((reason) => reasonText(reason, level));
}

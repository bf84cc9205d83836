import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

/** Why a pod fits on no node, in the words of Kubernetes' scheduler. */
export interface Unfit {
  readonly level: ApiLevel;
  /** How many nodes there are. */
  readonly nodes: number;
  /** For each node, or for those that preemption cannot help: what the pod lacks there. */
  readonly reasons: Iterable<readonly string[]>;
  readonly preemption: PreemptionOutcome;
}

/** What came of the search for less important pods that could leave. */
export type PreemptionOutcome =
  | { readonly kind: "nominated"; readonly node: string }
  | { readonly kind: "not-eligible"; readonly reason: string }
  /** For each node, why it would not help. */
  | { readonly kind: "helpless"; readonly reasons: Iterable<readonly string[]> };

export const notHelpful: readonly string[] = ["Preemption is not helpful for scheduling"];
export const noVictims: readonly string[] = ["No preemption victims found for incoming pod"];

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`, and from 1.24 on what preemption could do. */
export function unfitMessage({ level, nodes, reasons, preemption }: Unfit): string {
  const message = availability(nodes, counted(reasons));
  if (!isAtLeast(level, "1.24") || preemption.kind === "nominated") return message;
  const claims = isAtLeast(level, "1.34") ? "no new claims to deallocate, " : "";
  const outcome =
    preemption.kind === "not-eligible" ? preemption.reason : availability(nodes, counted(preemption.reasons));
  return `${message} ${claims}${ofPreemption(level, outcome)}`;
}

/** The message about a pod whose volumes keep it from every node. */
export function unplaceableMessage(level: ApiLevel, nodes: number, problem: string): string {
  const message = availability(nodes, isAtLeast(level, "1.26") ? problem : `${nodes} ${problem}`);
  if (!isAtLeast(level, "1.24")) return message;
  if (isAtLeast(level, "1.34")) return `${message} not found`;
  return `${message} ${ofPreemption(level, availability(nodes, `${nodes} ${notHelpful.join()}`))}`;
}

/** From 1.26 to 1.28, the scheduler put a full stop behind the one that is there. */
function ofPreemption(level: ApiLevel, outcome: string): string {
  const isStoppedTwice = isAtLeast(level, "1.26") && !isAtLeast(level, "1.29");
  return `preemption: ${outcome}${isStoppedTwice ? "." : ""}`;
}

function availability(nodes: number, problem: string): string {
  return `0/${nodes} nodes are available: ${problem}.`;
}

function counted(reasons: Iterable<readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const each of reasons) {
    for (const reason of each) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(", ");
}

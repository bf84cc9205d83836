import type { PodView } from "../pods/pod-view.js";

/** What a rollout needs to know of a daemon set and its pods. */
export interface DaemonRules {
  /** How many nodes may be without an available pod, and how many may have two pods meanwhile; one of them is not 0. */
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  readonly isUpdated: (pod: PodView) => boolean;
  readonly isAvailable: (pod: PodView) => boolean;
}

export interface NodePods {
  readonly node: string;
  readonly pods: readonly PodView[];
}

/** The outdated pods to delete now, and the nodes that get an updated pod beside the outdated one. */
export interface RolloutStep {
  readonly outdated: readonly PodView[];
  readonly surge: readonly string[];
}

/** The next step of a rollout, for all nodes that should have a pod. Source: Kubernetes' `rollingUpdate` of daemon sets. */
export function rolloutStep(nodes: readonly NodePods[], rules: DaemonRules): RolloutStep {
  return rules.maxSurge > 0 ? surgingStep(nodes, rules) : replacingStep(nodes, rules);
}

/** Deletes outdated pods first: unavailable ones at once, and as many others as may be missing. */
function replacingStep(nodes: readonly NodePods[], rules: DaemonRules): RolloutStep {
  const unavailable: PodView[] = [];
  const available: PodView[] = [];
  let missing = 0;
  for (const { pods } of nodes) {
    const { updated, outdated, isClear } = divide(pods, rules);
    if (isClear && updated === undefined && outdated !== undefined) {
      if (rules.isAvailable(outdated)) {
        available.push(outdated);
        continue;
      }
      unavailable.push(outdated);
    } else if (isClear && outdated === undefined && updated !== undefined && rules.isAvailable(updated)) {
      continue;
    }
    missing++;
  }
  const room = Math.max(0, rules.maxUnavailable - missing);
  return { outdated: [...unavailable, ...available.slice(0, room)], surge: [] };
}

/** Creates updated pods first, and deletes the outdated ones when those are available. */
function surgingStep(nodes: readonly NodePods[], rules: DaemonRules): RolloutStep {
  const replaced: PodView[] = [];
  const urgent: string[] = [];
  const others: string[] = [];
  let surging = 0;
  for (const { node, pods } of nodes) {
    const { updated, outdated, isClear } = divide(pods, rules);
    if (!isClear) surging++;
    else if (outdated === undefined) continue;
    else if (updated === undefined) (rules.isAvailable(outdated) ? others : urgent).push(node);
    else if (rules.isAvailable(updated)) replaced.push(outdated);
    else surging++;
  }
  const room = Math.max(0, rules.maxSurge - surging);
  return { outdated: replaced, surge: [...urgent, ...others.slice(0, room)] };
}

/** Undecided: several pods of one generation, of which the daemon set first deletes all but one. */
function divide(pods: readonly PodView[], { isUpdated }: DaemonRules) {
  const alive = pods.filter(({ isTerminating }) => !isTerminating);
  const [updated, ...moreUpdated] = alive.filter(isUpdated);
  const [outdated, ...moreOutdated] = alive.filter((pod) => !isUpdated(pod));
  return { updated, outdated, isClear: moreUpdated.length === 0 && moreOutdated.length === 0 };
}

/**
 * The running pods of a node that are too many: all but the oldest, or with a surge all but the oldest outdated one while it is ready and the
 * oldest updated one is not yet available. `oldestFirst` are ordered.
 */
export function surplusPods(oldestFirst: readonly PodView[], rules: DaemonRules): readonly PodView[] {
  if (rules.maxSurge === 0 || oldestFirst.length <= 1) return oldestFirst.slice(1);
  const updated = oldestFirst.find(rules.isUpdated);
  const outdated = oldestFirst.find((pod) => !rules.isUpdated(pod));
  const mayStay =
    outdated !== undefined && (updated === undefined || (outdated.isReady && !rules.isAvailable(updated)));
  return oldestFirst.filter((pod) => pod !== updated && !(mayStay && pod === outdated));
}

/** Pods that have a node come first, then the oldest. */
export function byAge(a: PodView, b: PodView): number {
  if (a.isScheduled !== b.isScheduled) return a.isScheduled ? -1 : 1;
  return a.createdAt.localeCompare(b.createdAt) || (a.name < b.name ? -1 : 1);
}

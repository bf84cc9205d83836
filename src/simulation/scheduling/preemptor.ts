import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";
import { type Filter, isResolvable } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import type { Nominations } from "./nominations.js";
import { findPreemption } from "./preemption.js";
import type { SchedulerWrites } from "./scheduler-writes.js";

/** Makes room for pods that fit nowhere by removing less important ones. */
export class Preemptor {
  readonly #cluster: Cluster;
  readonly #nominations: Nominations;
  readonly #writes: SchedulerWrites;

  constructor(cluster: Cluster, nominations: Nominations, writes: SchedulerWrites) {
    this.#cluster = cluster;
    this.#nominations = nominations;
    this.#writes = writes;
  }

  /** The node where room is being made, if any. `failed`: why each node does not fit. */
  makeRoom(
    pod: PodView,
    failed: ReadonlyMap<NodeLoad, readonly string[]>,
    filters: readonly Filter[],
  ): string | undefined {
    const isLesser = ({ priority }: PodView): boolean => priority < pod.priority;
    const candidates = [...failed].flatMap(([node, reasons]) =>
      isResolvable(reasons) && [...node.pods.values()].some(isLesser) ? [node] : [],
    );
    // Victims of an earlier attempt are still leaving.
    const isUnderWay = candidates.some((node) =>
      [...node.pods.values()].some((each) => each.isTerminating && isLesser(each)),
    );
    if (isUnderWay) return this.#nominations.nodeOf(pod.key);
    const found = findPreemption(pod, {
      candidates,
      fitsOtherwise: (node) => filters.every((filter) => filter(node).every(isAmount)),
      violatesBudget: (each) => this.#isProtected(each),
    });
    const name = found?.node.view.name;
    this.#nominations.set(pod, name);
    if (found === undefined || name === undefined) return undefined;
    for (const victim of found.victims) this.#writes.evict(victim, pod, name);
    return name;
  }

  #isProtected(pod: PodView): boolean {
    const budgets = this.#cluster.views.selecting("poddisruptionbudgets.policy");
    for (const { stored, selector } of budgets.find("namespace", pod.namespace)) {
      if (selector.matches(pod.labels) && stored.decode().status.disruptionsAllowed <= 0) return true;
    }
    return false;
  }
}

function isAmount(reason: string): boolean {
  return reason.startsWith("Insufficient ") || reason === "Too many pods" || reason.includes("free ports");
}

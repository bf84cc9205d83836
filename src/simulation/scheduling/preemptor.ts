import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";
import type { Filter, RelationFilter } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import type { Nominations } from "./nominations.js";
import { findPreemption } from "./preemption.js";
import type { SchedulerWrites } from "./scheduler-writes.js";
import type { Obstacles, PreemptionOutcome } from "./unfit-message.js";
import { isOfRoom, isResolvable, type UnfitReasons } from "./unfit-reason.js";

/** The checks of one pod. */
export interface PodFilters {
  readonly ownFilters: readonly Filter[];
  readonly relations: readonly RelationFilter[];
}

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

  /** Removes less important pods where that helps. `failed`: why each node does not fit. */
  makeRoom(
    pod: PodView,
    failed: ReadonlyMap<NodeLoad, UnfitReasons>,
    { ownFilters, relations }: PodFilters,
  ): PreemptionOutcome {
    const isLesser = ({ priority }: PodView): boolean => priority < pod.priority;
    const candidates: NodeLoad[] = [];
    const helpless: Obstacles[] = [];
    for (const [node, reasons] of failed) {
      if (!isResolvable(reasons) || this.#isTooSmall(node, pod)) helpless.push("notHelpful");
      else if ([...node.pods.values()].some(isLesser)) candidates.push(node);
      else helpless.push("noVictims");
    }
    const isUnderWay = candidates.some((node) =>
      [...node.pods.values()].some((each) => each.isTerminating && isLesser(each)),
    );
    if (isUnderWay) {
      return this.#nominations.nodeOf(pod.key) === undefined
        ? { kind: "helpless", reasons: [...helpless, ...candidates.map((): Obstacles => "noVictims")] }
        : { kind: "not-eligible", because: "terminatingPod" };
    }
    const { found, reasons } = findPreemption(pod, {
      candidates,
      otherReasons: (node) =>
        ownFilters.flatMap((filter) => filter(node)).filter((reason) => !isOfRoom(reason)),
      relationReasons: (node, gone) => relations.flatMap((filter) => filter(node, gone)),
      violatesBudget: (each) => this.#isProtected(each),
    });
    const name = found?.node.view.name;
    this.#nominations.set(pod, name);
    if (found === undefined || name === undefined) {
      return { kind: "helpless", reasons: [...helpless, ...reasons] };
    }
    for (const victim of found.victims) this.#writes.evict(victim, pod, name);
    return { kind: "nominated", node: name };
  }

  /** Whether the node could not hold the pod even if it were empty, which the scheduler notices from 1.34 on. */
  #isTooSmall({ view }: NodeLoad, { requests }: PodView): boolean {
    if (!isAtLeast(this.#cluster.context.level, "1.34")) return false;
    return [...requests].some(([resource, amount]) => amount > (view.allocatable.get(resource) ?? 0));
  }

  #isProtected(pod: PodView): boolean {
    const budgets = this.#cluster.views.selecting("poddisruptionbudgets.policy");
    for (const { stored, selector } of budgets.find("namespace", pod.namespace)) {
      if (selector.matches(pod.labels) && stored.decode().status.disruptionsAllowed <= 0) return true;
    }
    return false;
  }
}

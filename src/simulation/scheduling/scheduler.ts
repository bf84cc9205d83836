import { setTimeout } from "node:timers/promises";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { nextTurn, turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { FreeVolumes } from "../volumes/free-volumes.js";
import { referenceTo } from "../volumes/simulated-class.js";
import { nameOf } from "../volumes/suitable-volumes.js";
import { ClusterState } from "./cluster-state.js";
import { type Filter, filtersFor, relationFiltersFor } from "./filters.js";
import type { NodeLoad } from "./node-load.js";
import { Preemptor } from "./preemptor.js";
import { SchedulerWrites, schedulerName } from "./scheduler-writes.js";
import { constraintsOf } from "./scheduling-constraints.js";
import { SchedulingQueue } from "./scheduling-queue.js";
import { scoresFor } from "./scores.js";
import { type PreemptionOutcome, unfitMessage, unplaceableMessage } from "./unfit-message.js";
import { fits, type UnfitReasons } from "./unfit-reason.js";
import { type DelayedClaim, volumeFit } from "./volume-fit.js";

/** Changes in the cluster within this time cause one further attempt. */
const gatherMs = 20;

/** Assigns pods to nodes. Source: Kubernetes' scheduler with its default plugins. */
export class Scheduler implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #state: ClusterState;
  readonly #queue: SchedulingQueue;
  readonly #writes: SchedulerWrites;
  readonly #preemptor: Preemptor;
  readonly #free = new FreeVolumes();
  readonly #leave: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #isGathering = false;
  #stopped = false;
  /** The node of the last pod: among equally good nodes, the next one is chosen. */
  #turn = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#state = new ClusterState(cluster);
    this.#queue = new SchedulingQueue(cluster.context.clock, () => this.#run());
    this.#writes = new SchedulerWrites(cluster);
    this.#preemptor = new Preemptor(cluster, this.#state.nominations, this.#writes);
  }

  start(): void {
    const { views, nodes } = this.#cluster;
    const retry = (): void => this.#retrySoon();
    this.#leave.push(
      nodes.onChange(({ key, value }) => {
        if (value === undefined) this.#state.removeNode(key);
        else this.#state.setNode(value);
        retry();
      }),
      views.pods.onChange(({ key, value, previous }) => {
        const hasLeft = this.#state.setPod(key, value);
        if (hasLeft || (value?.isScheduled === true && previous?.isScheduled !== true)) retry();
        if (value === undefined || value.isScheduled || isFinished(value)) {
          this.#queue.remove(key);
          this.#state.nominations.remove(key);
        } else if (previous?.uid !== value.uid) {
          this.#queue.remove(key);
          if (isOurs(value)) this.#queue.add(key, value.priority);
        } else if (isChanged(previous, value)) this.#queue.retry(key);
      }),
      views.of("persistentvolumeclaims").onChange(retry),
      views.of("persistentvolumes").onChange(({ key }) => {
        this.#noteVolume(key);
        retry();
      }),
      views.of("storageclasses.storage").onChange(retry),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const leave of this.#leave) leave();
    this.#queue.close();
    await this.#running;
    await this.#writes.settled();
  }

  #retrySoon(): void {
    if (this.#stopped || this.#isGathering) return;
    this.#isGathering = true;
    const gathered = this.#cluster.activity.during(async () => {
      await setTimeout(gatherMs);
      this.#isGathering = false;
      if (!this.#stopped) this.#queue.retryAll();
    });
    this.#cluster.context.clock.track(gathered);
  }

  #run(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#cluster.activity
      .during(() => this.#loop())
      .finally(() => {
        this.#running = undefined;
      });
    this.#cluster.context.clock.track(this.#running);
  }

  async #loop(): Promise<void> {
    await nextTurn();
    while (!this.#stopped) {
      const key = this.#queue.take();
      if (key === undefined) return;
      const pod = this.#cluster.views.pods.get(key);
      if (pod === undefined || pod.isScheduled || pod.isTerminating || isFinished(pod)) continue;
      try {
        this.#schedule(pod);
      } catch (error) {
        this.#cluster.context.log.error("a pod could not be scheduled", error);
      }
      await this.#writes.room();
      await turnIfRoundIsOver();
    }
  }

  #schedule(view: PodView): void {
    const pod = view.stored.decode();
    if ((pod.spec.schedulingGates ?? []).length > 0) {
      this.#queue.park(view.key, view.priority);
      return;
    }
    const { nodes } = this.#state;
    const { level } = this.#cluster.context;
    if (nodes.length === 0) {
      this.#refuse(view, "no nodes available to schedule pods");
      return;
    }
    const volumes = volumeFit(this.#cluster, view, this.#free);
    if (volumes.problem !== undefined) {
      this.#refuse(view, unplaceableMessage(level, nodes.length, volumes.problem));
      return;
    }
    const constraints = constraintsOf(view, pod, this.#state.namespaces);
    const ownFilters = filtersFor(constraints, this.#state, volumes.filter, this.#cluster.domain);
    const relations = relationFiltersFor(constraints, this.#state);
    const filters = [...ownFilters, ...relations];
    const reasonsOf = (node: NodeLoad): UnfitReasons => firstReasons(node, filters);
    const failed = new Map<NodeLoad, UnfitReasons>();
    const fitting = nodes.filter((node) => {
      const reasons = reasonsOf(node);
      if (reasons.length > 0) failed.set(node, reasons);
      return reasons.length === 0;
    });
    if (fitting.length === 0) {
      const preemption: PreemptionOutcome =
        pod.spec.preemptionPolicy === "Never"
          ? { kind: "not-eligible", because: "policy" }
          : this.#preemptor.makeRoom(view, failed, { ownFilters, relations });
      const message = unfitMessage({ level, nodes: nodes.length, reasons: failed.values(), preemption });
      this.#refuse(view, message, preemption.kind === "nominated" ? preemption.node : undefined);
      return;
    }
    const score = scoresFor(constraints, fitting, this.#state);
    const node = this.#best(fitting, score);
    const claims = volumes.choose(node);
    if (claims.length > 0) {
      // The pod is placed once its claims are bound.
      this.#queue.park(view.key, view.priority);
      for (const claim of claims) this.#giveVolume(view, claim, node.view.name);
      return;
    }
    this.#state.nominations.remove(view.key);
    this.#state.place(view, node.view.name);
    void this.#bind(view, node.view.name);
  }

  #giveVolume(pod: PodView, { name, volume }: DelayedClaim, nodeName: string): void {
    if (volume === undefined) {
      this.#writes.selectNode(pod, nodeName, name);
      return;
    }
    const claim = this.#cluster.views.of("persistentvolumeclaims").get(`${pod.namespace}/${name}`);
    if (claim === undefined || volume.spec.claimRef?.uid === claim.uid) return;
    // So that the next pod does not choose it too.
    this.#free.set(nameOf(volume), { ...volume, spec: { ...volume.spec, claimRef: referenceTo(claim) } });
    this.#writes.reserve(volume, claim, () => this.#noteVolume(nameOf(volume)));
  }

  #noteVolume(name: string): void {
    this.#free.set(name, this.#cluster.views.of("persistentvolumes").get(name)?.stored.decode());
  }

  async #bind(view: PodView, nodeName: string): Promise<void> {
    const outcome = await this.#writes.bind(view, nodeName);
    if (outcome === "bound") return;
    this.#state.forget(view.key);
    if (outcome === "lost") return;
    this.#queue.park(view.key, view.priority);
    this.#queue.retry(view.key);
  }

  /** Handles a pod that no node fits. */
  #refuse(view: PodView, message: string, nominated?: string): void {
    this.#queue.park(view.key, view.priority);
    this.#writes.refuse(view, message, nominated);
  }

  #best(nodes: readonly NodeLoad[], score: (node: NodeLoad) => number): NodeLoad {
    this.#turn++;
    let best = nodes[this.#turn % nodes.length] as NodeLoad; // not empty
    let bestScore = score(best);
    for (let index = 1; index < nodes.length; index++) {
      const node = nodes[(this.#turn + index) % nodes.length] as NodeLoad;
      const of = score(node);
      if (of > bestScore) [best, bestScore] = [node, of];
    }
    return best;
  }
}

function firstReasons(node: NodeLoad, filters: readonly Filter[]): UnfitReasons {
  for (const filter of filters) {
    const reasons = filter(node);
    if (reasons.length > 0) return reasons;
  }
  return fits;
}

function isOurs({ schedulerName: wanted }: PodView): boolean {
  return wanted === "" || wanted === schedulerName;
}

/** Whether the change of the pod itself may make it fit now. */
function isChanged(before: PodView, after: PodView): boolean {
  if (!isDeepEqual(before.labels, after.labels)) return true;
  return !isDeepEqual(before.stored.decode().spec, after.stored.decode().spec);
}

import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import { nextTurn, turnIfRoundIsOver } from "../../apimachinery/turns/turns.js";
import type { Pod, PodCondition } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { withCondition } from "../pods/conditions.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { ClusterState, type NodeLoad } from "./cluster-state.js";
import { type Filter, filtersFor, isResolvable } from "./filters.js";
import { wishesOf } from "./pod-wishes.js";
import { findPreemption } from "./preemption.js";
import { SchedulingQueue } from "./scheduling-queue.js";
import { scoresFor } from "./scores.js";
import { volumeFit } from "./volume-fit.js";

const schedulerName = "default-scheduler";
/** Bindings that are being written at the same time. */
const bindingsMax = 128;
/** Changes in the cluster that come together are one reason to try again. */
const gatherMs = 20;

/** Gives pods nodes. Source: Kubernetes' scheduler with its default plugins. */
export class Scheduler implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #state: ClusterState;
  readonly #queue: SchedulingQueue;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #leave: (() => void)[] = [];
  readonly #bindings = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Where the last pod went: of equally good nodes, the next one is taken. */
  #turn = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#state = new ClusterState(cluster);
    this.#queue = new SchedulingQueue(cluster.context.clock, () => this.#run());
    this.#writer = cluster.writer(cluster.context.naming.users.scheduler);
    this.#recorder = cluster.recorder(schedulerName);
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
        if (value === undefined || value.isScheduled || isFinished(value)) this.#queue.remove(key);
        else if (previous?.uid !== value.uid) {
          this.#queue.remove(key);
          if (isOurs(value)) this.#queue.add(key, value.priority);
        } else if (isChanged(previous, value)) this.#queue.retry(key);
      }),
      views.of("persistentvolumeclaims").onChange(retry),
      views.of("persistentvolumes").onChange(retry),
      views.of("storageclasses.storage").onChange(retry),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    for (const leave of this.#leave) leave();
    this.#queue.close();
    await this.#running;
    await Promise.all(this.#bindings);
  }

  #retrySoon(): void {
    if (this.#stopped || this.#gathering !== undefined) return;
    const gathered = new Promise<void>((resolve) => {
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        this.#queue.retryAll();
        resolve();
      }, gatherMs);
    });
    this.#cluster.context.clock.track(gathered);
  }

  #run(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#loop().finally(() => {
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
      if (this.#bindings.size >= bindingsMax) await Promise.race(this.#bindings);
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
    if (nodes.length === 0) {
      this.#refuse(view, "no nodes available to schedule pods", undefined);
      return;
    }
    const volumes = volumeFit(this.#cluster, view);
    if (volumes.problem !== undefined) {
      this.#refuse(
        view,
        `0/${nodes.length} nodes are available: ${nodes.length} ${volumes.problem}.`,
        undefined,
      );
      return;
    }
    const wishes = wishesOf(view, pod, this.#state.namespaces);
    const filters = filtersFor(wishes, this.#state, volumes.filter, {
      domain: this.#cluster.domain,
      saysUntolerated: isAtLeast(this.#cluster.context.level, "1.24"),
    });
    const reasonsOf = (node: NodeLoad): readonly string[] => firstReasons(node, filters);
    const failed = new Map<NodeLoad, readonly string[]>();
    const fitting = nodes.filter((node) => {
      const reasons = reasonsOf(node);
      if (reasons.length > 0) failed.set(node, reasons);
      return reasons.length === 0;
    });
    if (fitting.length === 0) {
      const nominated = this.#preempt(view, pod, failed, filters);
      this.#refuse(view, unfitMessage(nodes.length, failed), nominated);
      return;
    }
    const score = scoresFor(wishes, fitting, this.#state);
    const node = this.#best(fitting, score);
    this.#state.place(view, node.view.name);
    if (volumes.delayed.length > 0) void this.#bindVolumes(view, node, volumes.delayed);
    else this.#bind(view, node.view.name);
  }

  #best(nodes: readonly NodeLoad[], score: (node: NodeLoad) => number): NodeLoad {
    this.#turn++;
    let best = nodes[this.#turn % nodes.length] as NodeLoad; // there is one
    let bestScore = score(best);
    for (let index = 1; index < nodes.length; index++) {
      const node = nodes[(this.#turn + index) % nodes.length] as NodeLoad;
      const of = score(node);
      if (of > bestScore) [best, bestScore] = [node, of];
    }
    return best;
  }

  #bind(view: PodView, nodeName: string): void {
    const binding = this.#writeBinding(view, nodeName).finally(() => this.#bindings.delete(binding));
    this.#bindings.add(binding);
    this.#cluster.context.clock.track(binding);
  }

  async #writeBinding(view: PodView, nodeName: string): Promise<void> {
    try {
      const now = this.#cluster.now();
      const bound = await this.#writer.changeFreely("pods", view, (pod) => {
        if ((pod.spec.nodeName ?? "") !== "" || pod.metadata.deletionTimestamp !== undefined) return;
        pod.spec.nodeName = nodeName;
        const condition = { type: "PodScheduled", status: "True" };
        pod.status.conditions = withCondition(pod.status.conditions, condition, now);
      });
      if (bound?.fields["spec.nodeName"] !== nodeName) return this.#state.forget(view.key);
      const message = `Successfully assigned ${view.namespace}/${view.name} to ${nodeName}`;
      this.#recorder.record(subjectOf(view), "Normal", "Scheduled", message);
    } catch (error) {
      this.#state.forget(view.key);
      this.#queue.park(view.key, view.priority);
      this.#queue.retry(view.key);
      this.#cluster.context.log.verbose(
        { level: 2, file: "simulation/scheduling/scheduler" },
        "a pod could not be bound",
        { pod: view.key, reason: String(error) },
      );
    }
  }

  /** Tells who binds volumes which node it is; the pod is placed when they are bound. */
  async #bindVolumes(view: PodView, node: NodeLoad, claims: readonly string[]): Promise<void> {
    const annotation = `volume.${this.#cluster.domain}/selected-node`;
    this.#state.forget(view.key);
    this.#queue.park(view.key, view.priority);
    for (const name of claims) {
      await this.#writer
        .change("persistentvolumeclaims", { namespace: view.namespace, name }, ({ metadata }) => {
          metadata.annotations = { ...metadata.annotations, [annotation]: node.view.name };
        })
        .catch(() => undefined);
    }
  }

  #preempt(
    view: PodView,
    { spec }: Pod,
    failed: ReadonlyMap<NodeLoad, readonly string[]>,
    filters: readonly Filter[],
  ): string | undefined {
    if (spec.preemptionPolicy === "Never") return undefined;
    const candidates = [...failed.keys()].filter((node) => {
      const reasons = failed.get(node) ?? [];
      return (
        isResolvable(reasons) && [...node.pods.values()].some(({ priority }) => priority < view.priority)
      );
    });
    // Victims of an earlier attempt are still leaving.
    if (
      candidates.some((node) =>
        [...node.pods.values()].some((pod) => pod.isTerminating && pod.priority < view.priority),
      )
    ) {
      return undefined;
    }
    const isAmount = (reason: string): boolean =>
      reason.startsWith("Insufficient ") || reason === "Too many pods" || reason.includes("free ports");
    const found = findPreemption(view, {
      candidates,
      fitsOtherwise: (node) => filters.every((filter) => filter(node).every((reason) => isAmount(reason))),
      violatesBudget: (pod) => this.#isProtected(pod),
    });
    if (found === undefined) return undefined;
    for (const victim of found.victims) void this.#evict(victim, view, found.node.view.name);
    return found.node.view.name;
  }

  #isProtected(pod: PodView): boolean {
    for (const { stored } of this.#cluster.views
      .of("poddisruptionbudgets.policy")
      .find("namespace", pod.namespace)) {
      const { spec, status } = stored.decode();
      if (status.disruptionsAllowed > 0) continue;
      if (labelSelectorFromObject(spec.selector).matches(pod.labels)) return true;
    }
    return false;
  }

  async #evict(victim: PodView, by: PodView, nodeName: string): Promise<void> {
    try {
      await this.#writer.delete("pods", victim);
      const message = `Preempted by ${by.namespace}/${by.name} on node ${nodeName}`;
      this.#recorder.record(subjectOf(victim), "Normal", "Preempted", message);
    } catch (error) {
      this.#cluster.context.log.error("a pod could not be preempted", error);
    }
  }

  /** No node fits: says why in an event and in the pod's condition. */
  #refuse(view: PodView, message: string, nominated: string | undefined): void {
    this.#queue.park(view.key, view.priority);
    this.#recorder.record(subjectOf(view), "Warning", "FailedScheduling", message);
    const now = this.#cluster.now();
    const condition: PodCondition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
    };
    const writing = this.#writer
      .changePart("pods", view, ({ spec, status }) => {
        if ((spec.nodeName ?? "") !== "") return;
        status.conditions = withCondition(status.conditions, condition, now);
        if (nominated !== undefined) status.nominatedNodeName = nominated;
      })
      .then(
        () => undefined,
        (error: unknown) => this.#cluster.context.log.error("a pod's condition was not written", error),
      )
      .finally(() => this.#bindings.delete(writing));
    this.#bindings.add(writing);
  }
}

function firstReasons(node: NodeLoad, filters: readonly Filter[]): readonly string[] {
  for (const filter of filters) {
    const reasons = filter(node);
    if (reasons.length > 0) return reasons;
  }
  return [];
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.` */
export function unfitMessage(nodes: number, failed: ReadonlyMap<unknown, readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const reasons of failed.values()) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${texts.join(", ")}.`;
}

function isOurs({ schedulerName: wanted }: PodView): boolean {
  return wanted === "" || wanted === schedulerName;
}

/** Whether it may fit now, for a reason of its own. */
function isChanged(before: PodView, after: PodView): boolean {
  if (!isDeepEqual(before.labels, after.labels)) return true;
  return !isDeepEqual(before.stored.decode().spec, after.stored.decode().spec);
}

function subjectOf({ namespace, name, uid }: PodView) {
  return { apiVersion: "v1", kind: "Pod", namespace, name, uid };
}

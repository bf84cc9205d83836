import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { Node, Taint } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { conditionOf, withCondition } from "../pods/conditions.js";
import type { NodeView } from "../pods/node-view.js";
import { isFinished } from "../pods/pod-view.js";

/** After this long without a report, a node's conditions become Unknown. */
const gracePeriodMs = 40_000;

/** Conditions that keep pods away, each with the status that does so. */
const pressures = [
  ["MemoryPressure", "memory-pressure"],
  ["DiskPressure", "disk-pressure"],
  ["PIDPressure", "pid-pressure"],
  ["NetworkUnavailable", "network-unavailable"],
] as const;

/**
 * Marks nodes as unknown that no longer report, taints nodes by their conditions, and marks the pods there. Source: Kubernetes' node
 * lifecycle controller.
 */
export class NodeLifecycle implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  /** When each silent node last reported. */
  readonly #goneSince = new Map<string, number>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("node-controller");
    this.#recorder = cluster.recorder("node-controller");
    this.#loop = cluster.loop({ name: "node_lifecycle", sync: (name) => this.#sync(name) });
  }

  start(): void {
    this.#loop.fedBy(
      this.#cluster.nodes.onChange(({ key, value }) => {
        if (value?.state === "gone") {
          if (!this.#goneSince.has(key)) this.#goneSince.set(key, this.#cluster.now());
        } else this.#goneSince.delete(key);
        if (value === undefined) this.#loop.forget(key);
        else this.#loop.add(key);
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(name: string): Promise<void> {
    const node = this.#cluster.nodes.get(name);
    if (node === undefined || node.isTerminating) return;
    const since = this.#goneSince.get(name);
    if (since !== undefined && node.ready !== "Unknown") {
      const at = since + gracePeriodMs;
      if (at > this.#cluster.now()) {
        this.#loop.addAt(name, at);
        return;
      }
      await this.#markUnknown(node);
      return;
    }
    await this.#taint(node);
    if (node.ready !== "True" && node.ready !== "") await this.#markPods(node);
  }

  async #markUnknown(node: NodeView): Promise<void> {
    const now = this.#cluster.now();
    const { nodeAgentName } = this.#cluster.context.naming;
    const agent = nodeAgentName.charAt(0).toUpperCase() + nodeAgentName.slice(1);
    await this.#writer.changePart("nodes", node, (object) => {
      for (const condition of object.status.conditions ?? []) {
        object.status.conditions = withCondition(
          object.status.conditions,
          {
            ...condition,
            status: "Unknown",
            reason: "NodeStatusUnknown",
            message: `${agent} stopped posting node status.`,
          },
          now,
        );
      }
    });
    const subject = { apiVersion: "v1", kind: "Node", namespace: "", name: node.name, uid: node.uid };
    this.#recorder.record(subject, "Normal", "NodeNotReady", `Node ${node.name} status is now: NodeNotReady`);
  }

  async #taint(view: NodeView): Promise<void> {
    const { domain } = this.#cluster;
    const now = this.#cluster.now();
    if (isDeepEqual(this.#taintsOf(view.stored.decode(), domain, now), view.taints)) return;
    await this.#writer.change("nodes", view, (node) => {
      const taints = this.#taintsOf(node, domain, now);
      node.spec.taints = taints.length === 0 ? undefined : taints;
    });
  }

  /** The node's taints, with those that its conditions require and without those that they no longer require. */
  #taintsOf({ spec, status }: Node, domain: string, now: number): Taint[] {
    const taints = spec.taints ?? [];
    const ready = conditionOf(status.conditions, "Ready")?.status;
    const key = (name: string): string => `node.${domain}/${name}`;
    const wanted: (readonly [string, string, boolean])[] = [
      [key("not-ready"), "NoSchedule", ready === "False"],
      [key("unreachable"), "NoSchedule", ready === "Unknown"],
      [key("not-ready"), "NoExecute", ready === "False"],
      [key("unreachable"), "NoExecute", ready === "Unknown"],
      [key("unschedulable"), "NoSchedule", spec.unschedulable ?? false],
      ...pressures.map(
        ([type, name]) =>
          [key(name), "NoSchedule", conditionOf(status.conditions, type)?.status === "True"] as const,
      ),
    ];
    // A node that has not reported yet keeps the taint that it was created with.
    const known = ready === undefined ? wanted.slice(4) : wanted;
    const isOurs = (taint: Taint) =>
      known.some(([name, effect]) => taint.key === name && taint.effect === effect);
    const kept = taints.filter((taint) => {
      const rule = known.find(([name, effect]) => taint.key === name && taint.effect === effect);
      return !isOurs(taint) || rule?.[2] === true;
    });
    const added = known.filter(
      ([name, effect, isWanted]) =>
        isWanted && !taints.some((taint) => taint.key === name && taint.effect === effect),
    );
    return [
      ...kept,
      ...added.map(([name, effect]) => ({
        key: name,
        effect,
        ...(effect === "NoExecute" && { timeAdded: timeText(now) }),
      })),
    ];
  }

  /** Marks the pods of a node that is not ready as not ready. */
  async #markPods(node: NodeView): Promise<void> {
    const now = this.#cluster.now();
    for (const pod of [...this.#cluster.views.pods.find("node", node.name)]) {
      if (!pod.isReady || isFinished(pod)) continue;
      await this.#writer.changePart("pods", pod, ({ status }) => {
        const ready = conditionOf(status.conditions, "Ready");
        if (ready === undefined) return;
        status.conditions = withCondition(status.conditions, { ...ready, status: "False" }, now);
      });
      const { namespace, name, uid } = pod;
      const subject = { apiVersion: "v1", kind: "Pod", namespace, name, uid };
      this.#recorder.record(subject, "Warning", "NodeNotReady", "Node is not ready");
    }
  }
}

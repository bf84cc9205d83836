import type { Taint } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { deleteDisrupted } from "../pods/disruption.js";
import type { NodeView } from "../pods/node-view.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { tolerates } from "../pods/tolerations.js";

/**
 * Deletes the pods that a taint drives away, and those of nodes that no longer exist. Source: Kubernetes' taint manager and pod garbage
 * collector.
 */
export class TaintEvictions implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("node-controller");
    this.#recorder = cluster.recorder("taint-controller");
    this.#loop = cluster.loop({ name: "taint_evictions", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { nodes, views } = this.#cluster;
    this.#loop.fedBy(
      nodes.onChange(({ key, value, previous }) => {
        if (value !== undefined && !this.#drives(value) && !this.#drives(previous)) return;
        for (const pod of views.pods.find("node", key)) this.#loop.add(pod.key);
      }),
      views.pods.onChange(({ key, value, previous }) => {
        if (value === undefined) {
          this.#loop.forget(key);
          return;
        }
        const isSame =
          previous?.isScheduled === value.isScheduled && previous.isTerminating === value.isTerminating;
        if (!isSame && this.#concerns(value)) this.#loop.add(key);
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  #concerns({ isScheduled, nodeName }: PodView): boolean {
    if (!isScheduled) return false;
    const node = this.#cluster.nodes.get(nodeName);
    return node === undefined || this.#drives(node);
  }

  #drives(node: NodeView | undefined): boolean {
    return node?.taints.some((taint) => taint.effect === "NoExecute" || this.#isOutOfService(taint)) ?? false;
  }

  #isOutOfService({ key }: Taint): boolean {
    return key === `node.${this.#cluster.domain}/out-of-service`;
  }

  /** Whether an administrator has marked a node out of service: its kubelet will not end its pods. */
  #isLost({ ready, taints }: NodeView): boolean {
    const isFollowed = this.#cluster.context.isEnabled("NodeOutOfServiceVolumeDetach");
    return isFollowed && ready !== "True" && taints.some((taint) => this.#isOutOfService(taint));
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#cluster.views.pods.get(key);
    if (pod === undefined || !pod.isScheduled) return;
    const node = this.#cluster.nodes.get(pod.nodeName);
    const parts = { cluster: this.#cluster, writer: this.#writer };
    if (node === undefined) {
      const [reason, message] = ["DeletionByPodGC", "PodGC: node no longer exists"];
      await deleteDisrupted(parts, pod, { reason, message, isLost: true });
      return;
    }
    if (pod.isTerminating && this.#isLost(node)) {
      await deleteDisrupted(parts, pod, { isLost: true });
      return;
    }
    if (pod.isTerminating || isFinished(pod)) return;
    const at = this.#leavesAt(pod, node);
    this.#loop.forget(key);
    if (at === undefined) return;
    if (at > this.#cluster.now()) {
      this.#loop.addAt(key, at);
      return;
    }
    const { namespace, name, uid } = pod;
    const subject = { apiVersion: "v1", kind: "Pod", namespace, name, uid };
    this.#recorder.record(
      subject,
      "Normal",
      "TaintManagerEviction",
      `Marking for deletion Pod ${namespace}/${name}`,
    );
    const message = "Taint manager: deleting due to NoExecute taint";
    await deleteDisrupted(parts, pod, { reason: "DeletionByTaintManager", message });
  }

  /** When the pod must leave; undefined if it may stay. */
  #leavesAt(pod: PodView, { taints }: NodeView): number | undefined {
    const drives = taints.filter(({ effect }) => effect === "NoExecute");
    if (drives.length === 0) return undefined;
    const tolerations = pod.stored.decode().spec.tolerations ?? [];
    let leavesAt: number | undefined;
    for (const taint of drives) {
      const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
      const since = timeMs(taint.timeAdded) ?? this.#cluster.now();
      if (matching.length === 0) return since;
      const seconds = matching
        .map(({ tolerationSeconds }) => tolerationSeconds)
        .filter((value) => value !== undefined)
        .map((value) => Math.max(0, Number(value)));
      if (seconds.length === 0) continue;
      const at = since + Math.min(...seconds) * 1000;
      leavesAt = Math.min(leavesAt ?? at, at);
    }
    return leavesAt;
  }
}

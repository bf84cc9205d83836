import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs, timeText } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import type { NodeView } from "../pods/node-view.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import { PodAddressPool } from "./pod-addresses.js";
import { PodAdmission, type PodRejection } from "./pod-admission.js";
import { type PodNews, PodRun, type PodRunParts } from "./pod-run.js";

/** Pods that are handled at the same time. */
const workers = 128;

interface KnownRun {
  readonly uid: string;
  /** They set its behaviour. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly run: PodRun;
}

/** The agents of all simulated nodes: they run the pods that are bound to their nodes, and remove those that are being deleted. */
export class NodeAgents implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #parts: PodRunParts;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  readonly #addresses = new PodAddressPool();
  readonly #admission: PodAdmission;
  readonly #runs = new Map<string, KnownRun>();

  constructor(cluster: Cluster) {
    const { nodeAgentName } = cluster.context.naming;
    this.#cluster = cluster;
    this.#parts = { ...cluster.context, rules: cluster.rules };
    this.#admission = new PodAdmission(cluster.context.level);
    this.#writer = cluster.writer(`system:node:${nodeAgentName}`);
    this.#recorder = cluster.recorder(nodeAgentName);
    this.#loop = cluster.loop({ name: "node_agents", workers, sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views, nodes } = this.#cluster;
    for (const pod of views.pods.values()) {
      if (isFinished(pod)) continue;
      this.#addresses.keep(pod);
      if (pod.hasStarted) this.#admission.keep(pod);
    }
    this.#loop.fedBy(
      views.pods.onChange(({ key, value, previous }) => {
        const isReplaced = previous !== undefined && previous.uid !== value?.uid;
        if (isReplaced) this.#addresses.release(previous.uid);
        if (previous !== undefined && (value === undefined || isReplaced || isFinished(value)))
          this.#admission.release(previous.uid);
        if (value === undefined || isReplaced) this.#runs.delete(key);
        if (value === undefined) this.#loop.forget(key);
        else if (value.isScheduled) this.#loop.add(key);
      }),
      nodes.onChange(({ value, previous }) => {
        if (value === undefined) return;
        const isNews = value.state !== previous?.state || previous.allocatable.size === 0;
        if (!isNews) return;
        for (const { key } of views.pods.find("node", value.name)) this.#loop.add(key);
      }),
      this.#cluster.rules.onChange((concerns) => {
        for (const pod of views.pods.values()) if (pod.isScheduled && concerns(pod)) this.#runAnew(pod);
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.pods.get(key);
    const node = view && this.#cluster.nodes.get(view.nodeName);
    if (view === undefined || node?.state !== "ready") return;
    const pod = view.stored.decode();
    if (view.isTerminating) return await this.#stopPod(view, pod, node);
    if (isFinished(view)) return this.#addresses.release(view.uid);
    // A new node has not reported its allocatable resources yet.
    if (node.allocatable.size === 0) return;
    const now = this.#cluster.now();
    const rejection = this.#admission.admit(view, pod.spec, node);
    if (rejection !== undefined) return await this.#reject(view, node, rejection, now);
    const run = this.#runOf(view, pod, now);
    const due = run.advance(pod, now, (news) => this.#tell(view, node, news));
    if (due !== undefined) this.#loop.addAt(key, due);
    const hostNetwork = pod.spec.hostNetwork ?? false;
    const podIp = hostNetwork ? node.internalIp : this.#addresses.of(view, node.podCidr);
    const addresses = { hostIp: node.internalIp, podIp };
    // Nothing more will happen to this pod by itself, and its status contains everything that is known.
    if (due === undefined) this.#runs.delete(key);
    if (isDeepEqual(run.status(pod, addresses, now), pod.status)) return;
    await this.#writer.changePart("pods", view, (object) => {
      object.status = run.status(object, addresses, now);
    });
  }

  async #reject(view: PodView, node: NodeView, rejection: PodRejection, now: number): Promise<void> {
    const { reason, message } = rejection;
    const start = isAtLeast(this.#cluster.context.level, "1.26") ? "Pod was rejected:" : "Pod";
    const failed = { phase: "Failed", reason, message: `${start} ${message}`, startTime: timeText(now) };
    await this.#writer.changePart("pods", view, (object) => {
      object.status = { ...object.status, ...failed };
    });
    this.#tell(view, node, { type: "Warning", reason, message, fieldPath: undefined });
  }

  async #stopPod(view: PodView, pod: Pod, node: NodeView): Promise<void> {
    const now = this.#cluster.now();
    const graceMs = Number(pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    const deletedAt = timeMs(pod.metadata.deletionTimestamp) ?? now;
    const at = isFinished(view)
      ? now
      : this.#runOf(view, pod, now).stopsAt(now, graceMs, (news) => this.#tell(view, node, news));
    if (at > now && deletedAt > now) return this.#loop.addAt(view.key, Math.min(at, deletedAt));
    await this.#writer.delete("pods", view, { gracePeriodSeconds: 0 });
  }

  #runOf(view: PodView, pod: Pod, now: number): PodRun {
    const { uid, key } = view;
    const { annotations } = pod.metadata;
    const known = this.#runs.get(key);
    if (known?.uid === uid && isDeepEqual(known.annotations, annotations)) return known.run;
    // It continues from its status, with its present behaviour.
    const run = new PodRun(pod, this.#parts, now);
    this.#runs.set(key, { uid, annotations, run });
    return run;
  }

  /** Replaces the run: continues from the pod's status with its present behaviour. */
  #runAnew({ key }: PodView): void {
    this.#runs.delete(key);
    this.#loop.forget(key);
    this.#loop.add(key);
  }

  #tell(view: PodView, node: NodeView, { type, reason, message, fieldPath }: PodNews): void {
    const { namespace, name, uid } = view;
    const subject = { apiVersion: "v1", kind: "Pod", namespace, name, uid, fieldPath };
    this.#recorder.record(subject, type, reason, message, node.name);
  }
}

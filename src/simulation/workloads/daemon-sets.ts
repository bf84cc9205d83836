import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { addToList } from "../../apimachinery/collections/groups.js";
import type { DaemonSet, DaemonSetStatus } from "../../apis/gen/apps-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { availableAt, isAvailable, isFinished, type PodView } from "../pods/pod-view.js";
import { daemonPlace, nodeOfDaemon, tieToNode } from "./daemon-pods.js";
import { byAge, type DaemonRules, type NodePods, rolloutStep, surplusPods } from "./daemon-rollout.js";
import { resolveIntOrPercent } from "./int-or-percent.js";
import { followPods } from "./pod-changes.js";
import { PodControl } from "./pod-control.js";
import { type Revision, RevisionHistory, revisionLabel } from "./revision-history.js";

type View = SelectingView<DaemonSet>;
type PerNode = ReadonlyMap<string, readonly PodView[]>;

/** How many nodes there are of each sort. All but `numberMisscheduled` count only nodes that should have a pod. */
interface DaemonCounts {
  desiredNumberScheduled: number;
  currentNumberScheduled: number;
  numberMisscheduled: number;
  numberReady: number;
  updatedNumberScheduled: number;
  numberAvailable: number;
}

const generationAnnotation = "deprecated.daemonset.template.generation";

/** Maintains a pod on every node that a daemon set selects. Source: Kubernetes' daemon set controller. */
export class DaemonSets implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #control: PodControl;
  readonly #history: RevisionHistory;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#control = new PodControl(cluster, "daemon-set-controller", {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
    });
    this.#history = new RevisionHistory(cluster, this.#control, "daemonsets.apps");
    this.#loop = cluster.loop({ name: "daemonset", sync: (key) => this.#sync(key) });
  }

  start(): void {
    const { views, nodes } = this.#cluster;
    const sets = views.selecting("daemonsets.apps");
    this.#loop.fedBy(
      sets.onChange(({ key }) => this.#loop.add(key)),
      followPods(views.pods, {
        kind: "DaemonSet",
        owners: sets,
        changed: (key) => this.#loop.addSoon(key),
      }),
      nodes.onChange(({ value, previous }) => {
        const isSame =
          value !== undefined &&
          previous !== undefined &&
          isDeepEqual(value.labels, previous.labels) &&
          isDeepEqual(value.taints, previous.taints);
        if (!isSame) for (const { key } of sets.values()) this.#loop.addSoon(key);
      }),
    );
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("daemonsets.apps").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    if (view.isTerminating) return;
    const set = view.stored.decode();
    await this.#control.claim(view);
    const revisions = await this.#history.sync(view, set);
    if (revisions === undefined) return;
    const { update } = revisions;
    let refusal: unknown;
    try {
      await this.#manage(view, set, update);
      if (set.spec.updateStrategy.type !== "OnDelete") await this.#roll(view, set, update);
    } catch (error) {
      refusal = error;
    }
    await this.#writeStatus(view, set, update);
    const used = [...this.#pods(view)].map(({ labels }) => labels[revisionLabel] ?? "");
    await this.#history.cleanUp(view, set, new Set([...used, update.name]));
    if (refusal !== undefined) throw refusal;
  }

  #pods(view: View): readonly PodView[] {
    return [...this.#cluster.views.pods.find("controller", view.uid)];
  }

  #perNode(view: View): PerNode {
    const perNode = new Map<string, PodView[]>();
    for (const pod of this.#pods(view)) {
      const name = pod.nodeName === "" ? nodeOfDaemon(pod.stored.decode()) : pod.nodeName;
      addToList(perNode, name, pod);
    }
    return perNode;
  }

  async #manage(view: View, set: DaemonSet, update: Revision): Promise<void> {
    const perNode = this.#perNode(view);
    const rules = this.#rules(set, update);
    const missing: string[] = [];
    const surplus: PodView[] = [];
    for (const node of this.#cluster.nodes.values()) {
      const { shouldRun, mayContinue } = daemonPlace(set, node, this.#cluster.domain);
      const pods = perNode.get(node.name) ?? [];
      const alive = pods.filter((pod) => !pod.isTerminating);
      if (shouldRun && pods.length === 0) missing.push(node.name);
      else if (!mayContinue) surplus.push(...alive);
      else {
        const ended = alive.filter(isFinished);
        for (const pod of ended) this.#tellEnd(view, pod, node.name);
        const running = alive.filter((pod) => !isFinished(pod)).sort(byAge);
        surplus.push(...ended, ...surplusPods(running, rules));
      }
    }
    await this.#create(view, set, update, missing);
    await this.#control.deleteMany(view, surplus);
  }

  #tellEnd(view: View, { phase, namespace, name }: PodView, nodeName: string): void {
    const pod = `daemon pod ${namespace}/${name} on node ${nodeName}`;
    const subject = this.#control.subject(view);
    if (phase === "Failed") {
      const message = `Found failed ${pod}, will try to kill it`;
      this.#control.recorder.record(subject, "Warning", "FailedDaemonPod", message);
    } else {
      const message = `Found succeeded ${pod}, will try to delete it`;
      this.#control.recorder.record(subject, "Normal", "SucceededDaemonPod", message);
    }
  }

  async #create(view: View, set: DaemonSet, update: Revision, nodeNames: readonly string[]): Promise<void> {
    const generation = set.metadata.annotations?.[generationAnnotation];
    await this.#control.createMany(view, nodeNames.length, (index) => {
      const pod = this.#control.podOf(view, set.spec.template);
      tieToNode(pod, nodeNames[index] ?? "", this.#cluster.domain);
      pod.metadata.labels = {
        ...pod.metadata.labels,
        [revisionLabel]: update.hash,
        ...(generation !== undefined && { "pod-template-generation": generation }),
      };
      return pod;
    });
  }

  async #roll(view: View, set: DaemonSet, update: Revision): Promise<void> {
    const perNode = this.#perNode(view);
    const nodes: NodePods[] = [...this.#cluster.nodes.values()]
      .filter((node) => daemonPlace(set, node, this.#cluster.domain).shouldRun)
      .map(({ name }) => ({ node: name, pods: perNode.get(name) ?? [] }));
    const { outdated, surge } = rolloutStep(nodes, this.#rules(set, update, nodes.length));
    await this.#create(view, set, update, surge);
    await this.#control.deleteMany(view, outdated);
  }

  /** `nodeCount`: how many nodes should have a pod, of which the bounds may be shares; whether they are zero does not depend on it. */
  #rules({ spec }: DaemonSet, { hash }: Revision, nodeCount = 1): DaemonRules {
    const { type, rollingUpdate = {} } = spec.updateStrategy;
    const now = this.#cluster.now();
    const boundOf = (value: number | string | undefined): number =>
      type === "OnDelete" ? 0 : resolveIntOrPercent(value, nodeCount, "up");
    const maxSurge = boundOf(rollingUpdate.maxSurge);
    const maxUnavailable = boundOf(rollingUpdate.maxUnavailable ?? 1);
    return {
      maxSurge,
      maxUnavailable: maxSurge === 0 ? Math.max(1, maxUnavailable) : maxUnavailable,
      isUpdated: ({ labels }) => labels[revisionLabel] === hash,
      isAvailable: (pod) => isAvailable(pod, spec.minReadySeconds ?? 0, now),
    };
  }

  async #writeStatus(view: View, set: DaemonSet, update: Revision): Promise<void> {
    const counts = this.#count(view, set, update);
    const status: DaemonSetStatus = {
      ...set.status,
      ...counts,
      observedGeneration: Number(set.metadata.generation ?? 0),
      numberUnavailable: counts.desiredNumberScheduled - counts.numberAvailable,
    };
    const before = { updatedNumberScheduled: 0, numberAvailable: 0, numberUnavailable: 0, ...set.status };
    if (isDeepEqual(status, before)) return;
    await this.#control.writer.changePart("daemonsets.apps", view, (object) => {
      const { collisionCount, conditions } = object.status;
      object.status = { ...status, collisionCount, conditions };
    });
  }

  /** Comes back when a pod has been ready for long enough to be available. */
  #count(view: View, set: DaemonSet, update: Revision): DaemonCounts {
    const now = this.#cluster.now();
    const { minReadySeconds = 0 } = set.spec;
    const perNode = this.#perNode(view);
    const counts: DaemonCounts = {
      desiredNumberScheduled: 0,
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
      updatedNumberScheduled: 0,
      numberAvailable: 0,
    };
    for (const node of this.#cluster.nodes.values()) {
      const pods = [...(perNode.get(node.name) ?? [])].sort(byAge);
      const [oldest] = pods;
      if (!daemonPlace(set, node, this.#cluster.domain).shouldRun) {
        if (oldest !== undefined) counts.numberMisscheduled++;
        continue;
      }
      counts.desiredNumberScheduled++;
      if (oldest === undefined) continue;
      counts.currentNumberScheduled++;
      if (oldest.isReady) counts.numberReady++;
      if (isAvailable(oldest, minReadySeconds, now)) counts.numberAvailable++;
      if (oldest.labels[revisionLabel] === update.hash) counts.updatedNumberScheduled++;
      for (const pod of pods) {
        const at = minReadySeconds > 0 ? availableAt(pod, minReadySeconds) : undefined;
        if (at !== undefined && at > now) this.#loop.addAt(view.key, at);
      }
    }
    return counts;
  }
}

import type { Cluster } from "../pods/cluster.js";
import { HostPorts } from "../pods/host-ports.js";
import { countRequests } from "../pods/node-resources.js";
import type { NodeView } from "../pods/node-view.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import type { NodeLoad } from "./node-load.js";
import { Nominations } from "./nominations.js";
import { AntiAffinityTerms, PodCounts } from "./pod-counts.js";
import {
  type AffinityTerm,
  antiAffinityOf,
  type NamespaceLabels,
  type PodGroup,
} from "./scheduling-constraints.js";

interface Load extends NodeLoad {
  view: NodeView;
  readonly pods: Map<string, PodView>;
  readonly requested: Map<string, number>;
  readonly hostPorts: HostPorts;
  readonly perController: Map<string, number>;
}

interface Placement {
  readonly pod: PodView;
  readonly nodeName: string;
  readonly terms: readonly AffinityTerm[];
}

const noTerms: readonly AffinityTerm[] = [];

/** What the scheduler knows about nodes and the pods on them; the cost of an update depends only on what changed. */
export class ClusterState {
  readonly #loads = new Map<string, Load>();
  readonly #placements = new Map<string, Placement>();
  readonly #counts = new PodCounts();
  readonly nominations = new Nominations();
  readonly existingAntiAffinity = new AntiAffinityTerms();
  readonly namespaces: NamespaceLabels;

  constructor(cluster: Cluster) {
    this.namespaces = () => cluster.views.of("namespaces").values();
  }

  get nodes(): readonly NodeLoad[] {
    return [...this.#loads.values()];
  }

  node(name: string): NodeLoad | undefined {
    return this.#loads.get(name);
  }

  setNode(view: NodeView): void {
    const load = this.#loads.get(view.name);
    if (load !== undefined) {
      load.view = view;
      return;
    }
    const made = {
      view,
      pods: new Map<string, PodView>(),
      requested: new Map<string, number>(),
      hostPorts: new HostPorts(),
      perController: new Map<string, number>(),
    };
    this.#loads.set(view.name, made);
    for (const { pod, nodeName } of this.#placements.values())
      if (nodeName === view.name) charge(made, pod, 1);
  }

  removeNode(name: string): void {
    this.#loads.delete(name);
  }

  /** Returns whether the pod freed room on a node. */
  setPod(key: string, pod: PodView | undefined): boolean {
    const before = this.#placements.get(key);
    const isPlaced = pod?.isScheduled === true && !isFinished(pod);
    if (before !== undefined && isPlaced && before.nodeName === pod.nodeName && isSameLoad(before.pod, pod)) {
      this.#replace(key, before, pod);
      return false;
    }
    // Assumed to be on a node, but not bound yet.
    const isAssumed =
      before !== undefined && pod !== undefined && !pod.isScheduled && before.pod.uid === pod.uid;
    if (isAssumed) return false;
    if (before !== undefined) this.#take(key, before);
    if (isPlaced) this.place(pod, pod.nodeName);
    return before !== undefined && !isPlaced;
  }

  /** The terms by which a placed pod keeps others away. */
  termsOf(key: string): readonly AffinityTerm[] {
    return this.#placements.get(key)?.terms ?? noTerms;
  }

  /** Counts the pod as being on the node. */
  place(pod: PodView, nodeName: string): void {
    const terms = pod.hasPodAffinity ? antiAffinityOf(pod, pod.stored.decode(), this.namespaces) : noTerms;
    this.#placements.set(pod.key, { pod, nodeName, terms });
    const load = this.#loads.get(nodeName);
    if (load !== undefined) charge(load, pod, 1);
    this.#counts.count(pod, nodeName, 1);
    if (terms.length > 0) this.existingAntiAffinity.count(terms, nodeName, 1);
  }

  /** The opposite of `place`, for a pod that could not be bound. */
  forget(key: string): void {
    const before = this.#placements.get(key);
    if (before !== undefined) this.#take(key, before);
  }

  perNode(group: PodGroup): ReadonlyMap<string, number> {
    return this.#counts.perNode(group, () => this.#placements.values());
  }

  #take(key: string, { pod, nodeName, terms }: Placement): void {
    this.#placements.delete(key);
    const load = this.#loads.get(nodeName);
    if (load !== undefined) charge(load, pod, -1);
    this.#counts.count(pod, nodeName, -1);
    if (terms.length > 0) this.existingAntiAffinity.count(terms, nodeName, -1);
  }

  #replace(key: string, before: Placement, pod: PodView): void {
    this.#placements.set(key, { ...before, pod });
    this.#loads.get(before.nodeName)?.pods.set(key, pod);
  }
}

function isSameLoad(a: PodView, b: PodView): boolean {
  if (a.uid !== b.uid || a.requests.size !== b.requests.size) return false;
  for (const [resource, amount] of a.requests) if (b.requests.get(resource) !== amount) return false;
  const keys = Object.keys(a.labels);
  return keys.length === Object.keys(b.labels).length && keys.every((key) => a.labels[key] === b.labels[key]);
}

function charge(load: Load, pod: PodView, by: 1 | -1): void {
  if (by === 1) load.pods.set(pod.key, pod);
  else load.pods.delete(pod.key);
  countRequests(load.requested, pod.requests, by);
  if (by === 1) load.hostPorts.add(pod.hostPorts);
  else load.hostPorts.remove(pod.hostPorts);
  const owner = pod.controller?.uid;
  if (owner !== undefined) load.perController.set(owner, (load.perController.get(owner) ?? 0) + by);
}

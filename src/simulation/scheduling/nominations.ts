import { removeFromSet } from "../../apimachinery/collections/groups.js";
import type { PodView } from "../pods/pod-view.js";
import type { Amounts, NodeLoad } from "./node-load.js";

/** Nodes where preemption makes room for pods: less important pods may not take it meanwhile. */
export class Nominations {
  readonly #nodeOf = new Map<string, string>();
  readonly #podsOn = new Map<string, Map<string, PodView>>();

  nodeOf(key: string): string | undefined {
    return this.#nodeOf.get(key);
  }

  set(pod: PodView, nodeName: string | undefined): void {
    this.remove(pod.key);
    if (nodeName === undefined) return;
    this.#nodeOf.set(pod.key, nodeName);
    const pods = this.#podsOn.get(nodeName) ?? new Map<string, PodView>();
    this.#podsOn.set(nodeName, pods.set(pod.key, pod));
  }

  remove(key: string): void {
    const nodeName = this.#nodeOf.get(key);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(key);
    removeFromSet(this.#podsOn, nodeName, key);
  }

  /** The node as `pod` sees it, with the nominated pods that are at least as important counted as present. */
  amountsFor(pod: PodView, node: NodeLoad): Amounts {
    const nominated = this.#podsOn.get(node.view.name);
    if (nominated === undefined) return node;
    const requested = new Map(node.requested);
    let { size } = node.pods;
    for (const { key, priority, requests } of nominated.values()) {
      if (key === pod.key || priority < pod.priority) continue;
      size++;
      for (const [resource, amount] of requests) {
        requested.set(resource, (requested.get(resource) ?? 0) + amount);
      }
    }
    return { view: node.view, requested, pods: { size } };
  }
}

import type { PodView } from "../pods/pod-view.js";

interface Counted {
  readonly matches: (pod: PodView) => boolean;
  count: number;
}

/**
 * The pods of a node that preemption assumes to be removed. Counts are maintained when a pod is removed or put back, so that trying each
 * pod of a node need not visit all others.
 */
export class RemovedPods {
  readonly #pods = new Set<PodView>();
  readonly #counted = new Map<string, Counted>();

  get size(): number {
    return this.#pods.size;
  }

  add(pod: PodView): void {
    this.#pods.add(pod);
    this.#count(pod, 1);
  }

  delete(pod: PodView): void {
    this.#pods.delete(pod);
    this.#count(pod, -1);
  }

  /** How many of them match. Equal conditions have equal keys. */
  countOf(key: string, matches: (pod: PodView) => boolean): number {
    let counted = this.#counted.get(key);
    if (counted === undefined) {
      counted = { matches, count: 0 };
      for (const pod of this.#pods) if (matches(pod)) counted.count++;
      this.#counted.set(key, counted);
    }
    return counted.count;
  }

  #count(pod: PodView, by: 1 | -1): void {
    for (const counted of this.#counted.values()) if (counted.matches(pod)) counted.count += by;
  }
}

import { type AffinityTerm, isInGroup, type PodGroup, termKey } from "./scheduling-constraints.js";

interface Placed {
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Counted {
  readonly group: PodGroup;
  readonly perNode: Map<string, number>;
}

/** Limit of groups; beyond it, the least recently used ones are dropped. */
const groupsMax = 200;

/**
 * How many pods of a group run on each node. A group is counted on first use, and then kept up to date, so that placing one pod need not
 * visit all others.
 */
export class PodCounts {
  readonly #counted = new Map<string, Counted>();

  perNode(
    group: PodGroup,
    placed: () => Iterable<{ readonly pod: Placed; readonly nodeName: string }>,
  ): ReadonlyMap<string, number> {
    const known = this.#counted.get(group.key);
    if (known !== undefined) {
      this.#counted.delete(group.key);
      this.#counted.set(group.key, known);
      return known.perNode;
    }
    const counted: Counted = { group, perNode: new Map() };
    for (const { pod, nodeName } of placed()) if (isInGroup(group, pod)) add(counted.perNode, nodeName, 1);
    this.#counted.set(group.key, counted);
    if (this.#counted.size > groupsMax) {
      const [oldest] = this.#counted.keys();
      if (oldest !== undefined) this.#counted.delete(oldest);
    }
    return counted.perNode;
  }

  /** `by`: 1 for a pod that was added to the node, -1 for one that left. */
  count(pod: Placed, nodeName: string, by: 1 | -1): void {
    for (const { group, perNode } of this.#counted.values()) {
      if (isInGroup(group, pod)) add(perNode, nodeName, by);
    }
  }
}

interface KnownTerm {
  readonly term: AffinityTerm;
  readonly perNode: Map<string, number>;
}

/** The anti-affinity terms of placed pods, and the nodes of those pods. Pods of one workload share their terms. */
export class AntiAffinityTerms {
  readonly #terms = new Map<string, KnownTerm>();

  count(terms: readonly AffinityTerm[], nodeName: string, by: 1 | -1): void {
    for (const term of terms) {
      const key = termKey(term);
      const known = this.#terms.get(key) ?? { term, perNode: new Map<string, number>() };
      this.#terms.set(key, known);
      add(known.perNode, nodeName, by);
      if (known.perNode.size === 0) this.#terms.delete(key);
    }
  }

  /** The terms that apply to the pod. */
  *about(pod: Placed): Iterable<KnownTerm> {
    for (const known of this.#terms.values()) if (isInGroup(known.term, pod)) yield known;
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count <= 0) counts.delete(key);
  else counts.set(key, count);
}

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

/** The most groups to keep: beyond this, those that nobody asked about for the longest time are dropped. */
const groupsMax = 200;

/**
 * How many pods of a group run on each node. A group is counted when first asked for, and kept up to date from then on, so that placing one
 * pod does not look at all others.
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

  /** `by`: 1 for a pod that came to the node, -1 for one that left. */
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

/** The terms by which placed pods keep others away, and the nodes of those pods. Pods of one workload share their terms. */
export class KeepAwayTerms {
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

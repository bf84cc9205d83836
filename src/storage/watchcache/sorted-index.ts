import {
  at,
  type Branch,
  branchOf,
  childIndex,
  insert,
  lowerBound,
  type Node,
  nothing,
  remove,
  treeOf,
} from "./tree-node.js";

/** Creating shorter arrays is as fast as a weak reference to one. */
const sharedMin = 64;

interface Range<V> {
  readonly start: string;
  readonly end: string | undefined;
  /** Weak: nobody may ask again, and the array of a large map is large. */
  readonly values: WeakRef<readonly V[]>;
}

/**
 * An immutable ordered map. `set` and `delete` return a new map that shares all but the path to the change, so that every version is a
 * snapshot at the cost of a few small arrays, at any size. A B+ tree with counts: ranks are O(log n) too.
 *
 * Keys order as their UTF-8 bytes, as storage has them.
 */
export class SortedIndex<V> {
  readonly #root: Node<V>;
  /** The last result of `range`. */
  #recent: Range<V> | undefined;

  private constructor(root: Node<V>) {
    this.#root = root;
  }

  static empty<V>(): SortedIndex<V> {
    return new SortedIndex<V>(nothing);
  }

  /** A map of entries in ascending order of distinct keys. Linear. */
  static fromSorted<V>(keys: readonly string[], values: readonly V[]): SortedIndex<V> {
    return new SortedIndex<V>(treeOf(keys.map(toSortKey), values));
  }

  get size(): number {
    return this.#root.size;
  }

  get(key: string): V | undefined {
    const sortKey = toSortKey(key);
    let node = this.#root;
    while (node.children !== undefined) node = at(node.children, childIndex(node.keys, sortKey));
    const index = lowerBound(node.keys, sortKey);
    return node.keys[index] === sortKey ? node.values[index] : undefined;
  }

  set(key: string, value: V): SortedIndex<V> {
    const inserted = insert(this.#root, toSortKey(key), value);
    if (!Array.isArray(inserted)) return new SortedIndex(inserted);
    const [left, separator, right] = inserted;
    return new SortedIndex<V>(branchOf(["", separator], [left, right]));
  }

  delete(key: string): SortedIndex<V> {
    const removed = remove(this.#root, toSortKey(key));
    if (removed === this.#root) return this;
    let root = removed;
    while (root.children?.length === 1) root = at(root.children, 0);
    return new SortedIndex(root);
  }

  /** How many keys are before `key`. */
  rank(key: string): number {
    const sortKey = toSortKey(key);
    let node = this.#root;
    let before = 0;
    while (node.children !== undefined) {
      const index = childIndex(node.keys, sortKey);
      for (let left = 0; left < index; left++) before += at(node.children, left).size;
      node = at(node.children, index);
    }
    return before + lowerBound(node.keys, sortKey);
  }

  /** The values of keys in [start, end), in order. An undefined `end` means the end of the map. */
  *values(start: string, end?: string): Generator<V, void, void> {
    for (const { values, from, to } of this.#leaves(start, end)) {
      for (let index = from; index < to; index++) yield values[index] as V; // within the leaf
    }
  }

  /**
   * The values of keys in [start, end), in order. Many clients list the same: until the map changes they share one array, which would
   * otherwise be the largest part of a list's garbage.
   */
  range(start: string, end?: string): readonly V[] {
    const recent = this.#recent;
    const known = recent?.start === start && recent.end === end ? recent.values.deref() : undefined;
    if (known !== undefined) return known;
    const made: V[] = [];
    for (const { values, from, to } of this.#leaves(start, end)) {
      for (let index = from; index < to; index++) made.push(values[index] as V); // within the leaf
    }
    if (made.length >= sharedMin) this.#recent = { start, end, values: new WeakRef(made) };
    return made;
  }

  /**
   * Calls `visit` with the values of keys in [start, end), in order, until it returns false. Three times as fast as `values`. Returns
   * whether it reached the end.
   */
  scan(start: string, end: string | undefined, visit: (value: V) => boolean): boolean {
    for (const { values, from, to } of this.#leaves(start, end)) {
      for (let index = from; index < to; index++) {
        if (!visit(values[index] as V)) return false; // within the leaf
      }
    }
    return true;
  }

  *#leaves(
    start: string,
    end: string | undefined,
  ): Generator<{ readonly values: readonly V[]; readonly from: number; readonly to: number }, void, void> {
    const first = toSortKey(start);
    const beyond = end === undefined ? undefined : toSortKey(end);
    const path: { readonly branch: Branch<V>; index: number }[] = [];
    let node = this.#root;
    const descend = (index: (keys: readonly string[]) => number): void => {
      while (node.children !== undefined) {
        const child = index(node.keys);
        path.push({ branch: node, index: child });
        node = at(node.children, child);
      }
    };
    descend((keys) => childIndex(keys, first));
    let from = node.children === undefined ? lowerBound(node.keys, first) : 0;
    for (;;) {
      if (node.children !== undefined) throw new Error("a branch in place of a leaf");
      const { keys, values } = node;
      const lastKey = keys[keys.length - 1];
      const ends = beyond !== undefined && lastKey !== undefined && lastKey >= beyond;
      const to = ends ? lowerBound(keys, beyond) : keys.length;
      if (to > from) yield { values, from, to };
      if (ends) return;
      let step = path[path.length - 1];
      while (step !== undefined && step.index === step.branch.children.length - 1) {
        path.pop();
        step = path[path.length - 1];
      }
      if (step === undefined) return;
      step.index++;
      node = at(step.branch.children, step.index);
      descend(() => 0);
      from = 0;
    }
  }
}

/** A string that JavaScript orders as the UTF-8 bytes of `key`; `key` itself when it is ASCII, as nearly all are. */
function toSortKey(key: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a continue key ends in NUL.
  return /[^\x00-\x7f]/.test(key) ? Buffer.from(key, "utf8").toString("latin1") : key;
}

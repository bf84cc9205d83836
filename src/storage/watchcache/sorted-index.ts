/** At most this many entries per node: a write copies one node per level, about 0.5 KB each. */
const nodeEntriesMax = 32;
const nodeEntriesMin = 8;
/** Creating shorter arrays is as fast as a weak reference to one. */
const sharedMin = 64;

interface Leaf<V> {
  readonly children: undefined;
  readonly size: number;
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

interface Branch<V> {
  readonly children: readonly Node<V>[];
  /** Number of values below. */
  readonly size: number;
  /** keys[i] is ≤ every key of children[i] and > every key of children[i - 1]; keys[0] is not compared. */
  readonly keys: readonly string[];
}

type Node<V> = Leaf<V> | Branch<V>;

interface Range<V> {
  readonly start: string;
  readonly end: string | undefined;
  /** Weak: nobody may ask again, and the array of a large map is large. */
  readonly values: WeakRef<readonly V[]>;
}

const nothing: Leaf<never> = { children: undefined, size: 0, keys: [], values: [] };

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
    let level: Node<V>[] = [];
    let firstKeys: string[] = [];
    const sortKeys = keys.map(toSortKey);
    for (const [start, end] of slices(keys.length)) {
      level.push(leafOf(sortKeys.slice(start, end), values.slice(start, end)));
      firstKeys.push(sortKeys[start] ?? "");
    }
    while (level.length > 1) {
      const above: Node<V>[] = [];
      const aboveKeys: string[] = [];
      for (const [start, end] of slices(level.length)) {
        above.push(branchOf(firstKeys.slice(start, end), level.slice(start, end)));
        aboveKeys.push(firstKeys[start] ?? "");
      }
      level = above;
      firstKeys = aboveKeys;
    }
    return new SortedIndex<V>(level[0] ?? nothing);
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
      if (node.children !== undefined) throw new Error("a branch where a leaf must be");
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

function insert<V>(node: Node<V>, key: string, value: V): Node<V> | [Node<V>, string, Node<V>] {
  if (node.children === undefined) {
    const index = lowerBound(node.keys, key);
    if (node.keys[index] === key) return leafOf(node.keys, node.values.with(index, value));
    return splitLeaf(inserted(node.keys, index, key), inserted(node.values, index, value), index);
  }
  const index = childIndex(node.keys, key);
  const child = insert(at(node.children, index), key, value);
  if (!Array.isArray(child)) return branchOf(node.keys, node.children.with(index, child));
  const [left, separator, right] = child;
  const children = inserted(node.children, index + 1, right);
  children[index] = left;
  return splitBranch(inserted(node.keys, index + 1, separator), children, index + 1);
}

function splitLeaf<V>(keys: string[], values: V[], insertedAt: number): Node<V> | [Node<V>, string, Node<V>] {
  if (keys.length <= nodeEntriesMax) return leafOf(keys, values);
  const middle = splitPoint(keys.length, insertedAt);
  return [
    leafOf(keys.slice(0, middle), values.slice(0, middle)),
    keys[middle] ?? "",
    leafOf(keys.slice(middle), values.slice(middle)),
  ];
}

function splitBranch<V>(
  keys: string[],
  children: Node<V>[],
  insertedAt: number,
): Node<V> | [Node<V>, string, Node<V>] {
  if (children.length <= nodeEntriesMax) return branchOf(keys, children);
  const middle = splitPoint(children.length, insertedAt);
  return [
    branchOf(keys.slice(0, middle), children.slice(0, middle)),
    keys[middle] ?? "",
    branchOf(keys.slice(middle), children.slice(middle)),
  ];
}

/** Keys that come in ascending order, as generated names in a benchmark do, leave full nodes behind. */
function splitPoint(length: number, insertedAt: number): number {
  return insertedAt === length - 1 ? length - 1 : length >> 1;
}

function remove<V>(node: Node<V>, key: string): Node<V> {
  if (node.children === undefined) {
    const index = lowerBound(node.keys, key);
    if (node.keys[index] !== key) return node;
    return leafOf(node.keys.toSpliced(index, 1), node.values.toSpliced(index, 1));
  }
  const index = childIndex(node.keys, key);
  const child = at(node.children, index);
  const changed = remove(child, key);
  if (changed === child) return node;
  if (width(changed) === 0) {
    return branchOf(node.keys.toSpliced(index, 1), node.children.toSpliced(index, 1));
  }
  const neighbour = index > 0 ? index - 1 : index + 1;
  const other = node.children[neighbour];
  if (
    width(changed) >= nodeEntriesMin ||
    other === undefined ||
    width(changed) + width(other) > nodeEntriesMax
  ) {
    return branchOf(node.keys, node.children.with(index, changed));
  }
  const right = Math.max(index, neighbour);
  const merged =
    neighbour < index
      ? merge(other, changed, node.keys[right] ?? "")
      : merge(changed, other, node.keys[right] ?? "");
  const children = node.children.toSpliced(right, 1);
  children[right - 1] = merged;
  return branchOf(node.keys.toSpliced(right, 1), children);
}

function merge<V>(left: Node<V>, right: Node<V>, separator: string): Node<V> {
  if (left.children === undefined && right.children === undefined) {
    return leafOf([...left.keys, ...right.keys], [...left.values, ...right.values]);
  }
  if (left.children === undefined || right.children === undefined) throw new Error("nodes of unequal height");
  const rightKeys = right.keys.with(0, separator);
  return branchOf([...left.keys, ...rightKeys], [...left.children, ...right.children]);
}

function leafOf<V>(keys: readonly string[], values: readonly V[]): Leaf<V> {
  return { children: undefined, size: keys.length, keys, values };
}

function branchOf<V>(keys: readonly string[], children: readonly Node<V>[]): Branch<V> {
  let size = 0;
  for (const child of children) size += child.size;
  return { children, size, keys };
}

function width<V>(node: Node<V>): number {
  return node.children === undefined ? node.size : node.children.length;
}

function inserted<E>(list: readonly E[], index: number, element: E): E[] {
  const copy = list.slice();
  copy.splice(index, 0, element);
  return copy;
}

/** First index whose key is ≥ `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key)
      low = middle + 1; // middle < length
    else high = middle;
  }
  return low;
}

/** Index of the child that holds `key` if any does. */
function childIndex(keys: readonly string[], key: string): number {
  let low = 1;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) <= key)
      low = middle + 1; // middle < length
    else high = middle;
  }
  return low - 1;
}

function at<E>(list: readonly E[], index: number): E {
  return list[index] as E; // callers stay within the list
}

function* slices(length: number): Generator<[number, number]> {
  for (let start = 0; start < length; start += nodeEntriesMax) {
    yield [start, Math.min(start + nodeEntriesMax, length)];
  }
}

/** At most this many entries per node: a write copies one node per level, about 0.5 KB each. */
const nodeEntriesMax = 32;
const nodeEntriesMin = 8;

export interface Leaf<V> {
  readonly children: undefined;
  readonly size: number;
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

export interface Branch<V> {
  readonly children: readonly Node<V>[];
  /** Number of values below. */
  readonly size: number;
  /** keys[i] is ≤ every key of children[i] and > every key of children[i - 1]; keys[0] is not compared. */
  readonly keys: readonly string[];
}

/** Of a B+ tree. A node never changes: a write makes new nodes on the path to its key. */
export type Node<V> = Leaf<V> | Branch<V>;

export const nothing: Leaf<never> = { children: undefined, size: 0, keys: [], values: [] };

/** The tree of entries in ascending order of distinct keys. Linear. */
export function treeOf<V>(sortKeys: readonly string[], values: readonly V[]): Node<V> {
  let level: Node<V>[] = [];
  let firstKeys: string[] = [];
  for (const [start, end] of slices(sortKeys.length)) {
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
  return level[0] ?? nothing;
}

/** `node` with the key's value; when it does not fit, two nodes and the separator between them. */
export function insert<V>(node: Node<V>, key: string, value: V): Node<V> | [Node<V>, string, Node<V>] {
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

/** `node` itself when it has no such key. */
export function remove<V>(node: Node<V>, key: string): Node<V> {
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

export function branchOf<V>(keys: readonly string[], children: readonly Node<V>[]): Branch<V> {
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
export function lowerBound(keys: readonly string[], key: string): number {
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
export function childIndex(keys: readonly string[], key: string): number {
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

export function at<E>(list: readonly E[], index: number): E {
  return list[index] as E; // callers stay within the list
}

function* slices(length: number): Generator<[number, number]> {
  for (let start = 0; start < length; start += nodeEntriesMax) {
    yield [start, Math.min(start + nodeEntriesMax, length)];
  }
}

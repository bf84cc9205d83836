/** Anything with owners. */
export interface Node {
  readonly uid: string;
  readonly owners: readonly { readonly uid: string }[];
}

export interface Place {
  readonly column: number;
  readonly row: number;
}

/**
 * Places owners to the left of what they own: the column is the length of the longest path from an object without owners, and the rows
 * follow those of the owners, so that few lines cross. A cycle of owners is cut at the object where it was entered.
 */
export function layOut(nodes: readonly Node[]): ReadonlyMap<string, Place> {
  const known = new Map(nodes.map((node) => [node.uid, node]));
  const columns = new Map<string, number>();
  const columnOf = (node: Node, above: ReadonlySet<string>): number => {
    const column = columns.get(node.uid);
    if (column !== undefined) return column;
    const path = new Set(above).add(node.uid);
    const owners = node.owners.flatMap(({ uid }) => (path.has(uid) ? [] : (known.get(uid) ?? [])));
    const found = Math.max(-1, ...owners.map((owner) => columnOf(owner, path))) + 1;
    columns.set(node.uid, found);
    return found;
  };
  for (const node of nodes) columnOf(node, new Set());

  const places = new Map<string, Place>();
  const last = Math.max(0, ...columns.values());
  for (let column = 0; column <= last; column++) {
    const wished = (node: Node): number => {
      const rows = node.owners.flatMap(({ uid }) => places.get(uid)?.row ?? []);
      return rows.length === 0 ? 0 : Math.min(...rows);
    };
    const members = nodes.filter(({ uid }) => columns.get(uid) === column);
    let free = 0;
    for (const node of members.sort((left, right) => wished(left) - wished(right))) {
      const row = Math.max(free, wished(node));
      places.set(node.uid, { column, row });
      free = row + 1;
    }
  }
  return places;
}

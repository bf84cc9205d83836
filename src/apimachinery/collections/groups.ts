export function addToList<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

export function addToSet<K, V>(sets: Map<K, Set<V>>, key: K, member: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([member]));
  else set.add(member);
}

/** Removes a member from the set of its key, and the set with its last member. */
export function removeFromSet<K, V>(sets: Map<K, Pick<Set<V>, "delete" | "size">>, key: K, member: V): void {
  const set = sets.get(key);
  set?.delete(member);
  if (set?.size === 0) sets.delete(key);
}

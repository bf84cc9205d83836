import type { Selection, StoredObject, WatchEventType } from "../object-store.js";

/** Whether a key lies in the selection, whatever the object's attributes. */
export function covers(selection: Selection, key: string): boolean {
  if (selection.key !== undefined && selection.key !== key) return false;
  return key.startsWith(selection.prefix);
}

export function selects<T>(selection: Pick<Selection, "matches">, object: StoredObject<T>): boolean {
  return selection.matches === undefined || selection.matches(object);
}

/**
 * How a watcher of `selection`, which covers the key, sees a change: an object that moves into it is ADDED, one that leaves it
 * DELETED. Undefined when the watcher sees neither state.
 */
export function eventTypeFor<T>(
  selection: Pick<Selection, "matches">,
  previous: StoredObject<T> | undefined,
  current: StoredObject<T> | undefined,
): WatchEventType | undefined {
  const wasSelected = previous !== undefined && selects(selection, previous);
  const isSelected = current !== undefined && selects(selection, current);
  if (isSelected) return wasSelected ? "MODIFIED" : "ADDED";
  return wasSelected ? "DELETED" : undefined;
}

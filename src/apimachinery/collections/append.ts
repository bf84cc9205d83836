/**
 * Appends items to a list. `push(...items)` would pass each as an argument, and the stack overflows at some hundred thousand.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

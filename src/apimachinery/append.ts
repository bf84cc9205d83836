/** Adds items to a list. `push` takes each as an argument, of which the stack holds some hundred thousand. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

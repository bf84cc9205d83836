/** The order of two texts by their UTF-16 units, for `sort`. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

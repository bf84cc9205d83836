/** The order of two texts by their UTF-16 units, for `sort`. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * The order of two texts by their UTF-8 bytes, as Go and every store sort. JavaScript's own `<` compares UTF-16 units and puts U+1F600 before
 * U+FF5E; only surrogates make the difference.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA === unitB) continue;
    const surrogateA = isSurrogate(unitA);
    if (surrogateA !== isSurrogate(unitB)) return surrogateA ? 1 : -1;
    return unitA - unitB;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

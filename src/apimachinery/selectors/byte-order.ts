const hasSurrogates = /[\ud800-\udfff]/;

/** Orders by UTF-8 bytes, which for text beyond the BMP differs from the order of UTF-16 units. */
export function byteOrder(a: string, b: string): number {
  if (a === b) return 0;
  if (!hasSurrogates.test(a) && !hasSurrogates.test(b)) return a < b ? -1 : 1;
  for (let index = 0; ; index++) {
    const left = a.codePointAt(index);
    const right = b.codePointAt(index);
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (left !== right) return left - right;
    if (left > 0xffff) index++;
  }
}

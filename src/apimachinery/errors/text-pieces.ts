/** Where a piece of `text` that ends at `end` may end, which is not between the two halves of a character. */
export function endOfPiece(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

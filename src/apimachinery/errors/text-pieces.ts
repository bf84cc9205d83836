/** Where a piece of `text` that ends at `end` may end, which is not between the two halves of a character. */
export function endOfPiece(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

/** `text` in pieces of about `length` UTF-16 units. */
export function* piecesOf(text: string, length: number): Generator<string> {
  let from = 0;
  while (text.length - from > length) {
    const to = endOfPiece(text, from + length);
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

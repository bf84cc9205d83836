/**
 * Passes on the content of a chunked body without the chunk sizes, because a server may begin a new chunk inside an event. Takes pieces of
 * any size, and skips the head of the response.
 */
export function chunkedBody(receive: (bytes: Buffer) => void): (piece: Buffer) => void {
  let isHead = true;
  let carry: Buffer = Buffer.alloc(0);
  /** Bytes left of the chunk's content and of the line end after it. */
  let left = 0;
  return (piece) => {
    const bytes = carry.length === 0 ? piece : Buffer.concat([carry, piece]);
    carry = Buffer.alloc(0);
    let at = 0;
    if (isHead) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) {
        carry = bytes;
        return;
      }
      isHead = false;
      at = end + 4;
    }
    const content: Buffer[] = [];
    while (at < bytes.length) {
      if (left === 0) {
        const end = bytes.indexOf("\r\n", at);
        if (end < 0) {
          carry = Buffer.from(bytes.subarray(at));
          break;
        }
        left = Number.parseInt(bytes.toString("latin1", at, end), 16) + 2;
        at = end + 2;
      }
      const taken = Math.min(left, bytes.length - at);
      // The last two bytes of `left` end the line.
      const text = Math.min(taken, left - 2);
      if (text > 0) content.push(bytes.subarray(at, at + text));
      left -= taken;
      at += taken;
    }
    const [only] = content;
    if (only !== undefined) receive(content.length === 1 ? only : Buffer.concat(content));
  };
}

/** 256 KB to 1 MB move a list fastest; one copy of this size holds the event loop for 0.1 ms. */
export const groupBytes = 512 * 1024;
/** A list has one or two groups under way; more than this many are rarely being sent at once. 4 MiB when full. */
const keptMax = 8;
/** Kept buffers are released this long after the first came back. */
const letGoMs = 30_000;

/**
 * Buffers into which lists are copied on their way to the socket, and which are reused once it has taken them. V8 counts each new one as
 * memory that a collection may free: with fresh buffers, a list of 40 MB spent more than half of its time in the garbage collector on
 * Node.js 24.
 */
export class GroupBuffers {
  #kept: Buffer[] = [];
  #lettingGo: NodeJS.Timeout | undefined;

  /** `groupBytes` long, with unspecified content. The receiver owns it until `giveBack`, which is optional. */
  take(): Buffer {
    // Not from Node's own pool, which would be held as long as the group.
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(groupBytes);
  }

  /** Returns a buffer of `take` that nothing reads any more. Call it once. */
  giveBack(buffer: Buffer): void {
    if (this.#kept.length < keptMax) this.#kept.push(buffer);
    this.#lettingGo ??= setTimeout(() => {
      this.#kept = [];
      this.#lettingGo = undefined;
    }, letGoMs).unref();
  }
}

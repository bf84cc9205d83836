/** Smaller pieces are copied. */
const keptBytesMin = 4096;
const blockBytes = 16 * 1024;

/**
 * Collects bytes that come in pieces. Each piece is an object that keeps the whole buffer that was read, so a body in chunks of one byte
 * would take 400 times its memory. Small pieces are therefore copied into blocks, except for the first, which is usually the only one.
 */
export class GatheredBytes {
  readonly #pieces: Uint8Array[] = [];
  #block: Uint8Array = new Uint8Array(0);
  /** Positions in the block: up to where it is in pieces already, and up to where it is filled. */
  #gathered = 0;
  #filled = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const isFirst = this.#length === 0;
    this.#length += piece.length;
    if (isFirst || piece.length >= keptBytesMin) {
      this.#gather();
      this.#pieces.push(piece);
      return;
    }
    if (piece.length > this.#block.length - this.#filled) {
      this.#gather();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#gathered = 0;
      this.#filled = 0;
    }
    this.#block.set(piece, this.#filled);
    this.#filled += piece.length;
  }

  /** All of them. A single piece is returned without a copy. */
  bytes(): Buffer {
    this.#gather();
    const [first = new Uint8Array(0)] = this.#pieces;
    if (this.#pieces.length > 1) return Buffer.concat(this.#pieces, this.#length);
    return Buffer.from(first.buffer, first.byteOffset, first.length);
  }

  #gather(): void {
    if (this.#filled > this.#gathered) this.#pieces.push(this.#block.subarray(this.#gathered, this.#filled));
    this.#gathered = this.#filled;
  }
}

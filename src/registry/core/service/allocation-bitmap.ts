/** A whole number in [0, bound). */
export type RandomInt = (bound: number) => number;

/**
 * Which items of a range are taken, one bit each. Stored as in Kubernetes: one big-endian number without leading zero bytes, item 0 its
 * lowest bit. Items 0, 1 and 9 are the bytes `02 03`.
 */
export class AllocationBitmap {
  readonly size: number;
  /** Little-endian. */
  readonly #bytes: Uint8Array;

  private constructor(size: number, bytes: Uint8Array) {
    this.size = size;
    this.#bytes = bytes;
  }

  static empty(size: number): AllocationBitmap {
    return new AllocationBitmap(size, new Uint8Array(Math.ceil(size / 8)));
  }

  /** Drops bits beyond `size`: a server with a larger range wrote them. */
  static fromBytes(size: number, data: Uint8Array): AllocationBitmap {
    const bitmap = AllocationBitmap.empty(size);
    const bytes = bitmap.#bytes;
    for (let index = 0; index < bytes.length && index < data.length; index++) {
      bytes[index] = data[data.length - 1 - index] ?? 0;
    }
    for (let item = size; item < bytes.length * 8; item++) bitmap.#clear(item);
    return bitmap;
  }

  toBytes(): Uint8Array {
    let length = this.#bytes.length;
    while (length > 0 && this.#bytes[length - 1] === 0) length--;
    return this.#bytes.slice(0, length).reverse();
  }

  copy(): AllocationBitmap {
    return new AllocationBitmap(this.size, this.#bytes.slice());
  }

  has(item: number): boolean {
    return item < this.size && (((this.#bytes[item >> 3] ?? 0) >> (item & 7)) & 1) === 1;
  }

  /** Returns false when it was already taken. */
  take(item: number): boolean {
    if (item < 0 || item >= this.size) throw new RangeError(`no item ${item} of ${this.size}`);
    if (this.has(item)) return false;
    this.#bytes[item >> 3] = (this.#bytes[item >> 3] ?? 0) | (1 << (item & 7));
    return true;
  }

  /** Returns false when it was already free. */
  release(item: number): boolean {
    if (!this.has(item)) return false;
    this.#clear(item);
    return true;
  }

  /** Takes the first free item at or after a random one, from `start` on. Undefined when all are taken. */
  takeAny(random: RandomInt, start = 0): number | undefined {
    const span = this.size - start;
    if (span <= 0) return undefined;
    const from = random(span);
    for (let step = 0; step < span; step++) {
      const item = start + ((from + step) % span);
      if (this.take(item)) return item;
    }
    return undefined;
  }

  /** Ascending. */
  *items(): Iterable<number> {
    for (let item = 0; item < this.size; item++) {
      if (this.#bytes[item >> 3] === 0) item |= 7;
      else if (this.has(item)) yield item;
    }
  }

  count(): number {
    let count = 0;
    for (const _item of this.items()) count++;
    return count;
  }

  #clear(item: number): void {
    this.#bytes[item >> 3] = (this.#bytes[item >> 3] ?? 0) & ~(1 << (item & 7));
  }
}

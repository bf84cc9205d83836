/** A block holds one bit for each of 2^10 consecutive addresses. */
const blockBits = 10n;
const blockSize = 1 << Number(blockBits);
const blockMask = BigInt(blockSize - 1);

interface Block {
  readonly words: Uint32Array;
  count: number;
}

/** Addresses of one family, as numbers. The search for a missing one skips full blocks of a thousand at once. */
export class AddressSet {
  readonly #blocks = new Map<bigint, Block>();

  add(address: bigint): void {
    const block = this.#blockOf(address) ?? { words: new Uint32Array(blockSize / 32), count: 0 };
    const at = Number(address & blockMask);
    if (isSet(block, at)) return;
    this.#blocks.set(address >> blockBits, block);
    block.words[at >>> 5] = (block.words[at >>> 5] ?? 0) | (1 << (at & 31));
    block.count++;
  }

  delete(address: bigint): void {
    const block = this.#blockOf(address);
    const at = Number(address & blockMask);
    if (block === undefined || !isSet(block, at)) return;
    block.words[at >>> 5] = (block.words[at >>> 5] ?? 0) & ~(1 << (at & 31));
    block.count--;
    if (block.count === 0) this.#blocks.delete(address >> blockBits);
  }

  has(address: bigint): boolean {
    const block = this.#blockOf(address);
    return block !== undefined && isSet(block, Number(address & blockMask));
  }

  /** The first address from `first` to `last`, both included, that is not in the set. */
  firstMissing(first: bigint, last: bigint): bigint | undefined {
    let address = first;
    while (address <= last) {
      const block = this.#blockOf(address);
      if (block === undefined) return address;
      if (block.count === blockSize) {
        address = ((address >> blockBits) + 1n) << blockBits;
        continue;
      }
      const end = address | blockMask;
      for (; address <= end && address <= last; address++) {
        if (!isSet(block, Number(address & blockMask))) return address;
      }
    }
    return undefined;
  }

  /** How many of the addresses from `first` to `last`, both included, are in the set. */
  count(first: bigint, last: bigint): number {
    let count = 0;
    for (const [number, block] of this.#blocks) {
      const start = number << blockBits;
      const end = start | blockMask;
      if (end < first || start > last) continue;
      if (first <= start && end <= last) {
        count += block.count;
        continue;
      }
      for (let at = 0; at < blockSize; at++) {
        const address = start + BigInt(at);
        if (first <= address && address <= last && isSet(block, at)) count++;
      }
    }
    return count;
  }

  #blockOf(address: bigint): Block | undefined {
    return this.#blocks.get(address >> blockBits);
  }
}

function isSet({ words }: Block, at: number): boolean {
  return (((words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

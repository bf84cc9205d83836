import { Buffer } from "node:buffer";

/**
 * An event as printed: text, or text around the bytes of its objects, which are UTF-8, shared with others and must not change.
 */
export type EventText = string | readonly (string | Uint8Array)[];

/** Events in order, as bytes. */
export interface EventBatch {
  /** All events, each with its end, cut anywhere. They must not change. Valid until the batch is released. */
  readonly pieces: readonly Uint8Array[];
  /** The bytes of each event, with its end. */
  readonly lengths: readonly number[];
  readonly byteLength: number;
}

/** A block of memory for text. */
interface Block {
  readonly bytes: Buffer;
  /** How many of its bytes are in pieces that were not released. */
  held: number;
}

const blockBytes = 64 * 1024;
/** Keeps at most 2 MiB: 40,000 events of 600 bytes per second need as much while they are gathered and written. */
const freeBlocksMax = 32;
/** UTF-8 takes at most this many bytes per UTF-16 unit. */
const bytesPerUnitMax = 3;

/**
 * Waiting events. Their text is encoded into large blocks at once, because strings that live until they are written cost more in garbage
 * collection. Blocks are reused, because the first write to a page of fresh memory takes longer than an event.
 */
export class EventQueue {
  readonly #end: number;
  #block: Block = { bytes: Buffer.alloc(0), held: 0 };
  /** The text in the block that is not yet a piece. */
  #textStart = 0;
  #textEnd = 0;
  #pieces: Uint8Array[] = [];
  #lengths: number[] = [];
  #bytes = 0;
  /** Blocks in use, by their memory, except those of long texts. */
  readonly #blocks = new Map<ArrayBufferLike, Block>();
  readonly #free: Block[] = [];

  /** `end`: the ASCII character that follows each event. */
  constructor(end: string) {
    this.#end = end.charCodeAt(0);
  }

  /** The number of events. */
  get length(): number {
    return this.#lengths.length;
  }

  /** Returns the bytes of the event with its end. */
  add(text: EventText): number {
    let bytes = 1;
    if (typeof text === "string") bytes += this.#write(text);
    else
      for (const piece of text) bytes += typeof piece === "string" ? this.#write(piece) : this.#share(piece);
    this.#reserve(1);
    this.#block.bytes[this.#textEnd++] = this.#end;
    this.#lengths.push(bytes);
    this.#bytes += bytes;
    return bytes;
  }

  /** Removes the first events: up to `countMax`, and up to `bytesMax` bytes unless the first one alone is longer. */
  take(countMax: number, bytesMax: number): EventBatch {
    this.#endPiece();
    if (this.#lengths.length <= countMax && this.#bytes <= bytesMax) return this.#takeAll();
    let count = 0;
    let bytes = 0;
    for (const length of this.#lengths) {
      if (count === countMax || (count > 0 && bytes + length > bytesMax)) break;
      bytes += length;
      count++;
    }
    this.#bytes -= bytes;
    return {
      pieces: takeBytes(this.#pieces, bytes),
      lengths: this.#lengths.splice(0, count),
      byteLength: bytes,
    };
  }

  /** Call it once for a batch whose bytes are no longer needed: later events overwrite them. */
  release({ pieces }: EventBatch): void {
    for (const piece of pieces) {
      const block = this.#blocks.get(piece.buffer);
      if (block === undefined) continue;
      block.held -= piece.length;
      if (block.held > 0) continue;
      if (block !== this.#block) this.#recycle(block);
      else if (this.#textStart === this.#textEnd) this.#textStart = this.#textEnd = 0;
    }
  }

  #takeAll(): EventBatch {
    const all = { pieces: this.#pieces, lengths: this.#lengths, byteLength: this.#bytes };
    this.#pieces = [];
    this.#lengths = [];
    this.#bytes = 0;
    return all;
  }

  #write(text: string): number {
    this.#reserve(text.length * bytesPerUnitMax);
    const bytes = this.#block.bytes.write(text, this.#textEnd);
    this.#textEnd += bytes;
    return bytes;
  }

  #reserve(bytes: number): void {
    if (this.#block.bytes.length - this.#textEnd >= bytes) return;
    this.#endPiece();
    const full = this.#block;
    this.#block = this.#newBlock(bytes);
    if (full.held === 0) this.#recycle(full);
    this.#textStart = 0;
    this.#textEnd = 0;
  }

  #newBlock(bytes: number): Block {
    if (bytes > blockBytes) return { bytes: Buffer.allocUnsafeSlow(bytes), held: 0 };
    const block = this.#free.pop() ?? { bytes: Buffer.allocUnsafeSlow(blockBytes), held: 0 };
    this.#blocks.set(block.bytes.buffer, block);
    return block;
  }

  #recycle(block: Block): void {
    if (this.#blocks.delete(block.bytes.buffer) && this.#free.length < freeBlocksMax) this.#free.push(block);
  }

  #share(bytes: Uint8Array): number {
    this.#endPiece();
    this.#pieces.push(bytes);
    return bytes.length;
  }

  #endPiece(): void {
    if (this.#textStart === this.#textEnd) return;
    const piece = this.#block.bytes.subarray(this.#textStart, this.#textEnd);
    this.#pieces.push(piece);
    this.#block.held += piece.length;
    this.#textStart = this.#textEnd;
  }
}

/** Removes the first bytes from `pieces`. */
export function takeBytes(pieces: Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  let whole = 0;
  for (const { length } of pieces) {
    if (length > left) break;
    left -= length;
    whole++;
  }
  const taken = pieces.splice(0, whole);
  const [next] = pieces;
  if (left > 0 && next !== undefined) {
    taken.push(next.subarray(0, left));
    pieces[0] = next.subarray(left);
  }
  return taken;
}

import { Buffer } from "node:buffer";

/**
 * An event as printed: text, or text around the bytes of its objects, which are UTF-8, shared with others and must not change.
 */
export type EventText = string | readonly (string | Uint8Array)[];

/** Events in order, as bytes. */
export interface EventBatch {
  /** All events, each with its end, cut anywhere. They must not change. */
  readonly pieces: readonly Uint8Array[];
  /** The bytes of each event, with its end. */
  readonly lengths: readonly number[];
  readonly byteLength: number;
}

const blockBytes = 64 * 1024;
/** UTF-8 takes so many bytes at most for a UTF-16 unit. */
const bytesPerUnitMax = 3;

/**
 * Events that wait. Their text is encoded when it comes, into large blocks: texts that live until they are written cost the garbage
 * collector more than that.
 */
export class EventQueue {
  readonly #end: number;
  #block = Buffer.alloc(0);
  /** The text in the block that is not yet a piece. */
  #textStart = 0;
  #textEnd = 0;
  #pieces: Uint8Array[] = [];
  #lengths: number[] = [];
  #bytes = 0;

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
    this.#block[this.#textEnd++] = this.#end;
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

  #takeAll(): EventBatch {
    const all = { pieces: this.#pieces, lengths: this.#lengths, byteLength: this.#bytes };
    this.#pieces = [];
    this.#lengths = [];
    this.#bytes = 0;
    return all;
  }

  #write(text: string): number {
    this.#reserve(text.length * bytesPerUnitMax);
    const bytes = this.#block.write(text, this.#textEnd);
    this.#textEnd += bytes;
    return bytes;
  }

  #reserve(bytes: number): void {
    if (this.#block.length - this.#textEnd >= bytes) return;
    this.#endPiece();
    this.#block = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes));
    this.#textStart = 0;
    this.#textEnd = 0;
  }

  #share(bytes: Uint8Array): number {
    this.#endPiece();
    this.#pieces.push(bytes);
    return bytes.length;
  }

  #endPiece(): void {
    if (this.#textStart === this.#textEnd) return;
    this.#pieces.push(this.#block.subarray(this.#textStart, this.#textEnd));
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

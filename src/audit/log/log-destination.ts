import type { EventDestination } from "../audit-backend.js";
import type { EncodedEvent } from "../event-printer.js";
import type { TextPieces } from "../text-pieces.js";

/** Takes whole lines. */
export interface LineTarget {
  /** Rejects when they could not be written; then no part of them is left in the file. */
  write(lines: readonly Line[]): Promise<void>;
  close(): Promise<void>;
}

/** The pieces of a line with its end. */
export interface Line {
  readonly pieces: TextPieces;
  readonly byteLength: number;
}

interface Waiting {
  readonly lines: readonly Line[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Approximate bytes per write. */
const groupBytesMax = 4 * 1024 * 1024;

/** Events as lines, in the order given. Events that arrive during a write go with the next one. */
export class LogDestination implements EventDestination {
  readonly #target: LineTarget;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(target: LineTarget) {
    this.#target = target;
  }

  deliver(events: readonly EncodedEvent[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines: events.map(lineOf), resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#target.close();
  }

  async #write(): Promise<void> {
    // Events of one turn are written together.
    await Promise.resolve();
    for (let from = 0; this.#waiting.length > 0; from = 0) {
      const all = this.#waiting;
      this.#waiting = [];
      while (from < all.length) {
        const group = groupAt(all, from);
        from += group.length;
        await this.#writeGroup(group);
      }
    }
    this.#writing = undefined;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#target.write(group.flatMap(({ lines }) => lines));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function groupAt(all: readonly Waiting[], from: number): readonly Waiting[] {
  let bytes = 0;
  let end = from;
  for (; end < all.length; end++) {
    const lines = all[end]?.lines ?? [];
    for (const { byteLength } of lines) bytes += byteLength;
    if (bytes > groupBytesMax) {
      end++;
      break;
    }
  }
  return all.slice(from, end);
}

function lineOf({ pieces, byteLength }: EncodedEvent): Line {
  return { pieces: [...pieces, "\n"], byteLength: byteLength + 1 };
}

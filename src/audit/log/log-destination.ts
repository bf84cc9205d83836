import type { EventDestination } from "../audit-backend.js";
import type { EventBatch } from "../event-queue.js";

/** Takes whole lines. */
export interface LineTarget {
  /** Rejects when they could not be written. Then no part of them is left in the file. */
  write(lines: EventBatch): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly lines: EventBatch;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Approximate bytes per write. */
const groupBytesMax = 4 * 1024 * 1024;

/** Writes events as lines, in the given order. Events that arrive during a write go with the next one. */
export class LogDestination implements EventDestination {
  readonly eventEnd = "\n";
  readonly #target: LineTarget;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(target: LineTarget) {
    this.#target = target;
  }

  deliver(lines: EventBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, resolve, reject });
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
      await this.#target.write(joined(group));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function groupAt(all: readonly Waiting[], from: number): readonly Waiting[] {
  let bytes = 0;
  let end = from;
  while (end < all.length && bytes <= groupBytesMax) bytes += all[end++]?.lines.byteLength ?? 0;
  return all.slice(from, end);
}

function joined(group: readonly Waiting[]): EventBatch {
  const [first] = group;
  if (group.length === 1 && first !== undefined) return first.lines;
  return {
    pieces: group.flatMap(({ lines }) => lines.pieces),
    lengths: group.flatMap(({ lines }) => lines.lengths),
    byteLength: group.reduce((bytes, { lines }) => bytes + lines.byteLength, 0),
  };
}

import type { Steps } from "../steps.js";
import { piecesOf } from "../text-pieces.js";

/** One to three milliseconds, before the generated functions are optimized. */
const messagesPerStep = 1_000;

const charactersPerMessage = 256;
/** Of a long text. Its encoding takes a millisecond or two. */
const pieceLength = 1024 * 1024;

/** Stands for members that are still to be printed. JSON text has no control characters. */
const gapMark = "\0";

interface Gap {
  readonly print: () => string;
}

/**
 * Lets generated printers end a step in the middle of a large object. Each asks `isOver` for its message. Once a step is over, messages leave
 * gaps in the text, which the next steps fill.
 */
export class SteppedPrint {
  /** Whether what is printed may have gaps. */
  isActive = false;
  #left = 0;
  #gaps: Gap[] = [];

  /** Counts a message, or a quantity; true when it must leave a gap. */
  isOver(): boolean {
    return --this.#left < 0;
  }

  /** Counts what it takes to print a text: long ones take as long as many messages. */
  countText(length: number): void {
    this.#left -= Math.floor(length / charactersPerMessage);
  }

  /** Stands for the text of a value that `print` will print later, and which it counts then. */
  gap<T>(print: (value: T) => string, value: T): string {
    this.#gaps.push({ print: () => print(value) });
    return gapMark;
  }

  /** Prints the members of `object` and hands them to `write`, part by part. */
  *steps(print: (object: object) => string, object: object, write: (text: string) => void): Steps<void> {
    let left = messagesPerStep;
    // The next one last.
    const rest: (string | Gap)[] = [{ print: () => print(object) }];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (typeof next === "string") {
        // The parts of a long text are joined when it is first read.
        if (next.length > pieceLength) yield;
        for (const piece of piecesOf(next, pieceLength)) {
          write(piece);
          if (next.length > pieceLength) yield;
        }
        continue;
      }
      if (left <= 0) {
        yield;
        left = messagesPerStep;
      }
      const printed = this.#run(next, left);
      left = printed.left;
      const { gaps } = printed;
      const parts = gaps.length === 0 ? [printed.text] : printed.text.split(gapMark);
      if (parts.length !== gaps.length + 1) throw new Error("a control character in printed JSON");
      for (let index = parts.length - 1; index >= 0; index--) {
        const part = parts[index];
        if (part !== undefined && part !== "") rest.push(part);
        const gap = gaps[index - 1];
        if (gap !== undefined) rest.push(gap);
      }
    }
  }

  #run({ print }: Gap, left: number): { text: string; gaps: readonly Gap[]; left: number } {
    this.isActive = true;
    this.#left = left;
    this.#gaps = [];
    try {
      const text = print();
      return { text, gaps: this.#gaps, left: this.#left };
    } finally {
      this.isActive = false;
      this.#gaps = [];
    }
  }
}

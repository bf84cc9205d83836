import type { Logger } from "../telemetry/logger.js";
import type { Allocator } from "./allocator.js";

const checkMs = 5_000;
/** Of one core. A server with few clients uses 1 to 3 %. */
const quietShare = 0.1;
/** More than one trim: V8's own collections of a process without work come up to 105 seconds after its last one, and free more. */
const trimAfterQuietMs = [30_000, 60_000, 115_000, 180_000];

export interface IdleTrimParts {
  /** Called once, shortly after the start. Undefined where memory cannot be given back. */
  readonly load: () => Promise<Allocator | undefined>;
  /** Milliseconds of processor time that the process has used. */
  readonly usedMs: () => number;
  readonly log: Logger;
}

/**
 * Gives freed memory back to the system when the server has become quiet. The C library keeps it for reuse, the more the larger the
 * blocks are that it has seen: after many bodies of megabytes it held 100 MB of 220. No request pays for this, because it happens only after
 * the work is done.
 */
export class IdleTrim {
  readonly #parts: IdleTrimParts;
  readonly #timer: NodeJS.Timeout;
  #allocator: Promise<Allocator | undefined> | undefined;
  #usedMs: number;
  #quietMs = 0;
  /** What is left of `trimAfterQuietMs` since the server was last busy. */
  #due: readonly number[] = trimAfterQuietMs;

  constructor(parts: IdleTrimParts) {
    this.#parts = parts;
    this.#usedMs = parts.usedMs();
    this.#timer = setInterval(() => void this.#check(), checkMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    this.#allocator ??= this.#parts.load();
    const usedMs = this.#parts.usedMs();
    const isQuiet = usedMs - this.#usedMs < quietShare * checkMs;
    this.#usedMs = usedMs;
    if (!isQuiet) {
      this.#quietMs = 0;
      this.#due = trimAfterQuietMs;
      return;
    }
    this.#quietMs += checkMs;
    const [next, ...later] = this.#due;
    if (next === undefined || this.#quietMs < next) return;
    this.#due = later;
    try {
      const allocator = await this.#allocator;
      if (allocator === undefined) return this.stop();
      await allocator.giveBack();
    } catch (error) {
      this.stop();
      this.#parts.log.error("freed memory cannot be given back", error);
    }
  }
}

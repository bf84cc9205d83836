import type { Logger } from "../../telemetry/logger.js";
import type { Allocator } from "./allocator.js";

const checkMs = 5_000;
/** A server that uses less than this share of a core is quiet. With few clients it uses 1 to 3 %. */
const quietShare = 0.1;
/** Several trims, because a server that was busy continues to free memory as it drops what it kept for a while. */
const trimAfterQuietMs = [30_000, 60_000, 100_000, 180_000];
const [firstTrimMs = 0] = trimAfterQuietMs;
/**
 * V8's own collections in an idle process come up to 105 seconds after the last one. If they free this much, memory is returned at once.
 */
const freedBytesMin = 4 * 1024 * 1024;

export interface IdleTrimParts {
  /** Called once, shortly after the start. Undefined when memory cannot be returned. */
  readonly load: () => Promise<Allocator | undefined>;
  /** Milliseconds of processor time that the process has used. */
  readonly usedMs: () => number;
  /** Starts a garbage collection. */
  readonly collect: () => void;
  /** Bytes of V8's heap and of buffers. */
  readonly heldBytes: () => number;
  readonly log: Logger;
}

/**
 * Collects garbage and returns freed memory to the system when the server has become quiet. Otherwise the C library keeps it for reuse, the
 * more the larger the blocks it has seen: after many bodies of megabytes it held 100 MB of 220. No request pays for this, because it
 * happens only after the work is done.
 */
export class IdleTrim {
  readonly #parts: IdleTrimParts;
  readonly #timer: NodeJS.Timeout;
  #allocator: Promise<Allocator | undefined> | undefined;
  #usedMs: number;
  #heldBytes = 0;
  #quietMs = 0;
  /** A collection is in progress; the next check returns what it freed. */
  #collects = false;
  /** What remains of `trimAfterQuietMs` since the server was last busy. */
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
    const heldBefore = this.#heldBytes;
    this.#heldBytes = this.#parts.heldBytes();
    if (!isQuiet) {
      this.#quietMs = 0;
      this.#collects = false;
      this.#due = trimAfterQuietMs;
      return;
    }
    this.#quietMs += checkMs;
    const [next = Number.POSITIVE_INFINITY, ...later] = this.#due;
    const isDue = this.#quietMs >= next;
    const hasCollected = this.#collects;
    this.#collects = false;
    if (isDue) this.#due = later;
    // V8 collects by itself soon after work, but not what is released later.
    if (isDue && next > firstTrimMs) {
      this.#parts.collect();
      this.#collects = true;
      return;
    }
    const hasFreed = this.#quietMs >= firstTrimMs && heldBefore - this.#heldBytes >= freedBytesMin;
    if (!isDue && !hasCollected && !hasFreed) return;
    try {
      const allocator = await this.#allocator;
      await allocator?.giveBack();
    } catch (error) {
      this.stop();
      this.#parts.log.error("freed memory could not be returned to the system", error);
    }
  }
}

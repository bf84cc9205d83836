import type { Logger } from "../../telemetry/logger.js";
import type { Allocator } from "./allocator.js";

const checkMs = 5_000;
/** Below this share of a core a server is quiet. One with few clients uses 1 to 3 %. */
const quietShare = 0.1;
/** More than one trim: what was busy goes on to free memory, as it lets go of what it kept for a while. */
const trimAfterQuietMs = [30_000, 60_000, 100_000, 180_000];
const [firstTrimMs = 0] = trimAfterQuietMs;
/** V8's own collections of a process without work come up to 105 seconds after its last one. What they free is worth a trim at once. */
const freedBytesMin = 4 * 1024 * 1024;

export interface IdleTrimParts {
  /** Called once, shortly after the start. Undefined where memory cannot be given back. */
  readonly load: () => Promise<Allocator | undefined>;
  /** Milliseconds of processor time that the process has used. */
  readonly usedMs: () => number;
  /** Begins a collection of garbage. */
  readonly collect: () => void;
  /** Of V8's heap and of buffers. */
  readonly heldBytes: () => number;
  readonly log: Logger;
}

/**
 * Collects garbage, and gives freed memory back to the system, when the server has become quiet. The C library keeps it for reuse, the more the larger the
 * blocks are that it has seen: after many bodies of megabytes it held 100 MB of 220. No request pays for this, because it happens only after
 * the work is done.
 */
export class IdleTrim {
  readonly #parts: IdleTrimParts;
  readonly #timer: NodeJS.Timeout;
  #allocator: Promise<Allocator | undefined> | undefined;
  #usedMs: number;
  #heldBytes = 0;
  #quietMs = 0;
  /** Garbage is being collected, beside the event loop; the next check gives back what that freed. */
  #collects = false;
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
    // V8 collects by itself soon after work; what is let go of later would stay.
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

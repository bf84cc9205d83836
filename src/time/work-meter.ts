import { processorMsOf } from "./processor-time.js";

/** As `processorMsOf`. */
export type ReadProcessorMs = (thread: number) => number | undefined;

/** Measures the processor time that another thread uses for one piece of work. */
export class WorkMeter {
  readonly #read: ReadProcessorMs;
  #thread: number | undefined;
  #before: number | undefined;

  constructor(read: ReadProcessorMs = processorMsOf) {
    this.#read = read;
  }

  /**
   * `thread`: the result of `systemThread` in that thread. Undefined while the thread starts, and where the system does not provide it.
   */
  measure(thread: number | undefined): void {
    this.#thread = thread;
    this.begin();
  }

  /** The work begins now. */
  begin(): void {
    this.#before = this.#now();
  }

  /** Milliseconds since the work began; undefined where the system does not provide them. */
  get usedMs(): number | undefined {
    const now = this.#now();
    return now === undefined || this.#before === undefined ? undefined : now - this.#before;
  }

  #now(): number | undefined {
    return this.#thread === undefined ? undefined : this.#read(this.#thread);
  }
}

/** The time that one thread moves and others read: the offset from the machine's time, or where it has stopped. */
export class SharedTime {
  readonly #cells: Float64Array;

  /** `memory`: that of a `SharedTime` in another thread. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)) {
    this.#cells = new Float64Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#cells.buffer as SharedArrayBuffer; // the constructor's
  }

  now(): number {
    const standing = this.#cells[1] ?? 0;
    return standing === 0 ? Date.now() + (this.#cells[0] ?? 0) : standing;
  }

  get stands(): boolean {
    return this.#cells[1] !== 0;
  }

  standAt(timeMs: number): void {
    this.#cells[1] = timeMs;
  }

  /** Continues from `timeMs`. */
  goOnFrom(timeMs: number): void {
    // In this order, so that a concurrent reader sees the time at which the clock had stopped.
    this.#cells[0] = timeMs - Date.now();
    this.#cells[1] = 0;
  }
}

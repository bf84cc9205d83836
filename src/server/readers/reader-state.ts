const beats = 0;
const connections = 1;
const taken = 2;
const fields = 3;

/** What a reader's thread and the main thread know of each other at once, without messages. Counts wrap around. */
export class ReaderState {
  readonly memory: SharedArrayBuffer;
  readonly #values: Int32Array;

  constructor(memory = new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new Int32Array(memory);
  }

  /** Grows for as long as the event loop of the reader turns. */
  get beats(): number {
    return Atomics.load(this.#values, beats);
  }

  /** Connections that were handed to the reader and have not ended. */
  get connections(): number {
    return Atomics.load(this.#values, connections);
  }

  /** How many of the connections that were handed over the reader has taken. */
  get taken(): number {
    return Atomics.load(this.#values, taken);
  }

  beat(): void {
    Atomics.add(this.#values, beats, 1);
  }

  handedOver(): void {
    Atomics.add(this.#values, connections, 1);
  }

  took(): void {
    Atomics.add(this.#values, taken, 1);
  }

  ended(): void {
    Atomics.sub(this.#values, connections, 1);
  }
}

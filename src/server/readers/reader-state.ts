const beats = 0;
const connections = 1;
const taken = 2;
const fields = 3;

/** State that a reader's thread and the main thread share without messages. Counts wrap around. */
export class ReaderState {
  readonly memory: SharedArrayBuffer;
  readonly #values: Int32Array;

  constructor(memory = new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new Int32Array(memory);
  }

  /** Increases while the reader's event loop runs. */
  get beats(): number {
    return Atomics.load(this.#values, beats);
  }

  /** Connections that the reader was given and that have not ended. */
  get connections(): number {
    return Atomics.load(this.#values, connections);
  }

  /** How many of those connections the reader has taken. */
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

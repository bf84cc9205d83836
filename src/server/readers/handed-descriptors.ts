import { closeSync } from "node:fs";
import type { ReaderState } from "./reader-state.js";

/** Descriptors that were sent to a reader, which takes them in order and closes those that it has taken. */
export class HandedDescriptors {
  readonly #state: ReaderState;
  readonly #onTheirWay: number[] = [];
  #taken = 0;

  constructor(state: ReaderState) {
    this.#state = state;
  }

  add(descriptor: number): void {
    this.#forget();
    this.#onTheirWay.push(descriptor);
  }

  /** Closes those that the reader, which has ended, has not taken. */
  close(): void {
    this.#forget();
    for (const descriptor of this.#onTheirWay.splice(0)) closeSync(descriptor);
  }

  #forget(): void {
    const { taken } = this.#state;
    // Both counts wrap around.
    this.#onTheirWay.splice(0, (taken - this.#taken) | 0);
    this.#taken = taken;
  }
}

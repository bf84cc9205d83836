import type { Revision } from "../kv.js";

/**
 * Reads the store's revision once for all who ask while the read before is under way: each gets an answer to a read that began
 * after it asked, which is what makes it linearizable.
 */
export class RevisionReader {
  readonly #read: () => Promise<Revision>;
  #running: Promise<Revision> | undefined;
  #next: Promise<Revision> | undefined;

  constructor(read: () => Promise<Revision>) {
    this.#read = read;
  }

  read(): Promise<Revision> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#afterRunning(this.#running);
    return this.#next;
  }

  async #afterRunning(running: Promise<Revision>): Promise<Revision> {
    await running.catch(() => undefined);
    this.#next = undefined;
    return this.#start();
  }

  #start(): Promise<Revision> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}

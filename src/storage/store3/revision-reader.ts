import type { Revision } from "../kv.js";

/**
 * Reads the store's revision once for all callers that ask during the previous read: each gets the result of a read that began after
 * it asked, which makes it linearizable.
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

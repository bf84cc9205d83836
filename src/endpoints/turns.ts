import { setImmediate } from "node:timers/promises";

/** Half a turn of 10 ms: the last step, and other requests of the turn, come on top. */
const turnMs = 5;

/**
 * Shares the event loop while large documents are made: await `step` after each small piece of work. All users of one `Turns` share the
 * time of a turn, however many they are; those who began first finish first.
 */
export class Turns {
  readonly #now: () => number;
  #endsAt = 0;
  #pause: Promise<void> | undefined;

  /** `now` is in milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async step(): Promise<void> {
    while (this.#now() >= this.#endsAt) {
      this.#pause ??= setImmediate().then(() => {
        this.#pause = undefined;
        this.#endsAt = this.#now() + turnMs;
      });
      await this.#pause;
    }
  }
}

import { type LoopTurns, loopTurns } from "../../event-loop/loop-turns.js";

/**
 * When requests may begin. Thousands of clients may send one at the same moment, and one client thousands over a single connection; node
 * tells of all of them in one round of the event loop. Those that come when the round has lasted long wait for a turn.
 */
export class RequestTurns {
  readonly #loop: Pick<LoopTurns, "isRoundOver" | "requests">;
  #waiting = 0;

  constructor(loop: Pick<LoopTurns, "isRoundOver" | "requests"> = loopTurns) {
    this.#loop = loop;
  }

  /** Undefined when the request may begin at once; otherwise resolves when it may. The clients, named by address, take turns. */
  wait(client: string): Promise<void> | undefined {
    if (this.#waiting === 0 && !this.#loop.isRoundOver()) return undefined;
    this.#waiting++;
    return this.#loop.requests.take(client).then(() => void this.#waiting--);
  }
}

import { type LoopTurns, loopTurns } from "../../event-loop/loop-turns.js";

/** How many milliseconds of a round requests may begin at once. A turn costs a tenth of a small get, and most rounds bring only such. */
const beginUntilMs = 5;

/**
 * Decides when requests may begin. Thousands may arrive at the same moment, from many clients or over a single connection, and Node.js
 * emits all of them in one round of the event loop. Those that come when the round has lasted long wait for a turn.
 */
export class RequestTurns {
  readonly #loop: Pick<LoopTurns, "isRoundOver" | "requests">;
  #waiting = 0;

  constructor(loop: Pick<LoopTurns, "isRoundOver" | "requests"> = loopTurns) {
    this.#loop = loop;
  }

  /** Undefined when the request may begin at once; otherwise resolves when it may. The clients, named by address, take turns. */
  wait(client: string): Promise<void> | undefined {
    if (this.#waiting === 0 && !this.#loop.isRoundOver(beginUntilMs)) return undefined;
    this.#waiting++;
    return this.#loop.requests.take(client).then(() => void this.#waiting--);
  }
}

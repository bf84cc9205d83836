import { type LoopTurns, loopTurns } from "../../event-loop/loop-turns.js";

/**
 * For how many milliseconds of a round requests may start at once. Waiting for a turn costs a tenth of a small get, and most rounds bring
 * only small requests.
 */
const beginUntilMs = 5;

/**
 * Decides when requests may start. Thousands may arrive at once, from many clients or over one connection, and Node.js emits them all in
 * one round of the event loop. Those that come after the first milliseconds of a round wait for a turn.
 */
export class RequestTurns {
  readonly #loop: Pick<LoopTurns, "isRoundOver" | "requests">;
  #waiting = 0;

  constructor(loop: Pick<LoopTurns, "isRoundOver" | "requests"> = loopTurns) {
    this.#loop = loop;
  }

  /** Undefined if the request may start now; otherwise resolves when it may. Clients, identified by address, take turns. */
  wait(client: string): Promise<void> | undefined {
    if (this.#waiting === 0 && !this.#loop.isRoundOver(beginUntilMs)) return undefined;
    this.#waiting++;
    return this.#loop.requests.take(client).then(() => void this.#waiting--);
  }
}

import { RoundClock, TurnQueue } from "../../apimachinery/turns/turns.js";

/**
 * When requests may begin. Thousands of clients may send one at the same moment, and one client thousands over a single connection; node
 * tells of all of them in one round of the event loop. Those that come when the round has lasted long wait for a turn.
 */
export class RequestTurns {
  readonly #round: Pick<RoundClock, "isOver">;
  readonly #queue: Pick<TurnQueue, "take">;
  #waiting = 0;

  constructor(
    round: Pick<RoundClock, "isOver"> = new RoundClock(),
    queue: Pick<TurnQueue, "take"> = new TurnQueue(),
  ) {
    this.#round = round;
    this.#queue = queue;
  }

  /** Undefined when the request may begin at once; otherwise resolves when it may. The clients, named by address, take turns. */
  wait(client: string): Promise<void> | undefined {
    if (this.#waiting === 0 && !this.#round.isOver()) return undefined;
    this.#waiting++;
    return this.#queue.take(client).then(() => void this.#waiting--);
  }
}

/** Waiting steps, first come, first served. */
type Flow = (() => void)[];

/** Lets callers take turns. */
export interface TakesTurns {
  /** Resolves when the next step may run. `flow` names the one that the step belongs to; without it, the step is a flow of its own. */
  take(flow?: string): Promise<void>;
}

/** Waiting steps of one kind of work. Flows take turns, so that one user's many requests do not delay another's. */
export class TurnQueue implements TakesTurns {
  /** The first one has the next turn. */
  readonly #flows = new Map<unknown, Flow>();
  readonly #added: () => void;

  /** `added` is called when a step begins to wait. */
  constructor(added: () => void) {
    this.#added = added;
  }

  get isEmpty(): boolean {
    return this.#flows.size === 0;
  }

  take(flow?: string): Promise<void> {
    return new Promise((resolve) => {
      const key = flow ?? resolve;
      const waiting = this.#flows.get(key);
      if (waiting === undefined) this.#flows.set(key, [resolve]);
      else waiting.push(resolve);
      this.#added();
    });
  }

  /** Runs the next step; its flow goes to the end of the queue. */
  runNext(): void {
    const [next] = this.#flows;
    if (next === undefined) return;
    const [key, waiting] = next;
    const step = waiting.shift();
    this.#flows.delete(key);
    if (waiting.length > 0) this.#flows.set(key, waiting);
    step?.();
  }
}

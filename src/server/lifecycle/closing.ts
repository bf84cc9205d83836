/** What a server has opened and started; `close` ends it in the opposite order. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#steps.push(close);
  }

  /** Returns `opening`, and closes what it opens with the rest. It may fail before anyone awaits it. */
  opened<T>(opening: Promise<T>, close: (opened: T) => Promise<void> | void): Promise<T> {
    this.add(() => opening.then(close, () => undefined));
    opening.catch(() => undefined);
    return opening;
  }

  /** Ends everything even if a step fails, and then rejects with what failed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "parts of the server did not close");
  }
}

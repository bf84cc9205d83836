import { type Filter, whenHandled } from "./filter.js";

/** Counts requests, except long-running ones, so that shutdown can wait for them. */
export class RequestsUnderWay {
  readonly #done = new Set<() => void>();
  #count = 0;

  /** Requests that arrive while `isDraining` is true are not waited for. */
  filter(isDraining: () => boolean): Filter {
    return (context, next) => {
      if (context.longRunning || isDraining()) return next(context);
      this.#count++;
      return whenHandled(next(context), () => this.#ended());
    };
  }

  /** Resolves when none are left, or when the time is up. */
  async finished(timeoutMs: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#done.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#done.add(done);
    });
  }

  #ended(): void {
    this.#count--;
    if (this.#count === 0) for (const done of this.#done) done();
  }
}

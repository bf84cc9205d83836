import type { SpanRecord } from "../../telemetry/span-record.js";
import type { SpanOutlet } from "./span-outlet.js";

interface EndedSpan {
  record(): SpanRecord;
}

/** Encoding this many takes less than a millisecond. */
const spansMax = 256;
const delayMs = 200;

/** Collects spans that have ended, and passes them on in batches, when there are many or after a moment. */
export class SpanBatches {
  readonly #outlet: SpanOutlet;
  #ended: EndedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(outlet: SpanOutlet) {
    this.#outlet = outlet;
  }

  add(span: EndedSpan): void {
    this.#ended.push(span);
    if (this.#ended.length >= spansMax) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), delayMs).unref();
  }

  /** Passes on what is left, and closes the outlet. */
  async close(withinMs: number): Promise<void> {
    this.#flush();
    await this.#outlet.close(withinMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended.length === 0) return;
    const batch = this.#ended;
    this.#ended = [];
    this.#outlet.send(JSON.stringify(batch.map((span) => span.record())));
  }
}

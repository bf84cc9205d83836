import type { AuditBackend, EventDestination, LossReport } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { EventEncoder } from "./event-encoder.js";
import { EventQueue } from "./event-queue.js";

export interface BlockingBackendOptions {
  readonly name: string;
  readonly encoder: EventEncoder;
  readonly destination: EventDestination;
  /** Fails requests whose events cannot be recorded. */
  readonly isStrict: boolean;
  readonly onLoss: LossReport;
}

/** Modes `blocking` and `blocking-strict`: an event is delivered before its request continues. */
export class BlockingBackend implements AuditBackend {
  readonly #options: BlockingBackendOptions;
  readonly #queue: EventQueue;

  constructor(options: BlockingBackendOptions) {
    this.#options = options;
    this.#queue = new EventQueue(options.destination.eventEnd);
  }

  async process(event: AuditEvent): Promise<boolean> {
    const { name, encoder, destination, isStrict, onLoss } = this.#options;
    const text = encoder.encode(event);
    // Too long, which is counted already. As in Kubernetes, its request continues.
    if (text === undefined) return true;
    this.#queue.add(text);
    const batch = this.#queue.take(1, Number.POSITIVE_INFINITY);
    try {
      await destination.deliver(batch);
      return true;
    } catch (error) {
      onLoss(name, error, 1);
      return !isStrict;
    } finally {
      this.#queue.release(batch);
    }
  }

  async close(): Promise<void> {
    await this.#options.destination.close();
  }
}

import type { AuditBackend, EventDestination, LossReport } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { EventEncoder } from "./event-encoder.js";

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

  constructor(options: BlockingBackendOptions) {
    this.#options = options;
  }

  async process(event: AuditEvent): Promise<boolean> {
    const { name, encoder, destination, isStrict, onLoss } = this.#options;
    const encoded = encoder.encode(event);
    if (encoded === undefined) return !isStrict;
    try {
      await destination.deliver([encoded]);
      return true;
    } catch (error) {
      onLoss(name, error, 1);
      return !isStrict;
    }
  }

  async close(): Promise<void> {
    await this.#options.destination.close();
  }
}

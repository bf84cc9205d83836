import type { AuditEvent } from "./audit-event.js";
import type { EventBatch } from "./event-queue.js";

/** Accepts events. */
export interface AuditBackend {
  /** False when an event could not be recorded and the request must therefore fail. A promise when that takes time. */
  process(event: AuditEvent): Promise<boolean> | boolean;
  /** Flushes the buffer as far as possible and releases all resources. */
  close(): Promise<void>;
}

/** The last step of a backend: a file, or a remote service. */
export interface EventDestination {
  /** One ASCII character, which follows each event of a batch: the end of a line, or the comma between the items of a list. */
  readonly eventEnd: string;
  /** Rejects when not all of the events, which are in order, could be written. The batch must not be used after it settles. */
  deliver(batch: EventBatch): Promise<void>;
  close(): Promise<void>;
}

/**
 * How events are delivered. `batch` delivers later; the others before the request continues, and `blocking-strict` fails the request
 * if that fails.
 */
export type AuditMode = "batch" | "blocking" | "blocking-strict";

/** Counts and logs events that a part of a backend lost. `plugin`: `log`, `webhook`, `buffered`, `truncate`. */
export type LossReport = (plugin: string, error: unknown, eventCount: number) => void;

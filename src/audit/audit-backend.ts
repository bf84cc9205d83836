import type { AuditEvent } from "./audit-event.js";
import type { EncodedEvent } from "./encode-event.js";

/** Where events go. */
export interface AuditBackend {
  /** False when an event could not be kept and requests must fail for that. A promise where it has to be waited for. */
  process(event: AuditEvent): Promise<boolean> | boolean;
  /** Writes what waits, as far as that goes, and lets go of everything. */
  close(): Promise<void>;
}

/** The last step of a backend: a file, or a remote service. */
export interface EventDestination {
  /** Rejects when the events, which come in order, could not all be kept. */
  deliver(events: readonly EncodedEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** How events get to a destination. `batch` delivers later; the others before the request goes on, and strictly fails it. */
export type AuditMode = "batch" | "blocking" | "blocking-strict";

/** Counts and logs events that a part of a backend lost. `plugin`: `log`, `webhook`, `buffered`, `truncate`. */
export type LossReport = (plugin: string, error: unknown, eventCount: number) => void;

import type { LossReport } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { EventText } from "./event-queue.js";

export interface TruncationLimits {
  /** Maximum bytes of one event. */
  readonly eventBytesMax: number;
  /** Maximum bytes of events that are delivered together. */
  readonly batchBytesMax: number;
}

export interface EventEncoderOptions {
  readonly encode: (event: AuditEvent) => EventText;
  /** Undefined never truncates. */
  readonly truncation: TruncationLimits | undefined;
  /** `audit.<domain>/truncated`. */
  readonly truncatedAnnotation: string;
  readonly onLoss: LossReport;
}

/** Encodes events for a backend, without their objects when they are too long. */
export class EventEncoder {
  readonly #options: EventEncoderOptions;

  constructor(options: EventEncoderOptions) {
    this.#options = options;
  }

  /** Undefined for an event that is too long even without its objects. */
  encode(event: AuditEvent): EventText | undefined {
    const { encode, truncation, onLoss } = this.#options;
    const encoded = encode(event);
    if (truncation === undefined || byteLengthOf(encoded) <= truncation.eventBytesMax) return encoded;
    const cut = event.level === "Metadata" ? encoded : encode(this.#truncated(event));
    if (byteLengthOf(cut) <= truncation.eventBytesMax) return cut;
    onLoss("truncate", new Error("event is too large even after truncating"), 1);
    return undefined;
  }

  #truncated(event: AuditEvent): AuditEvent {
    return {
      ...event,
      requestObject: undefined,
      responseObject: undefined,
      annotations: new Map([...event.annotations, [this.#options.truncatedAnnotation, "true"]]),
    };
  }
}

function byteLengthOf(text: EventText): number {
  if (typeof text === "string") return Buffer.byteLength(text);
  let bytes = 0;
  for (const piece of text) bytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  return bytes;
}

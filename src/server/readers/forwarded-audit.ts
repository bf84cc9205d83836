import type { AuditBackend } from "../../audit/audit-backend.js";
import type { AuditEvent, JsonPieces } from "../../audit/audit-event.js";
import type { FromReader } from "./reader-messages.js";

/** Sends the audit events of a reader to the main thread, which has the log and the webhook. */
export class ForwardedAudit implements AuditBackend {
  readonly #post: (message: FromReader) => void;
  readonly #waits: boolean;
  readonly #open = new Map<number, (kept: boolean) => void>();
  #nextId = 1;

  /** `waits`: whether requests wait until their events are kept. */
  constructor(post: (message: FromReader) => void, waits: boolean) {
    this.#post = post;
    this.#waits = waits;
  }

  process(event: AuditEvent): Promise<boolean> | boolean {
    const portable: AuditEvent = {
      ...event,
      requestObject: ownPieces(event.requestObject),
      responseObject: ownPieces(event.responseObject),
    };
    if (!this.#waits) {
      this.#post({ kind: "audit", id: undefined, event: portable });
      return true;
    }
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#post({ kind: "audit", id, event: portable });
    });
  }

  recorded(id: number, kept: boolean): void {
    this.#open.get(id)?.(kept);
    this.#open.delete(id);
  }

  async close(): Promise<void> {}
}

/** A clone of a view would copy its whole buffer. */
function ownPieces(pieces: JsonPieces | undefined): JsonPieces | undefined {
  return pieces?.map((piece) => Uint8Array.from(piece));
}

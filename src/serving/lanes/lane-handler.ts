import { internal, StatusError } from "../../apimachinery/status.js";
import type { Handler } from "../filters/filter.js";
import { openContext } from "../request/open-context.js";
import { LaneAuditTrail } from "./lane-audit.js";
import { LaneExchange } from "./lane-exchange.js";
import type { LaneNotes, LaneOutcome, LaneRequest } from "./lane-messages.js";
import { notesOf } from "./lane-notes.js";

export interface LaneHandlerParts {
  readonly router: Handler;
  /** Resolves when this thread knows of every change that was committed before the call. */
  readonly caughtUp: () => Promise<void>;
  /** An error that belongs to no answer. */
  readonly unexpected: (error: unknown, request: LaneRequest) => void;
}

export interface LaneDone {
  readonly outcome: LaneOutcome;
  readonly notes: LaneNotes;
}

/** Answers requests in a lane, by the same router as on the serving thread. */
export class LaneHandler {
  readonly #parts: LaneHandlerParts;
  readonly #running = new Map<number, AbortController>();

  constructor(parts: LaneHandlerParts) {
    this.#parts = parts;
  }

  async run(request: LaneRequest): Promise<LaneDone> {
    const aborting = new AbortController();
    this.#running.set(request.id, aborting);
    const exchange = new LaneExchange(request, aborting.signal);
    const context = openContext(exchange, new Date(request.receivedAtMs));
    context.authenticatedUser = request.authenticatedUser;
    context.user = request.user;
    const trail = request.auditLevel === undefined ? undefined : new LaneAuditTrail(request.auditLevel);
    if (trail !== undefined) context.beginAudit(trail);
    try {
      await this.#parts.caughtUp();
      await this.#parts.router(context);
      await exchange.finished();
      const { statusCode: status, responseHeaders: headers } = exchange;
      const outcome: LaneOutcome = { kind: "answer", status, headers, body: exchange.answer() };
      return { outcome, notes: notesOf(context, trail) };
    } catch (error) {
      return { outcome: this.#failure(error, request), notes: notesOf(context, trail) };
    } finally {
      this.#running.delete(request.id);
    }
  }

  abort(id: number): void {
    this.#running.get(id)?.abort();
  }

  #failure(error: unknown, request: LaneRequest): LaneOutcome {
    const isExpected =
      error instanceof StatusError && (error.status.reason !== "InternalError" || error.cause === undefined);
    const isWanted = this.#running.get(request.id)?.signal.aborted !== true;
    // As on the serving thread, which does not see the causes.
    if (!isExpected && isWanted) this.#parts.unexpected(error, request);
    if (error instanceof StatusError) return { kind: "error", status: error.status };
    const { status } = internal("the server could not handle the request; see its log");
    return { kind: "error", status };
  }
}

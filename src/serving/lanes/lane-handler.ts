import { internal, StatusError } from "../../apimachinery/errors/status.js";
import type { Span } from "../../telemetry/span.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import type { Handler } from "../filters/filter.js";
import { CollectedExchange } from "../http/collected-exchange.js";
import type { ResponseHeaders } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import type { ObjectForm } from "../responses/large-forms.js";
import { LaneAuditTrail } from "./lane-audit.js";
import type { LaneNotes, LaneOutcome, LaneRequest } from "./lane-messages.js";
import { notesOf } from "./lane-notes.js";

/** Traces requests in a lane. */
export interface LaneTracer {
  /** Starts the span of a request as a child of the one in these headers. */
  begin(parent: Readonly<Record<string, string>>): Span;
  /** The spans that have ended since the last call. They can be cloned. */
  take(): readonly SpanRecord[];
}

export interface LaneHandlerParts {
  readonly router: Handler;
  readonly makeForm: (form: ObjectForm) => Uint8Array;
  /** Resolves when this thread has seen every change that was committed before the call. */
  readonly caughtUp: () => Promise<void>;
  /** Undefined when nothing is traced. */
  readonly tracer?: LaneTracer | undefined;
  /** An error that no answer reports. */
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
    // Headers added besides the answer's own are warnings, which are in the notes.
    const exchange = new CollectedExchange(request, aborting.signal);
    const context = openContext(exchange, new Date(request.receivedAtMs));
    context.authenticatedUser = request.authenticatedUser;
    context.user = request.user;
    const trail = request.auditLevel === undefined ? undefined : new LaneAuditTrail(request.auditLevel);
    if (trail !== undefined) context.beginAudit(trail);
    const { tracer, caughtUp, router, makeForm } = this.#parts;
    const span = request.trace && tracer?.begin(request.trace);
    context.span = span;
    const notes = (): LaneNotes => {
      span?.end();
      return notesOf(context, trail, tracer?.take() ?? []);
    };
    try {
      await caughtUp();
      if (request.form !== undefined) exchange.respond(200, {}, makeForm(request.form));
      else await router(context);
      await exchange.finished();
      const { statusCode: status } = exchange;
      const headers = withoutLength(exchange.responseHeaders);
      const outcome: LaneOutcome = { kind: "answer", status, headers, body: exchange.answer() };
      return { outcome, notes: notes() };
    } catch (error) {
      return { outcome: this.#failure(error, request), notes: notes() };
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
    // Logged here, because the error's causes do not cross to the serving thread.
    if (!isExpected && isWanted) this.#parts.unexpected(error, request);
    if (error instanceof StatusError) return { kind: "error", status: error.status };
    const { status } = internal("the server could not handle the request; see its log");
    return { kind: "error", status };
  }
}

/** The serving thread sends the answer, and may compress it, so it sets the length. */
function withoutLength(headers: ResponseHeaders): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"),
  );
}

import { authenticated } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import type { ObjectForm } from "../responses/large-forms.js";
import type { LaneNotes, LaneOutcome, LaneRequest } from "./lane-messages.js";
import { unsharedBytes } from "./unshared-bytes.js";

/** A lane's result for a request. */
export interface Done {
  readonly outcome: LaneOutcome;
  readonly notes: LaneNotes;
}

/** A request, or a form of an object that an answer needs, as it passes through the lanes. */
export class LaneJob {
  readonly id: number;
  readonly context: RequestContext;
  readonly form: ObjectForm | undefined;
  readonly startedAtMs: number;
  /** Whether this is its second attempt, alone in a lane. */
  isAlone = false;
  isSettled = false;
  readonly #signal: AbortSignal;
  readonly #settle: { resolve(done: Done): void; reject(error: unknown): void };
  #abandon: () => void = () => undefined;

  constructor(
    id: number,
    { context, form }: { readonly context: RequestContext; readonly form?: ObjectForm | undefined },
    startedAtMs: number,
    settle: { resolve(done: Done): void; reject(error: unknown): void },
  ) {
    this.id = id;
    this.context = context;
    this.form = form;
    this.startedAtMs = startedAtMs;
    this.#settle = settle;
    this.#signal = context.signal;
  }

  get user(): string {
    return this.context.user?.name ?? "";
  }

  /** Method and path, for the log. */
  get name(): string {
    return `${this.context.method} ${this.context.path}`;
  }

  /** Calls `listener` if the answer is no longer needed; the job is then rejected. */
  onAbandoned(listener: () => void): void {
    this.#abandon = () => {
      this.reject(this.#signal.reason);
      listener();
    };
    if (this.#signal.aborted) this.#abandon();
    else this.#signal.addEventListener("abort", this.#abandon, { once: true });
  }

  /** The message to the lane. */
  request(): LaneRequest {
    const { exchange, body, receivedAt, audit, span } = this.context;
    const { user, authenticatedUser } = authenticated(this.context);
    // The serving thread compresses answers.
    const { "accept-encoding": _, ...headers } = exchange.headers;
    return {
      id: this.id,
      method: exchange.method,
      target: exchange.target,
      headers,
      remoteAddress: exchange.connection.remoteAddress,
      remotePort: exchange.connection.remotePort,
      authenticatedUser,
      user,
      auditLevel: this.form === undefined ? audit?.level : undefined,
      trace: span?.headers(),
      receivedAtMs: receivedAt.getTime(),
      body: unsharedBytes(body.bytes),
      form: this.form && { ...this.form, body: unsharedBytes(this.form.body) },
    };
  }

  resolve(done: Done): void {
    if (this.#isFirst()) this.#settle.resolve(done);
  }

  reject(error: unknown): void {
    if (this.#isFirst()) this.#settle.reject(error);
  }

  #isFirst(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.#signal.removeEventListener("abort", this.#abandon);
    return true;
  }
}

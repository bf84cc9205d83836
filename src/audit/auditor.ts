import type { RequestScope } from "../request/request-scope.js";
import type { AuditBackend } from "./audit-backend.js";
import type { AuditEvent, AuditStage } from "./audit-event.js";
import type { AuditMetrics } from "./audit-metrics.js";
import { EventTrail, type WriteObserver } from "./event-trail.js";
import type { PolicyEvaluator } from "./policy/evaluate-policy.js";
import type { AuditDecision } from "./policy/policy.js";

export interface AuditorParts {
  readonly evaluate: PolicyEvaluator;
  readonly backends: readonly AuditBackend[];
  /** Whether a backend delivers events before their requests are answered. */
  readonly holdsAnswers: boolean;
  readonly metrics: AuditMetrics;
  /** Whether events repeat message and details of a refusal: from 1.24 on. */
  readonly tellsReasons: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives the writes of requests that are recorded. */
  readonly onStored?: WriteObserver | undefined;
}

/** Records requests according to a policy. */
export class Auditor {
  readonly #parts: AuditorParts;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
  }

  get holdsAnswers(): boolean {
    return this.#parts.holdsAnswers;
  }

  /** Undefined for a request that is not recorded. */
  open(request: RequestScope): AuditRecord | undefined {
    const { evaluate, metrics } = this.#parts;
    const decision = evaluate(request.info, request.authenticatedUser);
    metrics.level(decision.level);
    if (decision.level === "None") return undefined;
    return new AuditRecord(this.#parts, request, decision);
  }

  /** Forwards an event of another thread, which has already counted it. */
  process(event: AuditEvent): Promise<boolean> | boolean {
    return processed(this.#parts.backends, event);
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.backends.map((backend) => backend.close()));
  }
}

/** The events of one request on their way to the backends. */
export class AuditRecord {
  readonly trail: EventTrail;
  readonly #parts: AuditorParts;
  readonly #decision: AuditDecision;
  readonly #receivedAt: number;
  #isOver = false;
  #panic: Error | undefined;

  constructor(parts: AuditorParts, request: RequestScope, decision: AuditDecision) {
    const { tellsReasons, onStored } = parts;
    this.trail = new EventTrail(request, { ...decision, tellsReasons, onStored });
    this.#parts = parts;
    this.#decision = decision;
    this.#receivedAt = request.receivedAt.getTime();
  }

  /** Stage RequestReceived. False when the request must fail because the event could not be kept. */
  received(): Promise<boolean> | boolean {
    return this.#process("RequestReceived", 0);
  }

  /** Stage ResponseStarted: for watches and other long-running requests, and for those refused early. */
  started(code: number): Promise<boolean> | boolean {
    return this.#process("ResponseStarted", code);
  }

  /** A defect of the server has ended the request. */
  failed(error: Error): void {
    this.#panic = error;
  }

  /** The last stage, once. `code` is 0 when the client left before there was an answer. */
  ended(code: number): Promise<boolean> | boolean {
    if (this.#isOver) return true;
    this.#isOver = true;
    if (this.#panic !== undefined) {
      this.trail.recordOutcome({
        status: "Failure",
        reason: "InternalError",
        message: `APIServer panic'd: ${this.#panic.message}`,
      });
      return this.#process("Panic", 500);
    }
    if (code === 0) {
      this.trail.recordOutcome({ status: "Success", message: "Connection closed early" });
      return this.#process("ResponseComplete", 200);
    }
    return this.#process("ResponseComplete", code);
  }

  #process(stage: AuditStage, code: number): Promise<boolean> | boolean {
    if (this.#decision.omitStages.has(stage)) return true;
    const { backends, metrics, now } = this.#parts;
    metrics.event();
    const at = stage === "RequestReceived" ? this.#receivedAt : now();
    const event = this.trail.event(stage, code, at);
    const kept = processed(backends, event);
    if (typeof kept === "boolean") return this.#counted(kept, event);
    return kept.then((result) => this.#counted(result, event));
  }

  #counted(kept: boolean, { stage }: AuditEvent): boolean {
    if (!kept && stage === "RequestReceived") this.#parts.metrics.rejected();
    return kept;
  }
}

/** False when a backend could not keep the event. */
function processed(backends: readonly AuditBackend[], event: AuditEvent): Promise<boolean> | boolean {
  let kept = true;
  let pending: Promise<boolean>[] | undefined;
  for (const backend of backends) {
    const result = backend.process(event);
    if (typeof result === "boolean") {
      kept &&= result;
      continue;
    }
    pending ??= [];
    pending.push(result);
  }
  if (pending === undefined) return kept;
  return Promise.all(pending).then((results) => kept && results.every(Boolean));
}

import { internal, StatusError } from "../../apimachinery/errors/status.js";
import type { Auditor, AuditRecord } from "../../audit/auditor.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handler } from "./filter.js";
import { HeldExchange } from "./held-exchange.js";

/** Records authenticated requests: when they arrive, when long-running ones are answered, and when they end. */
export function audit(auditor: Auditor): Filter {
  return (context, next) => {
    const record = auditor.open(context);
    if (record === undefined) return next(context);
    context.beginAudit(record.trail);
    context.auditRecord = record;
    const received = record.received();
    if (received instanceof Promise)
      return received.then((kept) => begin(kept, auditor, context, record, next));
    return begin(received, auditor, context, record, next);
  };
}

function begin(
  kept: boolean,
  auditor: Auditor,
  context: RequestContext,
  record: AuditRecord,
  next: Handler,
): Promise<void> {
  if (!kept) {
    const target = JSON.stringify(context.requestUri);
    return Promise.reject(internal(`Internal Server Error: ${target}: failed to store audit event`));
  }
  follow(auditor, context, record);
  return next(context);
}

function follow(auditor: Auditor, context: RequestContext, record: AuditRecord): void {
  const { exchange } = context;
  if (context.longRunning) {
    // Upgraded and streamed answers wait for nothing.
    context.onAnswerBegins(() => void record.started(exchange.statusCode));
  } else if (auditor.holdsAnswers && !exchange.isUpgrade) {
    context.exchange = new HeldExchange(exchange, async (status) => record.ended(status));
  }
  context.onAnswerEnded(() => void record.ended(exchange.statusCode));
}

/** Records requests that are refused before their user is known: at once, with their only stage. */
export function auditEarlyRefusals(auditor: Auditor): Filter {
  return (context, next) =>
    next(context).catch(async (error: unknown) => {
      if (context.authenticatedUser === undefined && error instanceof StatusError) {
        const record = auditor.open(context);
        const message = error.code === 401 ? attemptsOf(context) : error.message;
        record?.trail.recordOutcome({ message });
        await record?.started(error.code);
      }
      throw error;
    });
}

/** How a client tried to identify itself. Source: kube-apiserver 1.23, `filters/authn_audit.go`. */
function attemptsOf({ exchange, query }: RequestContext): string {
  const attempts: string[] = [];
  const [scheme = "", token = ""] = (exchange.headers.authorization ?? "").trim().split(" ", 2);
  if (scheme.toLowerCase() === "basic") attempts.push("basic");
  if (scheme.toLowerCase() === "bearer" && token !== "") attempts.push("bearer");
  if ((query.get("access_token") ?? "").trim() !== "") attempts.push("access_token");
  if (exchange.peerCertificates !== undefined) attempts.push("x509");
  return attempts.length === 0
    ? "Authentication failed, no credentials provided"
    : `Authentication failed, attempted: ${attempts.join(", ")}`;
}

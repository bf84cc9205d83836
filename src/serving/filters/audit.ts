import { internal, StatusError } from "../../apimachinery/errors/status.js";
import { formatDuration } from "../../apimachinery/values/duration.js";
import type { Auditor, AuditRecord } from "../../audit/auditor.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handled, Handler } from "./filter.js";
import { HeldExchange } from "./held-exchange.js";

/** Names of the annotations for the time that a slow request spent in each layer. */
export interface LatencyAnnotations {
  /** Prefix of the layer's name: `apiserver.latency.k8s.io/`. */
  readonly prefix: string;
  /** Annotation names, by filter. */
  readonly filters: ReadonlyMap<string, string>;
  readonly storeName: string;
}

/** Kubernetes' threshold. */
const slowMs = 500;

/** Records authenticated requests: when they arrive, when long-running ones are answered, and when they end. */
export function audit(auditor: Auditor, latency?: LatencyAnnotations): Filter {
  const following: Following = { holdsAnswers: auditor.holdsAnswers, latency };
  return (context, next) => {
    const record = auditor.open(context);
    if (record === undefined) return next(context);
    context.beginAudit(record.trail);
    context.auditRecord = record;
    const received = record.received();
    if (received instanceof Promise)
      return received.then((kept) => begin(kept, following, context, record, next));
    return begin(received, following, context, record, next);
  };
}

interface Following {
  readonly holdsAnswers: boolean;
  readonly latency: LatencyAnnotations | undefined;
}

function begin(
  kept: boolean,
  following: Following,
  context: RequestContext,
  record: AuditRecord,
  next: Handler,
): Handled {
  if (!kept) {
    const target = JSON.stringify(context.requestUri);
    return Promise.reject(internal(`Internal Server Error: ${target}: failed to store audit event`));
  }
  follow(following, context, record);
  return next(context);
}

function follow({ holdsAnswers, latency }: Following, context: RequestContext, record: AuditRecord): void {
  const { exchange } = context;
  const ended = (status: number): Promise<boolean> | boolean => {
    if (latency !== undefined) annotateTimes(context, latency);
    return record.ended(status);
  };
  if (context.longRunning) {
    // Upgrades and streamed answers do not wait for the event.
    context.onAnswerBegins(() => void record.started(exchange.statusCode));
  } else if (holdsAnswers && !exchange.isUpgrade) {
    context.exchange = new HeldExchange(exchange, async (status) => ended(status));
  }
  context.onAnswerEnded(() => void ended(exchange.statusCode));
}

/** Annotates where a slow request spent its time. */
function annotateTimes(context: RequestContext, { prefix, filters, storeName }: LatencyAnnotations): void {
  const totalMs = performance.now() - context.startedAtMs;
  if (totalMs <= slowMs) return;
  const tell = (layer: string, ms: number): void => {
    if (ms > 0) context.annotate(`${prefix}${layer}`, formatDuration(BigInt(Math.round(ms * 1e6))));
  };
  tell("total", totalMs);
  tell(storeName, context.storageMs);
  tell("mutating-webhook", context.mutatingWebhooksMs);
  tell("validating-webhook", context.validatingWebhooksMs);
  for (const [filter, layer] of filters) tell(layer, context.filterTimes?.get(filter) ?? 0);
}

/**
 * Records requests that are refused before their user is known: at once, as a single stage. For a failed authentication, `attempts`
 * describes what was tried instead of the answer, but never the credential itself.
 */
export function auditEarlyRefusals(auditor: Auditor, attempts?: () => string): Filter {
  return (context, next) =>
    next(context)?.catch(async (error: unknown) => {
      if (context.authenticatedUser === undefined && error instanceof StatusError) {
        const record = auditor.open(context);
        if (attempts === undefined || error.code !== 401) record?.trail.recordStatus(error.status);
        else record?.trail.recordOutcome({ message: attempts() });
        await record?.started(error.code);
      }
      throw error;
    });
}

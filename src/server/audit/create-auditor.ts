import { readFile } from "node:fs/promises";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { AuditBackend, AuditMode, EventDestination, LossReport } from "../../audit/audit-backend.js";
import type { AuditEvent } from "../../audit/audit-event.js";
import { AuditMetrics } from "../../audit/audit-metrics.js";
import { Auditor } from "../../audit/auditor.js";
import { BatchingBackend, type BatchingLimits } from "../../audit/batching-backend.js";
import { BlockingBackend } from "../../audit/blocking-backend.js";
import { EventEncoder, type TruncationLimits } from "../../audit/event-encoder.js";
import { type AuditVersion, EventPrinter } from "../../audit/event-printer.js";
import type { EventText } from "../../audit/event-queue.js";
import type { WriteObserver } from "../../audit/event-trail.js";
import { legacyLine } from "../../audit/legacy-line.js";
import { LogDestination } from "../../audit/log/log-destination.js";
import { RotatingFile } from "../../audit/log/rotating-file.js";
import { streamTarget } from "../../audit/log/stream-target.js";
import { policyEvaluator } from "../../audit/policy/evaluate-policy.js";
import { parsePolicy } from "../../audit/policy/parse-policy.js";
import type { AuditPolicy } from "../../audit/policy/policy.js";
import { WebhookDestination } from "../../audit/webhook/webhook-destination.js";
import type { Naming } from "../../naming/naming.js";
import { webhookBackoff } from "../../remote/backoff.js";
import type { Dial } from "../../remote/remote-client.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { Clock } from "../../time/clock.js";
import { openWebhookClient } from "../connections/webhook-client.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { lossLog } from "./loss-log.js";

export interface AuditorContext {
  readonly options: Options;
  readonly naming: Naming;
  readonly log: Logger;
  /** Clock of the events. */
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Connects to the webhook; undefined connects directly. */
  readonly dial?: Dial | undefined;
  readonly onStored?: WriteObserver | undefined;
  /** Replaces the backends that the options name. */
  readonly backend?: AuditBackend | undefined;
}

/** kube-apiserver's default. */
const defaultFileMegabytes = 100;
/** The log may take several batches per delivery: it writes lines one after the other anyway. */
const logDeliverySize = 4096;
/** Deliveries to the log keep their order; those that arrive during a write are written together. */
const logConcurrency = 256;
/** Concurrent batches to a webhook, so that a slow one does not delay the others. */
const webhookConcurrency = 8;

/** Undefined when nothing is recorded. Rejects with an `Error` that names the option. */
export async function createAuditor(context: AuditorContext): Promise<Auditor | undefined> {
  const { options, log } = context;
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = options;
  // Shown as 0 even when nothing is recorded, as in Kubernetes.
  const metrics = new AuditMetrics(context.metrics);
  // As in Kubernetes, a bad policy ends the start even when nothing is recorded.
  const policy = auditPolicyFile === undefined ? undefined : await readPolicy(context, auditPolicyFile);
  const hasBackend = auditLogPath !== undefined || auditWebhookConfigFile !== undefined;
  if (policy === undefined && !hasBackend) return undefined;
  if (policy === undefined || !hasBackend) {
    const missing = hasBackend ? "--audit-policy-file" : "--audit-log-path or --audit-webhook-config-file";
    log.warn(`no audit events are recorded, because ${missing} is not given`);
    return undefined;
  }
  return new Auditor({
    evaluate: policyEvaluator(policy),
    backends: context.backend === undefined ? await openBackends(context, metrics) : [context.backend],
    holdsAnswers: auditHoldsAnswers(options),
    tellsReasons: isAtLeast(options.apiLevel, "1.24"),
    metrics,
    now: () => context.clock.now(),
    onStored: context.onStored,
  });
}

/** Whether a backend delivers events before their requests are answered. */
export function auditHoldsAnswers(options: Options): boolean {
  const { auditLogPath, auditLogMode, auditWebhookConfigFile, auditWebhookMode } = options;
  return (
    (auditLogPath !== undefined && auditLogMode !== "batch") ||
    (auditWebhookConfigFile !== undefined && auditWebhookMode !== "batch")
  );
}

async function openBackends(context: AuditorContext, metrics: AuditMetrics): Promise<AuditBackend[]> {
  const { auditLogPath, auditWebhookConfigFile } = context.options;
  const onLoss = lossLog(context.log, metrics, () => performance.now());
  const backends: AuditBackend[] = [];
  try {
    if (auditLogPath !== undefined) backends.push(await logBackend(context, auditLogPath, onLoss));
    if (auditWebhookConfigFile !== undefined) {
      backends.push(await webhookBackend(context, auditWebhookConfigFile, onLoss));
    }
  } catch (error) {
    for (const backend of backends) await backend.close();
    throw error;
  }
  return backends;
}

async function readPolicy({ naming, log, options }: AuditorContext, file: string): Promise<AuditPolicy> {
  const { policy, unknownFields } = await forOption("audit-policy-file", naming, async () =>
    parsePolicy(await readFile(file), naming.group("audit"), options.apiLevel),
  );
  if (unknownFields.length > 0) {
    log.warn("the audit policy has unknown fields", { file, fields: unknownFields.join(", ") });
  }
  return policy;
}

/** 0 megabytes stand for the default, and from 1.36 on for a file that is never rotated. */
export function logFileBytesMax({
  auditLogMaxsize: megabytes,
  apiLevel,
}: Pick<Options, "auditLogMaxsize" | "apiLevel">): number {
  if (megabytes === 0 && isAtLeast(apiLevel, "1.36")) return Number.POSITIVE_INFINITY;
  return (megabytes || defaultFileMegabytes) * 1024 * 1024;
}

async function logBackend(
  { options, naming, log }: AuditorContext,
  path: string,
  onLoss: LossReport,
): Promise<AuditBackend> {
  const target =
    path === "-"
      ? streamTarget(process.stdout)
      : await forOption("audit-log-path", naming, () =>
          RotatingFile.open({
            path,
            bytesMax: logFileBytesMax(options),
            backupsMax: options.auditLogMaxbackup,
            daysMax: options.auditLogMaxage,
            compress: options.auditLogCompress,
            now: () => new Date(),
            onProblem: (error) => log.error("old audit logs could not be compressed or deleted", error),
          }),
        );
  const apiVersion = `${naming.group("audit")}/${options.auditLogVersion}`;
  const printer = new EventPrinter(options.auditLogVersion, apiVersion);
  const encode =
    options.auditLogFormat === "legacy" ? legacyLine : (event: AuditEvent): EventText => printer.print(event);
  return backendOf({
    name: "log",
    mode: options.auditLogMode,
    encode,
    truncation: options.auditLogTruncateEnabled
      ? {
          eventBytesMax: options.auditLogTruncateMaxEventSize,
          batchBytesMax: options.auditLogTruncateMaxBatchSize,
        }
      : undefined,
    naming,
    destination: new LogDestination(target),
    limits: {
      bufferSize: options.auditLogBatchBufferSize,
      batchSize: options.auditLogBatchMaxSize,
      maxWaitMs: options.auditLogBatchMaxWaitMs,
      throttle: options.auditLogBatchThrottleEnable
        ? { rate: options.auditLogBatchThrottleQps, burst: options.auditLogBatchThrottleBurst }
        : undefined,
      deliverySize: logDeliverySize,
      concurrency: logConcurrency,
    },
    onLoss,
  });
}

async function webhookBackend(
  { options, naming, log, dial }: AuditorContext,
  file: string,
  onLoss: LossReport,
): Promise<AuditBackend> {
  const client = await forOption("audit-webhook-config-file", naming, () =>
    openWebhookClient({ file, dial, log, name: "the audit webhook" }),
  );
  const version: AuditVersion = options.auditWebhookVersion;
  const printer = new EventPrinter(version);
  return backendOf({
    name: "webhook",
    mode: options.auditWebhookMode,
    encode: (event) => printer.print(event),
    truncation: options.auditWebhookTruncateEnabled
      ? {
          eventBytesMax: options.auditWebhookTruncateMaxEventSize,
          batchBytesMax: options.auditWebhookTruncateMaxBatchSize,
        }
      : undefined,
    naming,
    destination: new WebhookDestination({
      client,
      apiVersion: `${naming.group("audit")}/${version}`,
      backoff: webhookBackoff(options.auditWebhookInitialBackoffMs),
      random: Math.random,
    }),
    limits: {
      bufferSize: options.auditWebhookBatchBufferSize,
      batchSize: options.auditWebhookBatchMaxSize,
      maxWaitMs: options.auditWebhookBatchMaxWaitMs,
      throttle: options.auditWebhookBatchThrottleEnable
        ? { rate: options.auditWebhookBatchThrottleQps, burst: options.auditWebhookBatchThrottleBurst }
        : undefined,
      deliverySize: options.auditWebhookBatchMaxSize,
      concurrency: webhookConcurrency,
    },
    onLoss,
  });
}

function backendOf(parts: {
  readonly name: string;
  readonly mode: AuditMode;
  readonly encode: (event: AuditEvent) => EventText;
  readonly truncation: TruncationLimits | undefined;
  readonly naming: Naming;
  readonly destination: EventDestination;
  readonly limits: Omit<BatchingLimits, "batchBytesMax">;
  readonly onLoss: LossReport;
}): AuditBackend {
  const { name, mode, encode, truncation, naming, destination, limits, onLoss } = parts;
  const truncatedAnnotation = `${naming.group("audit")}/truncated`;
  const encoder = new EventEncoder({ encode, truncation, truncatedAnnotation, onLoss });
  if (mode === "batch") {
    const batchBytesMax = truncation?.batchBytesMax ?? Number.POSITIVE_INFINITY;
    return new BatchingBackend({ name, encoder, destination, limits: { ...limits, batchBytesMax }, onLoss });
  }
  return new BlockingBackend({ name, encoder, destination, isStrict: mode === "blocking-strict", onLoss });
}

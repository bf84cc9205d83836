import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { CombinationRule, RuleContext } from "./combination-rule.js";
import type { OptionName, Options } from "./options.js";

export const auditRules: readonly CombinationRule[] = [auditLog, auditWebhook, auditVersionsOfLevel];

/** As in Kubernetes, options of a disabled backend are not checked. */
function auditLog({ options, flag }: RuleContext): string | undefined {
  if (options.auditLogPath === undefined) return undefined;
  return (
    (options.auditLogMode === "batch" ? batchLimits("log", options, flag) : undefined) ??
    truncateLimits("log", options, flag)
  );
}

function auditWebhook({ options, flag }: RuleContext): string | undefined {
  if (options.auditWebhookConfigFile === undefined) return undefined;
  return (
    (options.auditWebhookMode === "batch" ? batchLimits("webhook", options, flag) : undefined) ??
    truncateLimits("webhook", options, flag)
  );
}

type AuditBackend = "log" | "webhook";

function batchLimits(backend: AuditBackend, options: Options, flag: RuleContext["flag"]): string | undefined {
  const log = backend === "log";
  const throttled = log ? options.auditLogBatchThrottleEnable : options.auditWebhookBatchThrottleEnable;
  const limits: readonly (readonly [OptionName, number])[] = [
    [
      `audit-${backend}-batch-buffer-size`,
      log ? options.auditLogBatchBufferSize : options.auditWebhookBatchBufferSize,
    ],
    [
      `audit-${backend}-batch-max-size`,
      log ? options.auditLogBatchMaxSize : options.auditWebhookBatchMaxSize,
    ],
    [
      `audit-${backend}-batch-throttle-qps`,
      log ? options.auditLogBatchThrottleQps : options.auditWebhookBatchThrottleQps,
    ],
    [
      `audit-${backend}-batch-throttle-burst`,
      log ? options.auditLogBatchThrottleBurst : options.auditWebhookBatchThrottleBurst,
    ],
  ];
  const checked = throttled ? limits : limits.slice(0, 2);
  const bad = checked.find(([, value]) => value <= 0);
  return bad && `${flag(bad[0])} ${bad[1]}: must be a positive number in batch mode`;
}

function truncateLimits(
  backend: AuditBackend,
  options: Options,
  flag: RuleContext["flag"],
): string | undefined {
  const log = backend === "log";
  const batchBytes = log ? options.auditLogTruncateMaxBatchSize : options.auditWebhookTruncateMaxBatchSize;
  const eventBytes = log ? options.auditLogTruncateMaxEventSize : options.auditWebhookTruncateMaxEventSize;
  const eventFlag = flag(`audit-${backend}-truncate-max-event-size`);
  if (eventBytes <= 0) return `${eventFlag} ${eventBytes}: must be a positive number`;
  return batchBytes < eventBytes
    ? `${flag(`audit-${backend}-truncate-max-batch-size`)} ${batchBytes}: must be greater than ${eventFlag} (${eventBytes})`
    : undefined;
}

/** Later levels have only the stable version. */
function auditVersionsOfLevel({ options, naming, flag }: RuleContext): string | undefined {
  if (!isAtLeast(options.apiLevel, "1.24")) return undefined;
  const given = {
    "audit-log-version": options.auditLogVersion,
    "audit-webhook-version": options.auditWebhookVersion,
  } as const;
  for (const name of ["audit-log-version", "audit-webhook-version"] as const) {
    if (given[name] === "v1") continue;
    const group = naming.group("audit");
    return `${flag(name)}: invalid group version "${group}/${given[name]}", allowed versions are ${group}/v1`;
  }
  return undefined;
}

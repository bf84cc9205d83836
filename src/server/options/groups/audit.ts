import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, choice, custom, duration, float, int, text, type ValueType } from "../value-types.js";

const modes = ["batch", "blocking", "blocking-strict"] as const;

const versions = ["v1", "v1beta1", "v1alpha1"] as const;
type AuditVersion = (typeof versions)[number];

/** The API group contains a vendor word. */
const auditVersion: ValueType<AuditVersion> = {
  typeName: "string",
  parse(given, _previous, naming) {
    const value = versions.find((version) => given === `${naming.group("audit")}/${version}`);
    if (value !== undefined) return { value };
    const allowed = versions.map((version) => `${naming.group("audit")}/${version}`).join(",");
    return { problem: `invalid group version ${JSON.stringify(given)}, allowed versions are ${allowed}` };
  },
  format: (version, naming) => `${naming.group("audit")}/${version}`,
};

export const audit = optionGroup("Audit", {
  "audit-policy-file": text({
    help: "File with the audit policy: which requests are recorded, and at which level of detail.",
  }),
  "audit-log-path": text({
    help: "File to write audit events to, or - for standard output. When not given, there is no audit log.",
  }),
  "audit-log-mode": choice(modes, {
    default: "blocking",
    help: "How events are written: batch (buffered, written in the background), blocking (each response waits for its event), or blocking-strict (as blocking, and a request whose start cannot be recorded fails).",
  }),
  "audit-log-format": choice(["legacy", "json"], {
    default: "json",
    help: "Format of the log: legacy (one line of text per event) or json.",
  }),
  "audit-log-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events in the log.",
  }),
  "audit-log-batch-buffer-size": int({
    default: 10000,
    help: "Maximum number of events that wait to be written to the log. Batch mode only.",
  }),
  "audit-log-batch-max-size": int({
    default: 1,
    help: "Maximum number of events in a batch for the log. Batch mode only.",
  }),
  "audit-log-batch-max-wait": duration({
    help: "Maximum time before a batch that is not full is written to the log. Batch mode only.",
    check: notNegative,
  }),
  "audit-log-batch-throttle-burst": int({
    help: "Maximum burst of batches to the log after an idle time. Batch mode with throttling only.",
  }),
  "audit-log-batch-throttle-enable": bool({
    help: "Throttle batches to the log. Batch mode only.",
  }),
  "audit-log-batch-throttle-qps": float({
    help: "Maximum average rate of batches to the log, in batches per second. Batch mode with throttling only.",
  }),
  "audit-log-truncate-enabled": bool({
    help: "Truncate events, and split batches, that are too large for the log.",
  }),
  "audit-log-truncate-max-batch-size": int({
    default: 10485760,
    help: "Maximum size of a batch for the log, in bytes. Larger batches are split. Used with --audit-log-truncate-enabled.",
  }),
  "audit-log-truncate-max-event-size": int({
    default: 102400,
    help: "Maximum size of an event for the log, in bytes. A larger event loses its request and response objects, and is dropped if it is still too large. Used with --audit-log-truncate-enabled.",
  }),
  "audit-log-maxage": int({
    later: { since: "1.36", default: 366 },
    help: "Days to keep rotated log files. 0 means no limit.",
    check: notNegative,
  }),
  "audit-log-maxbackup": int({
    later: { since: "1.36", default: 100 },
    help: "Maximum number of rotated log files to keep. 0 means no limit.",
    check: notNegative,
  }),
  "audit-log-maxsize": int({
    later: { since: "1.36", default: 100 },
    help: "Size in megabytes at which the log file is rotated. 0 means 100; from API level 1.36 on, it means no rotation.",
    check: notNegative,
  }),
  "audit-log-compress": bool({ help: "Compress rotated log files with gzip." }),
  "audit-webhook-config-file": text({
    help: "Kubeconfig file for the webhook that audit events are sent to. When not given, there is no audit webhook.",
  }),
  "audit-webhook-mode": choice(modes, {
    default: "batch",
    help: "How events are sent: batch, blocking or blocking-strict, as for --audit-log-mode.",
  }),
  "audit-webhook-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events sent to the webhook.",
  }),
  "audit-webhook-batch-buffer-size": int({
    default: 10000,
    help: "Maximum number of events that wait to be sent to the webhook. Batch mode only.",
  }),
  "audit-webhook-batch-max-size": int({
    default: 400,
    help: "Maximum number of events in a batch for the webhook. Batch mode only.",
  }),
  "audit-webhook-batch-max-wait": duration({
    default: "30s",
    help: "Maximum time before a batch that is not full is sent to the webhook. Batch mode only.",
    check: notNegative,
  }),
  "audit-webhook-batch-throttle-burst": int({
    default: 15,
    help: "Maximum burst of batches to the webhook after an idle time. Batch mode with throttling only.",
  }),
  "audit-webhook-batch-throttle-enable": bool({
    default: true,
    help: "Throttle batches to the webhook. Batch mode only.",
  }),
  "audit-webhook-batch-throttle-qps": float({
    default: 10,
    help: "Maximum average rate of batches to the webhook, in batches per second. Batch mode with throttling only.",
  }),
  "audit-webhook-initial-backoff": duration({
    default: "10s",
    help: "Wait before the first retry of a failed request to the webhook.",
    check: notNegative,
  }),
  "audit-webhook-truncate-enabled": bool({
    help: "Truncate events, and split batches, that are too large for the webhook.",
  }),
  "audit-webhook-truncate-max-batch-size": int({
    default: 10485760,
    help: "Maximum size of a batch for the webhook, in bytes. Larger batches are split. Used with --audit-webhook-truncate-enabled.",
  }),
  "audit-webhook-truncate-max-event-size": int({
    default: 102400,
    help: "Maximum size of an event for the webhook, in bytes. A larger event loses its request and response objects, and is dropped if it is still too large. Used with --audit-webhook-truncate-enabled.",
  }),
});

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
  "audit-policy-file": text({ help: "File that says which requests are recorded, and how fully." }),
  "audit-log-path": text({ help: "File to write audit events to; - for standard output." }),
  "audit-log-mode": choice(modes, {
    default: "blocking",
    help: "How events get to the log: batch (buffered, later), blocking (before the answer is sent), blocking-strict (failure to record fails the request).",
  }),
  "audit-log-format": choice(["legacy", "json"], {
    default: "json",
    help: "Form of the log: legacy (a line of text to an event) or json.",
  }),
  "audit-log-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events in the log.",
  }),
  "audit-log-batch-buffer-size": int({
    default: 10000,
    help: "Events waiting for the log at most. Batch mode only.",
  }),
  "audit-log-batch-max-size": int({
    default: 1,
    help: "Events written to the log at a time at most. Batch mode only.",
  }),
  "audit-log-batch-max-wait": duration({
    help: "How long an incomplete batch waits before it is written to the log. Batch mode only.",
    check: notNegative,
  }),
  "audit-log-batch-throttle-burst": int({
    help: "Batches written to the log at once when none were for a while. Batch mode only.",
  }),
  "audit-log-batch-throttle-enable": bool({
    help: "Limit the rate of batches to the log. Batch mode only.",
  }),
  "audit-log-batch-throttle-qps": float({
    help: "Batches written to the log per second on average. Batch mode only.",
  }),
  "audit-log-truncate-enabled": bool({
    help: "Cut events and batches for the log that are too large.",
  }),
  "audit-log-truncate-max-batch-size": int({
    default: 10485760,
    help: "Bytes of a batch for the log; a larger one is split.",
  }),
  "audit-log-truncate-max-event-size": int({
    default: 102400,
    help: "Bytes of an event for the log; a larger one loses its request and response, and is dropped if still too large.",
  }),
  "audit-log-maxage": int({
    later: { since: "1.36", default: 366 },
    help: "Days to keep rotated log files. 0 keeps them.",
    check: notNegative,
  }),
  "audit-log-maxbackup": int({
    later: { since: "1.36", default: 100 },
    help: "Rotated log files to keep. 0 means all of them.",
    check: notNegative,
  }),
  "audit-log-maxsize": int({
    later: { since: "1.36", default: 100 },
    help: "Megabytes after which the log file is rotated. 0 means 100, and no rotation from API level 1.36 on.",
    check: notNegative,
  }),
  "audit-log-compress": bool({ help: "Compress rotated log files with gzip." }),
  "audit-webhook-config-file": text({
    help: "Client configuration file of a remote service to send audit events to.",
  }),
  "audit-webhook-mode": choice(modes, {
    default: "batch",
    help: "How events get to the webhook: batch, blocking or blocking-strict, as for the log.",
  }),
  "audit-webhook-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events sent to the webhook.",
  }),
  "audit-webhook-batch-buffer-size": int({
    default: 10000,
    help: "Events waiting for the webhook at most. Batch mode only.",
  }),
  "audit-webhook-batch-max-size": int({
    default: 400,
    help: "Events sent to the webhook at a time at most. Batch mode only.",
  }),
  "audit-webhook-batch-max-wait": duration({
    default: "30s",
    help: "How long an incomplete batch waits before it is sent to the webhook. Batch mode only.",
    check: notNegative,
  }),
  "audit-webhook-batch-throttle-burst": int({
    default: 15,
    help: "Batches sent to the webhook at once when none were for a while. Batch mode only.",
  }),
  "audit-webhook-batch-throttle-enable": bool({
    default: true,
    help: "Limit the rate of batches to the webhook. Batch mode only.",
  }),
  "audit-webhook-batch-throttle-qps": float({
    default: 10,
    help: "Batches sent to the webhook per second on average. Batch mode only.",
  }),
  "audit-webhook-initial-backoff": duration({
    default: "10s",
    help: "How long to wait before a failed request to the webhook is made again.",
    check: notNegative,
  }),
  "audit-webhook-truncate-enabled": bool({
    help: "Cut events and batches for the webhook that are too large.",
  }),
  "audit-webhook-truncate-max-batch-size": int({
    default: 10485760,
    help: "Bytes of a batch for the webhook; a larger one is split.",
  }),
  "audit-webhook-truncate-max-event-size": int({
    default: 102400,
    help: "Bytes of an event for the webhook; a larger one loses its request and response, and is dropped if still too large.",
  }),
});

import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, choice, custom, duration, float, int, text, type ValueType } from "../value-types.js";

const notYet = "audit events";
const modes = ["batch", "blocking", "blocking-strict"] as const;

/** The group carries a vendor word; there is one version. */
const auditVersion: ValueType<"v1"> = {
  typeName: "string",
  parse: (given, _previous, naming) =>
    given === `${naming.group("audit")}/v1`
      ? { value: "v1" }
      : {
          problem: `invalid group version ${JSON.stringify(given)}, allowed versions are ${naming.group("audit")}/v1`,
        },
  format: (version, naming) => `${naming.group("audit")}/${version}`,
};

export const audit = optionGroup("Audit", {
  "audit-policy-file": text({ help: "File that says which requests are recorded, and how fully.", notYet }),
  "audit-log-path": text({ help: "File to write audit events to; - for standard output.", notYet }),
  "audit-log-mode": choice(modes, {
    default: "blocking",
    help: "How events get to the log: batch (buffered, later), blocking (before the answer is sent), blocking-strict (failure to record fails the request).",
    notYet,
  }),
  "audit-log-format": choice(["legacy", "json"], {
    default: "json",
    help: "Form of the log: legacy (a line of text to an event) or json.",
    notYet,
  }),
  "audit-log-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events in the log.",
    notYet,
  }),
  "audit-log-batch-buffer-size": int({
    default: 10000,
    help: "Events waiting for the log at most. Batch mode only.",
    notYet,
  }),
  "audit-log-batch-max-size": int({
    default: 1,
    help: "Events written to the log at a time at most. Batch mode only.",
    notYet,
  }),
  "audit-log-batch-max-wait": duration({
    help: "How long an incomplete batch waits before it is written to the log. Batch mode only.",
    check: notNegative,
    notYet,
  }),
  "audit-log-batch-throttle-burst": int({
    help: "Batches written to the log at once when none were for a while. Batch mode only.",
    notYet,
  }),
  "audit-log-batch-throttle-enable": bool({
    help: "Limit the rate of batches to the log. Batch mode only.",
    notYet,
  }),
  "audit-log-batch-throttle-qps": float({
    help: "Batches written to the log per second on average. Batch mode only.",
    notYet,
  }),
  "audit-log-truncate-enabled": bool({
    help: "Cut events and batches for the log that are too large.",
    notYet,
  }),
  "audit-log-truncate-max-batch-size": int({
    default: 10485760,
    help: "Bytes of a batch for the log; a larger one is split.",
    notYet,
  }),
  "audit-log-truncate-max-event-size": int({
    default: 102400,
    help: "Bytes of an event for the log; a larger one loses its request and response, and is dropped if still too large.",
    notYet,
  }),
  "audit-log-maxage": int({
    help: "Days to keep rotated log files. 0 keeps them.",
    check: notNegative,
    notYet,
  }),
  "audit-log-maxbackup": int({
    help: "Rotated log files to keep. 0 means all of them.",
    check: notNegative,
    notYet,
  }),
  "audit-log-maxsize": int({
    help: "Megabytes after which the log file is rotated.",
    check: notNegative,
    notYet,
  }),
  "audit-log-compress": bool({ help: "Compress rotated log files with gzip.", notYet }),
  "audit-webhook-config-file": text({
    help: "Client configuration file of a remote service to send audit events to.",
    notYet,
  }),
  "audit-webhook-mode": choice(modes, {
    default: "batch",
    help: "How events get to the webhook: batch, blocking or blocking-strict, as for the log.",
    notYet,
  }),
  "audit-webhook-version": custom(auditVersion, {
    default: "v1",
    help: "API group and version of the events sent to the webhook.",
    notYet,
  }),
  "audit-webhook-batch-buffer-size": int({
    default: 10000,
    help: "Events waiting for the webhook at most. Batch mode only.",
    notYet,
  }),
  "audit-webhook-batch-max-size": int({
    default: 400,
    help: "Events sent to the webhook at a time at most. Batch mode only.",
    notYet,
  }),
  "audit-webhook-batch-max-wait": duration({
    default: "30s",
    help: "How long an incomplete batch waits before it is sent to the webhook. Batch mode only.",
    check: notNegative,
    notYet,
  }),
  "audit-webhook-batch-throttle-burst": int({
    default: 15,
    help: "Batches sent to the webhook at once when none were for a while. Batch mode only.",
    notYet,
  }),
  "audit-webhook-batch-throttle-enable": bool({
    default: true,
    help: "Limit the rate of batches to the webhook. Batch mode only.",
    notYet,
  }),
  "audit-webhook-batch-throttle-qps": float({
    default: 10,
    help: "Batches sent to the webhook per second on average. Batch mode only.",
    notYet,
  }),
  "audit-webhook-initial-backoff": duration({
    default: "10s",
    help: "How long to wait before a failed request to the webhook is made again.",
    check: notNegative,
    notYet,
  }),
  "audit-webhook-truncate-enabled": bool({
    help: "Cut events and batches for the webhook that are too large.",
    notYet,
  }),
  "audit-webhook-truncate-max-batch-size": int({
    default: 10485760,
    help: "Bytes of a batch for the webhook; a larger one is split.",
    notYet,
  }),
  "audit-webhook-truncate-max-event-size": int({
    default: 102400,
    help: "Bytes of an event for the webhook; a larger one loses its request and response, and is dropped if still too large.",
    notYet,
  }),
});

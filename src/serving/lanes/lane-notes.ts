import type { SpanRecord } from "../../telemetry/span-record.js";
import type { RequestContext } from "../request/request-context.js";
import { type LaneAuditTrail, recordNotes } from "./lane-audit.js";
import type { LaneNotes } from "./lane-messages.js";
import { sharedTimeOf, threadTimeOf } from "./thread-time.js";

/** Collects what a request in this lane reports. */
export function notesOf(
  context: RequestContext,
  trail: LaneAuditTrail | undefined,
  spans: readonly SpanRecord[],
): LaneNotes {
  return {
    warnings: context.warnings,
    audit: trail?.notes ?? [],
    steps: context.steps.map(({ text, atMs }) => ({ text, atMs: sharedTimeOf(atMs) })),
    spans,
    mutatingWebhooksMs: context.mutatingWebhooksMs,
    validatingWebhooksMs: context.validatingWebhooksMs,
    storageMs: context.storageMs,
  };
}

/** Applies a lane's notes to the request's scope. */
export function applyNotes(notes: LaneNotes, context: RequestContext): void {
  for (const text of notes.warnings) context.warn(text);
  if (context.audit !== undefined) recordNotes(context.audit, notes.audit);
  for (const { text, atMs } of notes.steps) context.step(text, threadTimeOf(atMs));
  context.addMutatingWebhookTime(notes.mutatingWebhooksMs);
  context.addValidatingWebhookTime(notes.validatingWebhooksMs);
  context.addStorageTime(notes.storageMs);
}

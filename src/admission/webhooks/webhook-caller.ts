import type { AdmissionReview } from "../../apis/gen/admission-v1.js";
import type { AnsweredReview } from "../../remote/review-answer.js";
import type { AdmissionOperation } from "../chain/admission-attributes.js";
import type { ReviewRequest } from "./admission-review.js";
import type { AdmissionWebhook } from "./admission-webhook.js";

/** Calls webhooks; the server supplies it. */
export interface WebhookCaller {
  /** Sends a review and returns the one that comes back. Rejects when the webhook gives no usable answer in time. */
  call(
    webhook: AdmissionWebhook,
    request: ReviewRequest,
    signal: AbortSignal,
  ): Promise<AnsweredReview<AdmissionReview>>;
}

export type WebhookType = "admit" | "validating";

/** The outcome of a call to a webhook. */
export interface WebhookOutcome {
  readonly webhook: string;
  readonly type: WebhookType;
  readonly operation: AdmissionOperation;
  readonly durationMs: number;
  /**
   * `denied`: by the webhook, with a code; `failed`: the call failed; `ignored`: it failed, but the request passes; `broken`: the server
   * could not make the call or use the answer.
   */
  readonly result:
    | { readonly kind: "allowed" | "failed" | "ignored" | "broken" }
    | { readonly kind: "denied"; readonly code: number };
}

/** What the server provides to the webhook plugins. */
export interface WebhookParts {
  readonly caller: WebhookCaller;
  /** Whether an invalid JSON patch counts as a failed call: from 1.34 on. */
  readonly takesBadPatchesForFailures: boolean;
  /** A new uid for each review. */
  uid(): string;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  observe(outcome: WebhookOutcome): void;
  /** Called when a failing webhook is ignored. */
  failedOpen(webhook: AdmissionWebhook, reason: string): void;
  /** Called when a failing webhook refuses the request, with the cause. */
  failedClosed(webhook: AdmissionWebhook, error: unknown): void;
}

import type {
  MutatingWebhook,
  ValidatingWebhook,
  WebhookClientConfig,
} from "../../apis/gen/admissionregistration-v1.js";
import { type MatchCriteria, requestSelectors } from "../matching/match.js";
import type { ReviewVersion } from "./admission-review.js";
import { WebhookConditions } from "./webhook-conditions.js";

/** A configured webhook, prepared for matching. Defaults were set when the configuration was stored. */
export interface AdmissionWebhook extends MatchCriteria {
  readonly name: string;
  readonly configuration: string;
  /** Distinguishes it from webhooks of the same name. */
  readonly key: string;
  readonly client: WebhookClientConfig;
  readonly ignoresFailures: boolean;
  readonly timeoutMs: number;
  readonly allowsDryRun: boolean;
  readonly reviewVersion: ReviewVersion | undefined;
  readonly isReinvoked: boolean;
  /** Undefined for a webhook without conditions. */
  readonly conditions: WebhookConditions | undefined;
}

export interface WebhookConfiguration {
  readonly metadata: { readonly name?: string | undefined };
  readonly webhooks?: readonly (ValidatingWebhook | MutatingWebhook)[] | undefined;
}

export function webhooksOf({ metadata, webhooks = [] }: WebhookConfiguration): readonly AdmissionWebhook[] {
  const configuration = metadata.name ?? "";
  return webhooks.map((webhook, index) => ({
    name: webhook.name,
    configuration,
    key: `${configuration}/${index}/${webhook.name}`,
    client: webhook.clientConfig,
    rules: webhook.rules ?? [],
    matchesEquivalents: webhook.matchPolicy !== "Exact",
    ...requestSelectors(webhook),
    ignoresFailures: webhook.failurePolicy === "Ignore",
    timeoutMs: (webhook.timeoutSeconds ?? 10) * 1000,
    allowsDryRun: webhook.sideEffects === "None" || webhook.sideEffects === "NoneOnDryRun",
    reviewVersion: webhook.admissionReviewVersions?.find(isReviewVersion),
    isReinvoked: "reinvocationPolicy" in webhook && webhook.reinvocationPolicy === "IfNeeded",
    conditions:
      (webhook.matchConditions ?? []).length === 0
        ? undefined
        : new WebhookConditions(webhook.matchConditions ?? [], webhook.failurePolicy === "Ignore"),
  }));
}

function isReviewVersion(version: string): version is "v1" | "v1beta1" {
  return version === "v1" || version === "v1beta1";
}

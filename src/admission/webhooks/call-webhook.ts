import { messageOf } from "../../apimachinery/errors/message-of.js";
import { badRequest, internal, type StatusError } from "../../apimachinery/errors/status.js";
import { type JsonPatchOperation, parseJsonPatch } from "../../apimachinery/patch/json-patch.js";
import type { Naming } from "../../naming/naming.js";
import { parseBoundedJson } from "../../remote/bounded-json.js";
import { traced } from "../../telemetry/span.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { ServedForm } from "../chain/object-forms.js";
import {
  denial,
  type ReviewedObjects,
  type ReviewRequest,
  type ReviewResponse,
  reviewRequest,
  reviewResponse,
} from "./admission-review.js";
import type { AdmissionWebhook } from "./admission-webhook.js";
import type { ReviewTexts } from "./review-texts.js";
import type { WebhookOutcome, WebhookParts, WebhookType } from "./webhook-caller.js";

/** A question to a webhook. */
export interface WebhookCall {
  readonly webhook: AdmissionWebhook;
  readonly type: WebhookType;
  readonly form: ServedForm;
  readonly attributes: AdmissionAttributes;
  readonly texts: ReviewTexts;
  /** Key of the audit annotation for a failure that is ignored. */
  readonly failedOpenKey: string;
}

export interface Reviewed {
  readonly request: ReviewRequest;
  /** Empty: none. */
  readonly patch: readonly JsonPatchOperation[];
}

/**
 * Calls a webhook. Undefined when the call failed and its policy ignores failures. Throws the webhook's denial, and 500 for any other
 * failure. From 1.34 on, an invalid JSON patch is a failed call too.
 */
export async function callWebhook(
  call: WebhookCall,
  parts: WebhookParts,
  naming: Naming,
): Promise<Reviewed | undefined> {
  const { webhook, type, attributes } = call;
  const objects = await objectsFor(call);
  const startedAt = parts.now();
  const ended = (result: WebhookOutcome["result"]): void => {
    const durationMs = parts.now() - startedAt;
    parts.observe({ webhook: webhook.name, type, operation: attributes.operation, durationMs, result });
    if (type === "admit") attributes.write.addMutatingWebhookTime(durationMs);
    else attributes.write.addValidatingWebhookTime(durationMs);
    attributes.write.step(`Called ${type === "admit" ? "mutating" : "validating"} webhook ${webhook.name}`);
  };
  if (attributes.dryRun && !webhook.allowsDryRun) {
    ended({ kind: "broken" });
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  const failed = (error: unknown, problem: string): undefined => {
    if (webhook.ignoresFailures && !attributes.signal.aborted) {
      ended({ kind: "ignored" });
      attributes.addAnnotation(call.failedOpenKey, webhook.name);
      parts.failedOpen(webhook, problem);
      return undefined;
    }
    ended({ kind: "failed" });
    if (!attributes.signal.aborted) parts.failedClosed(webhook, error);
    throw internal(`failed calling webhook ${JSON.stringify(webhook.name)}: ${problem}`);
  };
  let reviewed: Awaited<ReturnType<typeof review>>;
  try {
    reviewed = await traced(`webhook ${webhook.name}`, () => review(call, objects, parts, naming), "client");
  } catch (error) {
    return failed(error, messageOf(error));
  }
  const { request, response } = reviewed;
  for (const [key, value] of Object.entries(response.annotations)) {
    attributes.addAnnotation(`${webhook.name}/${key}`, value);
  }
  for (const warning of response.warnings) attributes.warn(warning);
  if (!response.isAllowed) {
    const refusal: StatusError = denial(webhook.name, response.status);
    ended({ kind: "denied", code: refusal.code });
    throw refusal;
  }
  let patch: readonly JsonPatchOperation[] = [];
  try {
    if (response.patch !== undefined) {
      patch = parseJsonPatch(await parseBoundedJson(response.patch, attributes.signal));
    }
  } catch (error) {
    if (parts.takesBadPatchesForFailures) {
      return failed(error, `received undecodable patch in webhook response: ${messageOf(error)}`);
    }
    ended({ kind: "broken" });
    if (!attributes.signal.aborted) parts.failedClosed(webhook, error);
    throw internal(messageOf(error));
  }
  const { patchType } = response;
  if (patch.length > 0 && request.objectJson !== undefined && patchType !== "JSONPatch") {
    return failed(undefined, `unsupported patch type ${JSON.stringify(patchType)}`);
  }
  ended({ kind: "allowed" });
  return { request, patch };
}

/**
 * Objects that cannot be shown to a webhook are refused. That is not a failure of the webhook, so its policy does not apply. Throws 500.
 */
async function objectsFor({ form, texts }: WebhookCall): Promise<ReviewedObjects> {
  try {
    return { object: await texts.object(form.kind), oldObject: await texts.oldObject(form.kind) };
  } catch (error) {
    throw internal(messageOf(error));
  }
}

async function review(
  { webhook, type, form, attributes }: WebhookCall,
  objects: ReviewedObjects,
  { caller, uid }: WebhookParts,
  naming: Naming,
): Promise<{ readonly request: ReviewRequest; readonly response: ReviewResponse }> {
  const version = webhook.reviewVersion;
  if (version === undefined)
    throw new Error("webhook does not accept known AdmissionReview versions (v1, v1beta1)");
  const names = { group: naming.group("admission"), metaGroup: naming.group("meta") };
  const request = reviewRequest(attributes, { form, version, uid: uid(), names, objects });
  const answer = await caller.call(webhook, request, attributes.signal);
  return { request, response: reviewResponse(answer, request, type === "admit") };
}

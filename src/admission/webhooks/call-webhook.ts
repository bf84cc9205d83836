import { messageOf } from "../../apimachinery/errors/message-of.js";
import { badRequest, internal, type StatusError } from "../../apimachinery/errors/status.js";
import { WrittenNumbers } from "../../apimachinery/json/written-number.js";
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
  /** Numbers of the patch whose text differs from how they would be printed. */
  readonly numbers: WrittenNumbers;
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
  const { webhook, attributes } = call;
  const objects = await objectsFor(call);
  const ending = new CallEnding(call, parts);
  if (attributes.dryRun && !webhook.allowsDryRun) {
    ending.ended({ kind: "broken" });
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  let answered: Answered;
  try {
    answered = await traced(`webhook ${webhook.name}`, () => review(call, objects, parts, naming), "client");
  } catch (error) {
    return ending.failed(error, messageOf(error));
  }
  const { request, response } = answered;
  for (const [key, value] of Object.entries(response.annotations)) {
    attributes.addAnnotation(`${webhook.name}/${key}`, value);
  }
  for (const warning of response.warnings) attributes.warn(warning);
  if (!response.isAllowed) {
    const refusal: StatusError = denial(webhook.name, response.status);
    ending.ended({ kind: "denied", code: refusal.code });
    throw refusal;
  }
  const numbers = new WrittenNumbers();
  let patch: Reviewed["patch"];
  try {
    patch = await patchOf(response, numbers, attributes.signal);
  } catch (error) {
    return ending.badPatch(error);
  }
  const { patchType } = response;
  if (patch.length > 0 && request.objectJson !== undefined && patchType !== "JSONPatch") {
    return ending.failed(undefined, `unsupported patch type ${JSON.stringify(patchType)}`);
  }
  ending.ended({ kind: "allowed" });
  return { request, patch, numbers };
}

/** Reports how a call ended, and refuses the request if the call failed and the policy does not ignore that. */
class CallEnding {
  readonly #call: WebhookCall;
  readonly #parts: WebhookParts;
  readonly #startedAt: number;

  constructor(call: WebhookCall, parts: WebhookParts) {
    this.#call = call;
    this.#parts = parts;
    this.#startedAt = parts.now();
  }

  ended(result: WebhookOutcome["result"]): void {
    const { webhook, type, attributes } = this.#call;
    const { operation, write } = attributes;
    const durationMs = this.#parts.now() - this.#startedAt;
    this.#parts.observe({ webhook: webhook.name, type, operation, durationMs, result });
    if (type === "admit") write.addMutatingWebhookTime(durationMs);
    else write.addValidatingWebhookTime(durationMs);
    write.step(`Called ${type === "admit" ? "mutating" : "validating"} webhook ${webhook.name}`);
  }

  /** Undefined where the policy ignores failures; otherwise throws 500. */
  failed(error: unknown, problem: string): undefined {
    const { webhook, attributes, failedOpenKey } = this.#call;
    if (webhook.ignoresFailures && !attributes.signal.aborted) {
      this.ended({ kind: "ignored" });
      attributes.addAnnotation(failedOpenKey, webhook.name);
      this.#parts.failedOpen(webhook, problem);
      return undefined;
    }
    return this.#refuse(
      "failed",
      error,
      `failed calling webhook ${JSON.stringify(webhook.name)}: ${problem}`,
    );
  }

  /** The error of a failed call, if an invalid JSON patch is one; otherwise throws 500 whatever the failure policy. */
  badPatch(error: unknown): undefined {
    if (this.#parts.takesBadPatchesForFailures) {
      return this.failed(error, `received undecodable patch in webhook response: ${messageOf(error)}`);
    }
    return this.#refuse("broken", error, messageOf(error));
  }

  #refuse(kind: "failed" | "broken", error: unknown, message: string): never {
    const { webhook, attributes } = this.#call;
    this.ended({ kind });
    if (!attributes.signal.aborted) this.#parts.failedClosed(webhook, error);
    throw internal(message);
  }
}

/** Empty where the webhook sent none. */
async function patchOf(
  { patch }: ReviewResponse,
  numbers: WrittenNumbers,
  signal: AbortSignal,
): Promise<Reviewed["patch"]> {
  return patch === undefined ? [] : parseJsonPatch(await parseBoundedJson(patch, signal, numbers));
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

interface Answered {
  readonly request: ReviewRequest;
  readonly response: ReviewResponse;
}

async function review(
  { webhook, type, form, attributes }: WebhookCall,
  objects: ReviewedObjects,
  { caller, uid }: WebhookParts,
  naming: Naming,
): Promise<Answered> {
  const version = webhook.reviewVersion;
  if (version === undefined)
    throw new Error("webhook does not accept known AdmissionReview versions (v1, v1beta1)");
  const names = { group: naming.group("admission"), metaGroup: naming.group("meta") };
  const request = reviewRequest(attributes, { form, version, uid: uid(), names, objects });
  const answer = await caller.call(webhook, request, attributes.signal);
  return { request, response: reviewResponse(answer, request, type === "admit") };
}

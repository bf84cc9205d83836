import { StatusError } from "../apimachinery/errors/status.js";
import { JsonSyntaxError } from "../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonObject } from "../apimachinery/json/json-value.js";
import { type Backoff, retry } from "./backoff.js";
import { parseBoundedJson } from "./bounded-json.js";
import type { RemoteAnswer, RemoteRequest } from "./remote-call.js";
import { RemoteError } from "./remote-error.js";
import { printedKind } from "./review-answer.js";

export interface WebhookOptions {
  /** A `ConfiguredClient` or a `RemoteClient`. */
  readonly client: { request(request: RemoteRequest): Promise<RemoteAnswer> };
  readonly backoff: Backoff;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  readonly random: () => number;
}

/** An answer with an error status; for the HTTP layer the call succeeded. */
export class WebhookStatusError extends Error {
  override readonly name = "WebhookStatusError";
  readonly status: number;
  /** Undefined without a `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds: number | undefined) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const answerBytesMax = 1024 * 1024;

/**
 * A remote service that receives an object by POST and answers with one, both as JSON: reviews of tokens and of access. Temporary failures
 * are retried. Source: k8s.io/apiserver `pkg/util/webhook`.
 */
export class Webhook {
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  /** Rejects with `RemoteError` or `WebhookStatusError`, after the last attempt. */
  post(review: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { client, backoff, timeoutMs, random } = this.#options;
    const body = JSON.stringify(review);
    const attempt = async (): Promise<JsonObject> => {
      const answer = await client.request({
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, */*" },
        body,
        timeoutMs,
        signal,
        answerBytesMax,
        // A review changes nothing.
        idempotent: true,
      });
      return ofTypeOf(review, await objectOf(answer, signal));
    };
    return retry(attempt, { backoff, random, isRetryable, signal });
  }
}

async function objectOf({ status, headers, body }: RemoteAnswer, signal: AbortSignal): Promise<JsonObject> {
  if (status < 200 || status > 299) {
    const seconds = Number(headers["retry-after"]);
    throw new WebhookStatusError(
      status,
      `the webhook answered with status ${status}`,
      Number.isInteger(seconds) && seconds > 0 ? seconds : undefined,
    );
  }
  try {
    const value = await parseBoundedJson(body, signal);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (error instanceof StatusError) {
      throw new RemoteError("too-large", "the webhook's answer has too many fields and items");
    }
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw new RemoteError("other", "the webhook's answer is no JSON object");
}

/**
 * An answer without a type has the type that was sent. One of another type decides nothing: its fields mean what another version, or
 * another kind, says.
 */
function ofTypeOf(sent: JsonObject, answer: JsonObject): JsonObject {
  const apiVersion = answer.apiVersion || sent.apiVersion;
  const kind = answer.kind || sent.kind;
  if (apiVersion === sent.apiVersion && kind === sent.kind) return answer;
  const message = `the webhook answered with ${printedKind({ apiVersion, kind })}, want ${printedKind(sent)}`;
  throw new RemoteError("other", message);
}

/** Connection resets, internal errors, time-outs, and answers that ask for a retry. */
function isRetryable(error: unknown): boolean {
  if (error instanceof WebhookStatusError) {
    return error.retryAfterSeconds !== undefined || [429, 500, 504].includes(error.status);
  }
  return error instanceof RemoteError && error.failure === "disconnected";
}

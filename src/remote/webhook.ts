import { StatusError } from "../apimachinery/errors/status.js";
import type { JsonObject } from "../apimachinery/json/json-value.js";
import type { Codec, TypeMeta } from "../apimachinery/schema/codec.js";
import { type Backoff, retry } from "./backoff.js";
import { parseBoundedJson } from "./bounded-json.js";
import type { RemoteAnswer, RemoteRequest } from "./remote-call.js";
import { RemoteError } from "./remote-error.js";
import { reviewOfAnswer } from "./review-answer.js";
import { refusalText } from "./server-error-text.js";

export interface WebhookOptions<T> {
  readonly codec: Pick<Codec<T>, "fromJson">;
  /** A `ConfiguredClient` or a `RemoteClient`. */
  readonly client: { request(request: RemoteRequest): Promise<RemoteAnswer> };
  readonly backoff: Backoff;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  readonly random: () => number;
}

/** A review as JSON. */
export type SentReview = JsonObject & TypeMeta;

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
export class Webhook<T> {
  readonly #options: WebhookOptions<T>;

  constructor(options: WebhookOptions<T>) {
    this.#options = options;
  }

  /** Rejects with `RemoteError` or `WebhookStatusError`, after the last attempt. */
  post(review: SentReview, signal: AbortSignal): Promise<T> {
    const { codec, client, backoff, timeoutMs, random } = this.#options;
    const body = JSON.stringify(review);
    const attempt = async (): Promise<T> => {
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
      checkStatus(answer);
      try {
        const type = { typeMeta: review, codec };
        return (await reviewOfAnswer(answer, type, (sent) => parseBoundedJson(sent, signal))).review;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        throw new RemoteError("too-large", "the webhook's answer has too many fields and items");
      }
    };
    return retry(attempt, { backoff, random, isRetryable, signal });
  }
}

function checkStatus(answer: RemoteAnswer): void {
  const { status, headers } = answer;
  if (status >= 200 && status <= 299) return;
  const seconds = Number(headers["retry-after"]);
  throw new WebhookStatusError(
    status,
    refusalText(answer),
    Number.isInteger(seconds) && seconds > 0 ? seconds : undefined,
  );
}

/** Connection resets, internal errors, time-outs, and answers that ask for a retry. */
function isRetryable(error: unknown): boolean {
  if (error instanceof WebhookStatusError) {
    return error.retryAfterSeconds !== undefined || [429, 500, 504].includes(error.status);
  }
  return error instanceof RemoteError && error.failure === "disconnected";
}

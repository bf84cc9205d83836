import { gunzipSync } from "node:zlib";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { Filter } from "../../serving/filters/filter.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { type RecordedBody, type RecordedCall, recordedBodyBytesMax } from "./recorded-call.js";
import { RecordingExchange } from "./recording-exchange.js";
import { textWithoutSecrets, withoutSecrets } from "./redaction.js";

export interface RecordingState {
  readonly isRecording: boolean;
  readonly calls: number;
  /** The recording has reached its bound, and what came later is not in it. */
  readonly isFull: boolean;
}

/** Records requests for resources and their answers, without secrets. Watches, logs and other streams are left out. */
export interface ServerRecorder {
  readonly state: RecordingState;
  /** Begins a new recording; the former one is forgotten. */
  start(): void;
  /** Ends it, and returns what `text` does. */
  stop(): string;
  /** What is recorded so far, one request with its answer on each line as JSON. */
  text(): string;
}

/** Of the whole recording. */
const recordingBytesMax = 64 * 1024 * 1024;

export class Recorder implements ServerRecorder {
  #lines: string[] = [];
  #bytes = 0;
  #isRecording = false;
  #isFull = false;
  /** Requests that began in an earlier recording do not belong to a later one. */
  #number = 0;

  get state(): RecordingState {
    return { isRecording: this.#isRecording, calls: this.#lines.length, isFull: this.#isFull };
  }

  start(): void {
    this.#number++;
    this.#lines = [];
    this.#bytes = 0;
    this.#isFull = false;
    this.#isRecording = true;
  }

  stop(): string {
    this.#isRecording = false;
    return this.text();
  }

  text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  /** Belongs where the user is known, before anything refuses the request. */
  readonly filter: Filter = (context, next) => {
    const { info, longRunning, exchange } = context;
    if (!this.#isRecording || !info.isResourceRequest || longRunning || exchange.isUpgrade)
      return next(context);
    const recorded = new RecordingExchange(exchange);
    const number = this.#number;
    context.exchange = recorded;
    context.onAnswerEnded(() => {
      // Of a connection that was cut, nobody knows what an answer would have been.
      const isAnswered = recorded.statusCode !== 0;
      if (isAnswered && this.#isRecording && number === this.#number) this.#add(callOf(context, recorded));
    });
    return next(context);
  };

  #add(call: RecordedCall): void {
    if (this.#isFull) return;
    const line = JSON.stringify(call);
    this.#bytes += line.length;
    if (this.#bytes > recordingBytesMax) this.#isFull = true;
    else this.#lines.push(line);
  }
}

function callOf({ info, user, userAgent }: RequestContext, exchange: RecordingExchange): RecordedCall {
  const isSecret = info.apiGroup === "" && info.resource === "secrets";
  const { requestBody, answerBody } = exchange;
  const contentType = exchange.headers["content-type"];
  return {
    method: exchange.method,
    target: textWithoutSecrets(exchange.target),
    user: { name: user?.name ?? "", groups: user?.groups ?? [] },
    userAgent,
    ...(contentType !== undefined && { contentType }),
    ...(requestBody.length > 0 && { body: bodyOf(requestBody, { isSecret, encoding: "" }) }),
    status: exchange.statusCode,
    ...(answerBody.length > 0 && {
      answer: bodyOf(answerBody, { isSecret, encoding: exchange.headerOf("content-encoding") }),
    }),
  };
}

function bodyOf(
  bytes: Uint8Array,
  { isSecret, encoding }: { readonly isSecret: boolean; readonly encoding: string },
): RecordedBody {
  if (bytes.length > recordedBodyBytesMax) return { omitted: "it is too large" };
  try {
    const plain = encoding === "gzip" ? gunzipSync(bytes, { maxOutputLength: recordedBodyBytesMax }) : bytes;
    const json: JsonValue = JSON.parse(Buffer.from(plain).toString("utf8"));
    return { json: withoutSecrets(json, isSecret) };
  } catch {
    return { omitted: "it is no JSON, or too large" };
  }
}

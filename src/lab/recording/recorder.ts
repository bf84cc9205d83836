import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Filter } from "../../serving/filters/filter.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { acceptedAsJson, asJsonType, type BodyReader } from "./body-reader.js";
import { type RecordedBody, type RecordedCall, recordedBodyBytesMax } from "./recorded-call.js";
import { RecordingExchange } from "./recording-exchange.js";
import { RecordingFile } from "./recording-file.js";
import { textWithoutSecrets, withoutSecrets } from "./redaction.js";

export interface RecordingState {
  readonly isRecording: boolean;
  readonly calls: number;
  /** The recording has reached its size limit, and lacks later requests. */
  readonly isFull: boolean;
}

/**
 * Records requests for resources and their answers, without secrets, into a file that the server removes when it stops. Watches, logs and other
 * streams are left out.
 */
export interface ServerRecorder {
  readonly state: RecordingState;
  /** Starts a new recording and drops the previous one. Throws when the server has been stopped. */
  start(): void;
  /** Ends it. Resolves when all requests answered before are in it. */
  stop(): Promise<void>;
  /** The recording so far, in pieces: JSON lines, each with a request and its answer. */
  read(): AsyncIterable<Uint8Array>;
  /** The same as one text. */
  text(): Promise<string>;
}

export class Recorder implements ServerRecorder {
  readonly #reader: BodyReader;
  /** Undefined before the first recording. */
  #directory: string | undefined;
  #file: RecordingFile | undefined;
  #number = 0;
  #isRecording = false;
  #isClosed = false;
  /** Calls are added in the order of their answers, although bodies may be read in another order. */
  #added: Promise<void> = Promise.resolve();
  /** Recorded requests in progress, each with the function that resolves when its answer has ended. */
  readonly #answering = new Map<RecordingExchange, Promise<void>>();

  constructor(reader: BodyReader) {
    this.#reader = reader;
  }

  get state(): RecordingState {
    return {
      isRecording: this.#isRecording,
      calls: this.#file?.lines ?? 0,
      isFull: this.#file?.isFull ?? false,
    };
  }

  start(): void {
    // `close` has deleted the recordings and would not delete this one.
    if (this.#isClosed) throw new Error("the server has been stopped");
    this.#directory ??= mkdtempSync(join(tmpdir(), "recording-"));
    this.#file = new RecordingFile(join(this.#directory, `${++this.#number}.jsonl`));
    this.#isRecording = true;
  }

  async stop(): Promise<void> {
    this.#isRecording = false;
    // A client may have the whole answer before the server knows that it has ended.
    const ending: Promise<void>[] = [];
    for (const [exchange, ended] of this.#answering) {
      if (exchange.isAnswered) ending.push(ended);
      else this.#answering.delete(exchange);
    }
    await Promise.all(ending);
    await this.#added;
    await this.#file?.written();
  }

  async *read(): AsyncGenerator<Uint8Array, void, void> {
    await this.#added;
    if (this.#file !== undefined) yield* this.#file.read();
  }

  async text(): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.read()) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  }

  /** Removes the recording. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    if (this.#directory !== undefined) await rm(this.#directory, { recursive: true, force: true });
  }

  /** Put it where the user is known and no filter refuses the request any more. */
  readonly filter: Filter = (context, next) => {
    const { info, longRunning, exchange } = context;
    if (!this.#isRecording || !info.isResourceRequest || longRunning || exchange.isUpgrade)
      return next(context);
    const recorded = new RecordingExchange(exchange);
    const file = this.#file;
    context.exchange = recorded;
    const ended = new Promise<void>((resolve) => context.onAnswerEnded(resolve)).then(() => {
      // The answer of a cut connection is unknown. Nor does a request belong to a later recording.
      if (!this.#answering.delete(recorded) || recorded.statusCode === 0 || file !== this.#file) return;
      const call = this.#callOf(context, recorded);
      this.#added = this.#added.then(async () => file?.add(JSON.stringify(await call)));
    });
    this.#answering.set(recorded, ended);
    return next(context);
  };

  async #callOf(
    { info, user, userAgent }: RequestContext,
    exchange: RecordingExchange,
  ): Promise<RecordedCall> {
    const isSecret = info.apiGroup === "" && info.resource === "secrets";
    const { requestBody, answerBody, headers } = exchange;
    const contentType = headers["content-type"];
    const sent = this.#bodyOf(requestBody, { isSecret, mediaType: contentType, encoding: "" });
    const answered = this.#bodyOf(answerBody, {
      isSecret,
      mediaType: exchange.headerOf("content-type"),
      encoding: exchange.headerOf("content-encoding"),
    });
    const [body, answer] = await Promise.all([sent, answered]);
    const jsonType = asJsonType(contentType);
    const accept = acceptedAsJson(headers.accept);
    return {
      method: exchange.method,
      target: textWithoutSecrets(exchange.target),
      user: { name: user?.name ?? "", groups: user?.groups ?? [] },
      userAgent,
      ...(jsonType !== undefined && { contentType: jsonType }),
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && { body }),
      status: exchange.statusCode,
      ...(answer !== undefined && { answer }),
    };
  }

  async #bodyOf(
    bytes: Uint8Array,
    {
      isSecret,
      mediaType,
      encoding,
    }: { readonly isSecret: boolean; readonly mediaType: string | undefined; readonly encoding: string },
  ): Promise<RecordedBody | undefined> {
    if (bytes.length === 0) return undefined;
    if (bytes.length > recordedBodyBytesMax) return { omitted: "it is too large" };
    try {
      const plain =
        encoding === "gzip" ? await unzip(bytes, { maxOutputLength: recordedBodyBytesMax }) : bytes;
      return { json: withoutSecrets(await this.#reader.read(plain, mediaType), isSecret) };
    } catch {
      return { omitted: "it cannot be read, or is too large" };
    }
  }
}

const unzip = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(gunzip);

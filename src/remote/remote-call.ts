import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { GatheredBytes } from "../apimachinery/collections/gathered-bytes.js";
import type { Asked, Destination } from "./destination.js";
import { informationalAnswersMax, tooManyInformational } from "./informational-answers.js";
import { failedCall, RemoteError, toRemoteError } from "./remote-error.js";

export interface RemoteRequest extends Asked {
  readonly method: string;
  /** Replaces `path` and `query`. */
  readonly destination?: Destination | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | string | undefined;
  /** Time limit of the whole call: connecting, sending, and reading the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A larger answer is a failure. */
  readonly answerBytesMax: number;
  /**
   * Repeating the call is harmless: a connection that turns out closed before any answer came is replaced once. Reads are always
   * repeated.
   */
  readonly idempotent?: boolean | undefined;
}

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * An attempt to call a server, with the callbacks of the HTTP library: collects the answer, and ends at once when it times out, its
 * caller aborts it, or its client closes. Combined signals, and the library's streams, would cost more than all the rest.
 */
export class RemoteCall implements Dispatcher.DispatchHandler {
  /** Rejects with `RemoteError`. */
  readonly answer: Promise<RemoteAnswer>;
  readonly #request: RemoteRequest;
  readonly #url: URL;
  readonly #current: Set<RemoteCall>;
  readonly #timer: NodeJS.Timeout;
  readonly #body = new GatheredBytes();
  #settle!: (answer: RemoteAnswer) => void; // set by the promise's executor, which runs at once
  #fail!: (error: RemoteError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #announced = 0;
  #headers: IncomingHttpHeaders = {};
  #ended: RemoteError | undefined;

  /** `timeoutMs` is what remains of the request's timeout. The call is in `current` until it ends. */
  constructor(request: RemoteRequest, url: URL, timeoutMs: number, current: Set<RemoteCall>) {
    this.#request = request;
    this.#url = url;
    this.#current = current;
    current.add(this);
    this.answer = new Promise((settle, fail) => {
      this.#settle = settle;
      this.#fail = fail;
    });
    this.#timer = setTimeout(() => this.#end("timeout", "context deadline exceeded"), timeoutMs).unref();
    if (request.signal?.aborted === true) this.abort();
    else request.signal?.addEventListener("abort", this.#onAbort);
  }

  /** Whether the caller has given up. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  abort(): void {
    this.#end("aborted", "context canceled");
  }

  /** Called by the library, like the following ones. A connection may come when the call is over. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended !== undefined) controller.abort(this.#ended);
  }

  /** Called again after informational answers. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 && ++this.#announced > informationalAnswersMax) this.#end("other", tooManyInformational);
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    const { answerBytesMax } = this.#request;
    if (this.#body.length + piece.length <= answerBytesMax) this.#body.add(piece);
    else this.#end("too-large", `the answer is longer than ${answerBytesMax} bytes`);
  }

  onResponseEnd(): void {
    this.#release();
    this.#settle({ status: this.#status, headers: this.#headers, body: this.#body.bytes() });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#release();
    this.#fail(toRemoteError(error, this.#request.method, this.#url));
  }

  readonly #onAbort = (): void => this.abort();

  #end(failure: "timeout" | "aborted" | "too-large" | "other", why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = new RemoteError(failure, failedCall(this.#request.method, this.#url, why));
    this.#release();
    this.#fail(this.#ended);
    this.#controller?.abort(this.#ended);
  }

  #release(): void {
    this.#current.delete(this);
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }
}

import { Readable } from "node:stream";
import type {
  ClientConnection,
  HttpExchange,
  RequestHeaders,
  ResponseHeaders,
  ResponseStream,
} from "./exchange.js";
import { parseTarget } from "./request-target.js";

/** The parts of a request that has no connection. */
export interface ConnectionlessRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly body: Uint8Array;
}

/** An exchange without a connection: the body of its request is complete, and its answer is collected. */
export class CollectedExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly host: string;
  readonly httpVersion = "1.1";
  readonly connection: ClientConnection;
  readonly signal: AbortSignal;
  readonly isUpgrade = false;
  readonly #body: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  readonly #started: (() => void)[] = [];
  readonly #finished: (() => void)[] = [];
  #statusCode = 0;
  #responseHeaders: ResponseHeaders = {};
  #bytesSent = 0;
  #isStreamed = false;
  #isFinished = false;

  constructor(request: ConnectionlessRequest, signal: AbortSignal) {
    this.method = request.method;
    ({ target: this.target, path: this.path, query: this.query } = parseTarget(request.target));
    this.headers = request.headers;
    this.host = request.headers.host ?? "";
    const { remoteAddress, remotePort } = request;
    this.connection = { remoteAddress, remotePort, peerCertificates: undefined, lastDigest: undefined };
    this.signal = signal;
    this.#body = request.body;
  }

  get responseStarted(): boolean {
    return this.#statusCode !== 0;
  }
  get statusCode(): number {
    return this.#statusCode;
  }
  get bytesSent(): number {
    return this.#bytesSent;
  }
  get responseHeaders(): ResponseHeaders {
    return this.#responseHeaders;
  }
  /** The answer came in pieces. */
  get isStreamed(): boolean {
    return this.#isStreamed;
  }

  /** The whole body of the answer, in a buffer of its own. */
  answer(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#bytesSent);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  /** Resolves when the answer is complete. */
  finished(): Promise<this> {
    return new Promise((resolve) => this.onFinished(() => resolve(this)));
  }

  *headerLines(): Iterable<readonly [string, string]> {
    for (const [name, value] of Object.entries(this.headers)) if (value !== undefined) yield [name, value];
  }
  headerValues(name: string): readonly string[] {
    const value = this.headers[name];
    return value === undefined ? [] : [value];
  }
  /** Only headers passed with the answer are collected. */
  addResponseHeader(_name: string, _value: string): void {}
  removeResponseHeader(_name: string): void {}
  closeAfterResponse(): void {}
  readBody(): Promise<Uint8Array> {
    return Promise.resolve(this.#body);
  }
  bodyStream(): Readable {
    return Readable.from([this.#body]);
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string = ""): void {
    this.#begin(status, headers);
    this.#collect(typeof body === "string" ? Buffer.from(body) : body);
    this.#finish();
  }

  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#begin(status, headers);
    this.#isStreamed = true;
    const isFinished = (): boolean => this.#isFinished;
    return {
      chunked: false,
      get closed() {
        return isFinished();
      },
      flushHeaders() {},
      write: (bytes, onTaken) => {
        // The writer may reuse its buffer.
        this.#collect(onTaken === undefined ? bytes : Uint8Array.from(bytes));
        onTaken?.();
        return true;
      },
      writeFrames() {
        throw new Error("a collected answer has no chunks");
      },
      drained: () => Promise.resolve(),
      end: () => this.#finish(),
      abort: () => this.abort(),
    };
  }

  upgrade(): never {
    throw new Error("only a connection can be upgraded");
  }
  onStarted(listener: () => void): void {
    if (this.responseStarted) listener();
    else this.#started.push(listener);
  }
  onFinished(listener: () => void): void {
    if (this.#isFinished) listener();
    else this.#finished.push(listener);
  }
  abort(): void {
    this.#finish();
  }

  #begin(status: number, headers: ResponseHeaders): void {
    if (this.responseStarted) throw new Error("the answer was already started");
    for (const listener of this.#started.splice(0)) listener();
    this.#statusCode = status;
    this.#responseHeaders = headers;
  }

  #collect(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#bytesSent += bytes.length;
  }

  #finish(): void {
    this.#isFinished = true;
    for (const listener of this.#finished.splice(0)) listener();
  }
}

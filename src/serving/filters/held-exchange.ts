import type { Readable } from "node:stream";
import type {
  HttpExchange,
  RequestHeaders,
  ResponseHeaders,
  ResponseStream,
  UpgradedConnection,
} from "../http/exchange.js";

/** Called with the status of the answer, which is sent once the promise settles. */
export type AnswerGate = (status: number) => Promise<unknown>;

/** An exchange whose answer is held back: a whole one before it is sent, a streamed one before its end. */
export class HeldExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly host: string;
  readonly httpVersion: string;
  readonly #inner: HttpExchange;
  readonly #gate: AnswerGate;
  #heldStatus = 0;

  constructor(inner: HttpExchange, gate: AnswerGate) {
    this.#inner = inner;
    this.#gate = gate;
    this.method = inner.method;
    this.target = inner.target;
    this.path = inner.path;
    this.query = inner.query;
    this.headers = inner.headers;
    this.host = inner.host;
    this.httpVersion = inner.httpVersion;
  }

  get remoteAddress(): string {
    return this.#inner.remoteAddress;
  }
  get remotePort(): number {
    return this.#inner.remotePort;
  }
  get peerCertificates(): HttpExchange["peerCertificates"] {
    return this.#inner.peerCertificates;
  }
  get signal(): AbortSignal {
    return this.#inner.signal;
  }
  get responseStarted(): boolean {
    return this.#heldStatus !== 0 || this.#inner.responseStarted;
  }
  get statusCode(): number {
    return this.#heldStatus === 0 ? this.#inner.statusCode : this.#heldStatus;
  }
  get bytesSent(): number {
    return this.#inner.bytesSent;
  }
  get isUpgrade(): boolean {
    return this.#inner.isUpgrade;
  }

  headerEntries(): ReturnType<HttpExchange["headerEntries"]> {
    return this.#inner.headerEntries();
  }
  headerLines(): ReturnType<HttpExchange["headerLines"]> {
    return this.#inner.headerLines();
  }
  headerValues(name: string): readonly string[] {
    return this.#inner.headerValues(name);
  }
  addResponseHeader(name: string, value: string): void {
    this.#inner.addResponseHeader(name, value);
  }
  removeResponseHeader(name: string): void {
    this.#inner.removeResponseHeader(name);
  }
  closeAfterResponse(): void {
    this.#inner.closeAfterResponse();
  }
  readBody(maxBytes: number): Promise<Uint8Array> {
    return this.#inner.readBody(maxBytes);
  }
  bodyStream(): Readable {
    return this.#inner.bodyStream();
  }
  onStarted(listener: () => void): void {
    this.#inner.onStarted(listener);
  }
  onFinished(listener: () => void): void {
    this.#inner.onFinished(listener);
  }
  upgrade(): UpgradedConnection {
    return this.#inner.upgrade();
  }
  abort(): void {
    this.#inner.abort();
  }

  respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    if (this.responseStarted) throw new Error("the answer was already started");
    this.#heldStatus = status;
    void this.#gate(status).finally(() => this.#inner.respond(status, headers, body));
  }

  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    return new HeldStream(this.#inner.startStream(status, headers), () => this.#gate(status));
  }
}

class HeldStream implements ResponseStream {
  readonly chunked: boolean;
  readonly #inner: ResponseStream;
  readonly #gate: () => Promise<unknown>;
  #isEnding = false;

  constructor(inner: ResponseStream, gate: () => Promise<unknown>) {
    this.#inner = inner;
    this.#gate = gate;
    this.chunked = inner.chunked;
  }

  get closed(): boolean {
    return this.#isEnding || this.#inner.closed;
  }
  flushHeaders(): void {
    this.#inner.flushHeaders();
  }
  write(bytes: Uint8Array, onTaken?: () => void): boolean {
    return this.closed || this.#inner.write(bytes, onTaken);
  }
  writeFrames(frames: Uint8Array): boolean {
    return this.closed || this.#inner.writeFrames(frames);
  }
  drained(): Promise<void> {
    return this.#inner.drained();
  }
  abort(): void {
    this.#inner.abort();
  }

  end(): void {
    if (this.closed) return;
    this.#isEnding = true;
    void this.#gate().finally(() => this.#inner.end());
  }
}

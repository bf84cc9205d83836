import type { Readable } from "node:stream";
import type {
  ClientConnection,
  HttpExchange,
  RequestHeaders,
  ResponseHeaders,
  ResponseStream,
  UpgradedConnection,
} from "./exchange.js";

/** Forwards everything to another exchange. Base class for exchanges that change or observe the answer. */
export class ForwardingExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly host: string;
  readonly httpVersion: string;
  readonly connection: ClientConnection;
  protected readonly inner: HttpExchange;

  constructor(inner: HttpExchange) {
    this.inner = inner;
    this.method = inner.method;
    this.target = inner.target;
    this.path = inner.path;
    this.query = inner.query;
    this.headers = inner.headers;
    this.host = inner.host;
    this.httpVersion = inner.httpVersion;
    this.connection = inner.connection;
  }

  get signal(): AbortSignal {
    return this.inner.signal;
  }
  get responseStarted(): boolean {
    return this.inner.responseStarted;
  }
  get statusCode(): number {
    return this.inner.statusCode;
  }
  get bytesSent(): number {
    return this.inner.bytesSent;
  }
  get isUpgrade(): boolean {
    return this.inner.isUpgrade;
  }

  headerLines(): ReturnType<HttpExchange["headerLines"]> {
    return this.inner.headerLines();
  }
  headerValues(name: string): readonly string[] {
    return this.inner.headerValues(name);
  }
  addResponseHeader(name: string, value: string): void {
    this.inner.addResponseHeader(name, value);
  }
  removeResponseHeader(name: string): void {
    this.inner.removeResponseHeader(name);
  }
  closeAfterResponse(): void {
    this.inner.closeAfterResponse();
  }
  readBody(maxBytes: number): Promise<Uint8Array> {
    return this.inner.readBody(maxBytes);
  }
  bodyStream(): Readable {
    return this.inner.bodyStream();
  }
  onStarted(listener: () => void): void {
    this.inner.onStarted(listener);
  }
  onFinished(listener: () => void): void {
    this.inner.onFinished(listener);
  }
  upgrade(): UpgradedConnection {
    return this.inner.upgrade();
  }
  abort(): void {
    this.inner.abort();
  }

  respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    this.inner.respond(status, headers, body);
  }
  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    return this.inner.startStream(status, headers);
  }
}

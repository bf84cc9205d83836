import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Readable } from "node:stream";
import { callListeners, type Listeners, withListener } from "../../request/listeners.js";
import { readAll } from "./body-reader.js";
import {
  type ClientConnection,
  ClientGoneError,
  type HttpExchange,
  type RequestHeaders,
  type ResponseHeaders,
  type ResponseStream,
  type UpgradedConnection,
} from "./exchange.js";
import { parseTarget } from "./request-target.js";
import { untilDrained } from "./until-drained.js";
import { unlessFailed } from "./write-callback.js";

type OutgoingHeaders = Record<string, string | number | string[]>;

/** Headers of HTTP/1.1 connections; an HTTP/2 answer with one is malformed (RFC 9113 §8.2.2). */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Uses the `stream` event of `node:http2`; its compatibility API costs a quarter of the throughput. */
export class Http2Exchange implements HttpExchange {
  readonly httpVersion = "2.0";
  readonly isUpgrade = false;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly connection: ClientConnection;
  statusCode = 0;
  bytesSent = 0;
  readonly #stream: ServerHttp2Stream;
  readonly #rawHeaders: readonly string[];
  readonly #hasBody: boolean;
  #isClosed = false;
  readonly #closeConnection: () => void;
  #extraHeaders: OutgoingHeaders | undefined;
  #abort: AbortController | undefined;
  #bodyAsked = false;
  #startListeners: Listeners;
  #finishListeners: Listeners;

  constructor(
    connection: ClientConnection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    flags: number,
    rawHeaders: readonly string[],
    closeConnection: () => void,
  ) {
    this.connection = connection;
    this.#stream = stream;
    this.#rawHeaders = rawHeaders;
    this.#hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0;
    this.#closeConnection = closeConnection;
    // Only `set-cookie`, which requests do not carry, is ever an array.
    this.headers = headers as RequestHeaders;
    this.method = headers[":method"] ?? "";
    const { target, path, query } = parseTarget(headers[":path"] ?? "/");
    this.target = target;
    this.path = path;
    this.query = query;
  }

  get host(): string {
    return this.headers[":authority"] ?? this.headers.host ?? "";
  }
  get responseStarted(): boolean {
    return this.statusCode !== 0;
  }

  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const controller = new AbortController();
    this.#abort = controller;
    const stream = this.#stream;
    const gone = (): void => {
      if (!stream.writableEnded || stream.aborted) controller.abort(new ClientGoneError());
    };
    if (stream.closed || stream.destroyed) gone();
    else this.onFinished(gone);
    return controller.signal;
  }

  headerValues(name: string): readonly string[] {
    const raw = this.#rawHeaders;
    const values: string[] = [];
    for (let i = 0; i + 1 < raw.length; i += 2) {
      if (raw[i] === name) values.push(raw[i + 1] ?? "");
    }
    return values;
  }

  *headerLines(): Iterable<readonly [name: string, value: string]> {
    const raw = this.#rawHeaders;
    for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? "", raw[i + 1] ?? ""];
  }

  addResponseHeader(name: string, value: string): void {
    this.#extraHeaders ??= {};
    addHeader(this.#extraHeaders, name, value);
  }

  removeResponseHeader(name: string): void {
    if (this.#extraHeaders !== undefined) delete this.#extraHeaders[lowerCase(name)];
  }

  closeAfterResponse(): void {
    this.#closeConnection();
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    this.#bodyAsked = true;
    if (!this.#hasBody) return Promise.resolve(new Uint8Array(0));
    const length = this.headers["content-length"];
    const declaredBytes = length === undefined ? undefined : Number(length);
    if (declaredBytes === undefined || declaredBytes <= maxBytes) this.#sendContinue();
    return readAll(this.#stream, maxBytes, declaredBytes);
  }

  bodyStream(): Readable {
    this.#bodyAsked = true;
    this.#sendContinue();
    return this.#stream;
  }

  respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    const bytes = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const stream = this.#begin(status);
    if (stream === undefined) return;
    const outgoing = this.#headerRecord(status, headers);
    if (status !== 204 && status !== 304) outgoing["content-length"] = bytes;
    if (body === undefined || bytes === 0 || this.method === "HEAD") {
      stream.respond(outgoing, { endStream: true });
      return;
    }
    stream.respond(outgoing);
    stream.end(body);
    this.bytesSent = bytes;
  }

  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    const stream = this.#begin(status);
    stream?.respond(this.#headerRecord(status, headers));
    return new Http2ResponseStream(this, this.#stream);
  }

  upgrade(): UpgradedConnection {
    throw new Error("HTTP/2 has no connection upgrade");
  }

  onStarted(listener: () => void): void {
    if (this.responseStarted) listener();
    else this.#startListeners = withListener(this.#startListeners, listener);
  }

  onFinished(listener: () => void): void {
    if (this.#isClosed) queueMicrotask(listener);
    else this.#finishListeners = withListener(this.#finishListeners, listener);
  }

  /** Called by the session when node:http2 has closed the stream. */
  closed(): void {
    this.#isClosed = true;
    const listeners = this.#finishListeners;
    this.#finishListeners = undefined;
    callListeners(listeners);
  }

  abort(): void {
    // `close(code)` would first end the answer as if it were complete.
    this.#stream.destroy(new ClientGoneError());
  }

  #tellStarted(): void {
    const listeners = this.#startListeners;
    this.#startListeners = undefined;
    callListeners(listeners);
  }

  /** Undefined if the client has reset the stream, so nobody would read an answer. */
  #begin(status: number): ServerHttp2Stream | undefined {
    if (this.statusCode !== 0) throw new Error("the answer was already started");
    this.statusCode = status;
    this.#tellStarted();
    const stream = this.#stream;
    if (stream.closed || stream.destroyed) return undefined;
    if (this.#hasBody && !this.#bodyAsked) stream.resume();
    if (this.#hasBody && !stream.readableEnded) {
      // The answer came before the end of the body: ask the client to stop sending (RFC 9113 §8.1).
      const stop = (): void => {
        if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
      };
      // An unread body may have arrived completely and still be buffered. For HEAD, node:http2 ends the answer before it begins.
      if (stream.writableFinished) setImmediate(stop);
      else stream.once("finish", this.#bodyAsked ? stop : () => setImmediate(stop));
    }
    return stream;
  }

  #headerRecord(status: number, headers: ResponseHeaders): OutgoingHeaders {
    const outgoing: OutgoingHeaders = this.#extraHeaders ?? {};
    outgoing[":status"] = status;
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined || connectionHeaders.has(lowerCase(name))) continue;
      if (typeof value === "string" || typeof value === "number") addHeader(outgoing, name, value);
      else for (const each of value) addHeader(outgoing, name, each);
    }
    return outgoing;
  }

  #sendContinue(): void {
    if (this.headers.expect?.toLowerCase() !== "100-continue") return;
    if (!this.#stream.headersSent && !this.#stream.destroyed) {
      this.#stream.additionalHeaders({ ":status": 100 });
    }
  }
}

class Http2ResponseStream implements ResponseStream {
  readonly chunked = false;
  readonly #exchange: Http2Exchange;
  readonly #stream: ServerHttp2Stream;

  constructor(exchange: Http2Exchange, stream: ServerHttp2Stream) {
    this.#exchange = exchange;
    this.#stream = stream;
  }

  get closed(): boolean {
    return this.#stream.writableEnded || this.#stream.closed || this.#stream.destroyed;
  }

  /** node:http2 sends them at the end of this tick anyway. */
  flushHeaders(): void {}

  write(bytes: Uint8Array, onTaken?: () => void): boolean {
    if (this.closed) {
      onTaken?.();
      return true;
    }
    this.#exchange.bytesSent += bytes.length;
    return this.#stream.write(bytes, unlessFailed(onTaken));
  }

  writeFrames(): boolean {
    throw new Error("HTTP/2 has no chunk frames");
  }

  drained(): Promise<void> {
    const stream = this.#stream;
    if (this.closed || !stream.writableNeedDrain) return Promise.resolve();
    return untilDrained(stream);
  }

  end(): void {
    if (!this.closed) this.#stream.end();
  }

  abort(): void {
    this.#exchange.abort();
  }
}

function addHeader(headers: OutgoingHeaders, name: string, value: string | number): void {
  const key = lowerCase(name);
  const present = headers[key];
  // A proxied answer may have a header named like a member of `Object.prototype`.
  if (present === undefined || !Object.hasOwn(headers, key)) headers[key] = value;
  else if (Array.isArray(present)) present.push(String(value));
  else headers[key] = [String(present), String(value)];
}

/** Caches the lower-case form of the few names that the server itself sends; a proxied answer's may be any. */
const lowerCaseNames = new Map<string, string>();
const lowerCaseNamesMax = 256;

function lowerCase(name: string): string {
  const known = lowerCaseNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerCaseNames.size < lowerCaseNamesMax) lowerCaseNames.set(name, lower);
  return lower;
}

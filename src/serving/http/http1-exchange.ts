import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { callListeners, type Listeners, withListener } from "../../request/listeners.js";
import { discard, readAll } from "./body-reader.js";
import type { ServerState } from "./connection.js";
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
import { sendSmallAnswer, smallAnswer } from "./small-answer.js";
import { untilDrained } from "./until-drained.js";
import { unlessFailed } from "./write-callback.js";

export interface Http1Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** What an exchange needs of its connection. */
export interface Http1Connection extends ClientConnection {
  readonly server: ServerState;
  /** The client's version, if another thread forwarded the request. */
  readonly httpVersion?: string | undefined;
  /** An answer said `Connection: close`. No further request is served. */
  isEnding: boolean;
  /** `request` was answered before the end of its body. */
  answeredEarly(request: IncomingMessage): void;
  /** Closes the connection when the client has read what was sent. */
  linger(): void;
}

/** Over `node:http`. The socket sees a single write of a whole answer. */
export class Http1Exchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly connection: Http1Connection;
  statusCode = 0;
  bytesSent = 0;
  readonly #request: IncomingMessage;
  readonly #upgrade: Http1Upgrade | undefined;
  readonly #awaitsContinue: boolean;
  #response: ServerResponse | undefined;
  #continued = false;
  #streamed = false;
  /** The whole answer was sent at once, bypassing `#response`. */
  #isSent = false;
  #closeAfter = false;
  #extraHeaders: string[] | undefined;
  #hasWarning = false;
  #abort: AbortController | undefined;
  #startListeners: Listeners;
  /** Undefined while there are no listeners, and after they were called. */
  #finishListeners: Listeners;

  /** `awaitsContinue`: the client sent `Expect: 100-continue` and has not been told to continue. */
  constructor(
    connection: Http1Connection,
    request: IncomingMessage,
    answer: ServerResponse | Http1Upgrade,
    awaitsContinue: boolean,
  ) {
    this.connection = connection;
    this.#request = request;
    if (answer instanceof ServerResponse) this.#response = answer;
    else this.#upgrade = answer;
    this.#awaitsContinue = awaitsContinue;
    this.method = request.method ?? "";
    const { target, path, query } = parseTarget(request.url ?? "/");
    this.target = target;
    this.path = path;
    this.query = query;
  }

  get headers(): RequestHeaders {
    // Only `set-cookie`, which requests do not carry, is ever an array.
    return this.#request.headers as RequestHeaders;
  }
  get host(): string {
    return this.#request.headers.host ?? "";
  }
  get httpVersion(): string {
    return this.connection.httpVersion ?? this.#request.httpVersion;
  }
  get responseStarted(): boolean {
    return this.statusCode !== 0;
  }
  get isUpgrade(): boolean {
    return this.#upgrade !== undefined;
  }
  /** Whether part of the body is still to come and no answer has begun. */
  get isIncoming(): boolean {
    return !this.#request.complete && !this.responseStarted;
  }

  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const controller = new AbortController();
    this.#abort = controller;
    const gone = (): void => {
      if (!this.#isSent && this.#response?.writableEnded !== true) controller.abort(new ClientGoneError());
    };
    if (this.#request.socket.destroyed) gone();
    else this.onFinished(gone);
    return controller.signal;
  }

  headerValues(name: string): readonly string[] {
    const raw = this.#request.rawHeaders;
    const values: string[] = [];
    for (let i = 0; i + 1 < raw.length; i += 2) {
      if (raw[i]?.toLowerCase() === name) values.push(raw[i + 1] ?? "");
    }
    return values;
  }

  *headerLines(): Iterable<readonly [name: string, value: string]> {
    const raw = this.#request.rawHeaders;
    for (let i = 0; i + 1 < raw.length; i += 2) yield [(raw[i] ?? "").toLowerCase(), raw[i + 1] ?? ""];
  }

  addResponseHeader(name: string, value: string): void {
    this.#extraHeaders ??= [];
    this.#extraHeaders.push(name, value);
    if (name === "Warning") this.#hasWarning = true;
  }

  removeResponseHeader(name: string): void {
    const headers = this.#extraHeaders ?? [];
    for (let i = headers.length - 2; i >= 0; i -= 2) if (headers[i] === name) headers.splice(i, 2);
  }

  closeAfterResponse(): void {
    this.#closeAfter = true;
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    const { headers } = this.#request;
    const length = headers["content-length"];
    if (length === undefined && headers["transfer-encoding"] === undefined) {
      return Promise.resolve(new Uint8Array(0));
    }
    const declaredBytes = length === undefined ? undefined : Number(length);
    if (declaredBytes === undefined || declaredBytes <= maxBytes) this.#sendContinue();
    return readAll(this.#request, maxBytes, declaredBytes);
  }

  bodyStream(): Readable {
    this.#streamed = true;
    this.#sendContinue();
    return this.#request;
  }

  respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    const bytes = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const response = this.#begin(status);
    const list = this.#headerList(headers);
    const mayHaveBody = status !== 204 && status !== 304;
    if (mayHaveBody) list.push("Content-Length", String(bytes));
    this.bytesSent = this.method === "HEAD" ? 0 : bytes;
    const whole =
      body !== undefined && mayHaveBody && this.#maySendPast(response)
        ? smallAnswer(status, list, body, bytes)
        : undefined;
    if (whole !== undefined) {
      this.#isSent = true;
      sendSmallAnswer(response, whole);
      return;
    }
    response.writeHead(status, list);
    if (body === undefined || bytes === 0) response.end();
    // With a string body, Node.js writes the head in the body's encoding: headers beyond ASCII would be encoded twice.
    else response.end(this.#hasWarning && typeof body === "string" ? Buffer.from(body) : body);
  }

  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    const response = this.#begin(status);
    response.writeHead(status, this.#headerList(headers));
    return new Http1ResponseStream(this, response, this.method !== "HEAD");
  }

  upgrade(): UpgradedConnection {
    const upgrade = this.#upgrade;
    if (upgrade === undefined || this.responseStarted) throw new Error("not an upgrade request");
    this.statusCode = 101;
    this.#tellStarted();
    return { request: this.#request, socket: upgrade.socket, head: upgrade.head };
  }

  onStarted(listener: () => void): void {
    if (this.responseStarted) listener();
    else this.#startListeners = withListener(this.#startListeners, listener);
  }

  onFinished(listener: () => void): void {
    if (this.#finishListeners !== undefined) {
      this.#finishListeners.push(listener);
      return;
    }
    const { socket } = this.#request;
    const response = this.#response;
    if (socket.destroyed || response?.closed === true) {
      queueMicrotask(listener);
      return;
    }
    this.#finishListeners = [listener];
    if (response === undefined) {
      socket.once("close", () => this.closed());
    } else if (response.socket !== null) {
      const answered: AnsweredResponse = response;
      answered[exchangeOf] = this;
      answered.on("close", onClose);
    } else {
      // node:http does not notify the response of a pipelined request, which waits for earlier answers, when the client leaves.
      const once = (): void => {
        response.off("close", once);
        socket.off("close", once);
        this.closed();
      };
      response.once("close", once);
      socket.once("close", once);
    }
  }

  /** Called when node:http has closed the response, or the socket. */
  closed(): void {
    const listeners = this.#finishListeners;
    this.#finishListeners = undefined;
    callListeners(listeners);
  }

  abort(): void {
    this.#request.socket.destroy();
  }

  #begin(status: number): ServerResponse {
    if (this.statusCode !== 0) throw new Error("the answer was already started");
    this.statusCode = status;
    this.#tellStarted();
    // A client still waiting for "100 Continue" may or may not send its body now: the connection is unusable.
    if (this.#awaitsContinue && !this.#continued) this.#closeAfter = true;
    if (this.#closeAfter) this.connection.isEnding = true;
    if (this.#hasBodyLeft()) {
      discard(this.#request);
      this.connection.answeredEarly(this.#request);
    }
    this.#response ??= this.#refuseUpgrade();
    return this.#response;
  }

  #tellStarted(): void {
    const listeners = this.#startListeners;
    this.#startListeners = undefined;
    callListeners(listeners);
  }

  /** node:http marks a request as complete only after its handler was called, even without a body. */
  #hasBodyLeft(): boolean {
    const { complete, headers } = this.#request;
    if (complete || this.#streamed || this.#upgrade !== undefined) return false;
    return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  }

  /** node:http emits an upgrade without a response object; an ordinary answer ends the connection. */
  #refuseUpgrade(): ServerResponse {
    const socket = this.#request.socket;
    const response = new ServerResponse(this.#request);
    response.assignSocket(socket);
    response.once("finish", () => this.connection.linger());
    socket.resume();
    this.#closeAfter = true;
    return response;
  }

  /** Whether `response` is next in line, and its connection stays open afterwards. */
  #maySendPast(response: ServerResponse): boolean {
    return (
      response.socket !== null &&
      response.shouldKeepAlive &&
      this.#request.httpVersion === "1.1" &&
      this.method !== "HEAD" &&
      !this.#closeAfter &&
      !this.connection.server.closing
    );
  }

  #headerList(headers: ResponseHeaders): string[] {
    const list: string[] = this.#extraHeaders ?? [];
    for (const name in headers) {
      const value = headers[name];
      if (typeof value === "string") list.push(name, value);
      else if (typeof value === "number") list.push(name, String(value));
      else if (value !== undefined) for (const each of value) list.push(name, each);
    }
    if (this.#closeAfter || this.connection.server.closing) list.push("Connection", "close");
    return list;
  }

  #sendContinue(): void {
    if (!this.#awaitsContinue || this.#continued) return;
    this.#continued = true;
    this.#response?.writeContinue();
  }
}

const exchangeOf = Symbol("exchange");

interface AnsweredResponse extends ServerResponse {
  [exchangeOf]?: Http1Exchange;
}

/** Shared by all responses, because a closure for each would take a kilobyte. */
function onClose(this: AnsweredResponse): void {
  this[exchangeOf]?.closed();
}

class Http1ResponseStream implements ResponseStream {
  readonly chunked: boolean;
  readonly #exchange: Http1Exchange;
  readonly #response: ServerResponse;
  readonly #hasBody: boolean;
  #flushed = false;

  constructor(exchange: Http1Exchange, response: ServerResponse, hasBody: boolean) {
    this.#exchange = exchange;
    this.#response = response;
    this.#hasBody = hasBody;
    // Without a socket, the answer waits for that of an earlier pipelined request; only `write` queues it.
    this.chunked = hasBody && response.chunkedEncoding && response.socket !== null;
  }

  get closed(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  flushHeaders(): void {
    // Only once: node:http sends an empty write each time, and the next real one waits for it.
    if (this.#flushed) return;
    this.#flushed = true;
    this.#response.flushHeaders();
  }

  write(bytes: Uint8Array, onTaken?: () => void): boolean {
    if (this.closed || !this.#hasBody) {
      onTaken?.();
      return true;
    }
    this.#exchange.bytesSent += bytes.length;
    this.#flushed = true;
    return this.#response.write(bytes, unlessFailed(onTaken));
  }

  writeFrames(frames: Uint8Array): boolean {
    const { socket } = this.#response;
    if (this.closed || socket === null) return true;
    this.flushHeaders();
    this.#exchange.bytesSent += frames.length;
    return socket.write(frames);
  }

  drained(): Promise<void> {
    const { socket } = this.#response;
    // Since Node.js 26, a response buffers the chunks of one tick, so its socket does not know yet that it is full.
    const source = socket?.writableNeedDrain ? socket : this.#response;
    if (this.closed || !source.writableNeedDrain) return Promise.resolve();
    return untilDrained(source, this.#response);
  }

  end(): void {
    if (!this.closed) this.#response.end();
  }

  abort(): void {
    this.#exchange.abort();
  }
}

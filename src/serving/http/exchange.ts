import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { LastDigest } from "../../access/authentication/token-digest.js";

/** Lower-case names. A header sent several times is joined by `, ` (`headerValues` keeps them apart). */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Names in any case. An array is sent as that many header lines. */
export type ResponseHeaders = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * One request and its answer, the same over HTTP/1.1 and HTTP/2: the seam between sockets and everything else.
 * Exactly one of `respond`, `startStream` and `upgrade` is called, once.
 */
export interface HttpExchange {
  readonly method: string;
  /** As sent: path and query, `/api/v1/pods?limit=1`. */
  readonly target: string;
  /** `target` up to the first `?`, still percent-encoded. */
  readonly path: string;
  /** The part of `target` after the first `?`; empty when there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** `Host`, or `:authority`; empty when an HTTP/1.0 client sends none. */
  readonly host: string;
  /** "1.0", "1.1" or "2.0". */
  readonly httpVersion: string;
  readonly connection: ClientConnection;
  /** Aborts when the client disconnects before the answer is complete. Created on first access. */
  readonly signal: AbortSignal;
  readonly responseStarted: boolean;
  /** The status of the answer, 0 before it starts. */
  readonly statusCode: number;
  /** Bytes of the body given to the transport so far. */
  readonly bytesSent: number;
  /** The client asks for another protocol (`Connection: Upgrade`); `upgrade` can be called. */
  readonly isUpgrade: boolean;

  /** Each value of a header that may be repeated, in the order sent; `name` in lower case. */
  headerValues(name: string): readonly string[];
  /** Each header line, in the order sent, with its name in lower case. */
  headerLines(): Iterable<readonly [name: string, value: string]>;
  /** Adds a header to the answer, whichever that will be. Repeating a name sends several lines. */
  addResponseHeader(name: string, value: string): void;
  /** Removes everything that was added under this exact name. */
  removeResponseHeader(name: string): void;
  /** Accepts no further requests on the connection after this answer: `Connection: close`, or a GOAWAY. */
  closeAfterResponse(): void;
  /**
   * Reads the whole body, at most once; the receiver owns the bytes. Tells a client that sent
   * `Expect: 100-continue` to go on. Throws `BodyTooLargeError` or `ClientGoneError`. The connection stays usable
   * after `BodyTooLargeError`: once answered, the rest of the body is discarded (32 MiB and 30 s, then the
   * connection is cut).
   */
  readBody(maxBytes: number): Promise<Uint8Array>;
  /** The body as a stream, for proxies; instead of `readBody`. */
  bodyStream(): Readable;
  /** The whole answer in one write. `Content-Length` and `Date` are added; HEAD sends only the headers. */
  respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void;
  /** An answer in pieces. Pass `content-length` when it is known; otherwise HTTP/1.1 uses chunks. */
  startStream(status: number, headers: ResponseHeaders): ResponseStream;
  /** Hands over the connection when `isUpgrade`; the caller answers the handshake itself. */
  upgrade(): UpgradedConnection;
  /** Calls `listener` once, just before the head of the answer is sent; at once when it has been sent. */
  onStarted(listener: () => void): void;
  /** Calls `listener` once when the answer is complete or the client has gone. */
  onFinished(listener: () => void): void;
  /** Cuts this exchange without sending (the rest of) an answer. */
  abort(): void;
}

/** Shared by all requests of one connection: the same object for each, and another one for every other connection. */
export interface ClientConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The certificates that the client presented, unverified: the same object each time. */
  readonly peerCertificates: PeerCertificates | undefined;
  /** Cache of the last token's digest; undefined where no token is looked up. */
  readonly lastDigest: LastDigest | undefined;
}

export interface ResponseStream {
  /** The answer accepts no more data: it was ended, aborted, or the client has gone. */
  readonly closed: boolean;
  /** Uses HTTP/1.1 chunks: `writeFrames` may replace `write`. */
  readonly chunked: boolean;
  /** Sends the headers now, ahead of the first bytes. */
  flushHeaders(): void;
  /**
   * False asks the caller to wait for `drained`. The bytes must not change before `onTaken` is called: once, when nothing reads them any
   * more, or never if the answer is aborted. Ignored when closed.
   */
  write(bytes: Uint8Array, onTaken?: () => void): boolean;
  /**
   * Writes complete HTTP/1.1 chunks, for bodies that many connections share; only if `chunked`. One socket write instead of three
   * (measured: 78k/s against 56k/s).
   */
  writeFrames(frames: Uint8Array): boolean;
  /** Resolves when more can be written, at once when closed. */
  drained(): Promise<void>;
  end(): void;
  /** Cuts the answer so that the client sees it as broken. */
  abort(): void;
}

export interface UpgradedConnection {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that came right after the request's head. */
  readonly head: Buffer;
}

/** The certificates of a TLS client, as sent. The authenticators decide whether to trust them. */
export interface PeerCertificates {
  readonly leaf: X509Certificate;
  readonly others: readonly X509Certificate[];
}

export type ExchangeHandler = (exchange: HttpExchange) => void | Promise<void>;

/** The body exceeds the reader's limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly limitBytes: number;
  constructor(limitBytes: number) {
    super(`request body is larger than ${limitBytes} bytes`);
    this.limitBytes = limitBytes;
  }
}

/** The connection ended before the request was complete, so nobody would read an answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
  constructor() {
    super("the client closed the connection");
  }
}

import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { LastDigest } from "../../access/authentication/token-digest.js";
import type { ClientConnection, HttpExchange, PeerCertificates } from "./exchange.js";
import { IdleTimer } from "./idle-timer.js";
import { pauseReading, resumeReading } from "./pause-reading.js";
import { readPeerCertificates } from "./peer-certificates.js";
import { shownAddress } from "./shown-address.js";

/** Whether the server is shutting down and accepts no more requests. */
export interface ServerState {
  readonly closing: boolean;
}

/** How long a client may take to close after it was told that the connection ends, and how long it may be silent meanwhile. */
const lingerMs = 30_000;
const lingerSilenceMs = 5_000;

/** State shared by the requests of one TLS connection. */
export class Connection implements ClientConnection {
  readonly socket: TLSSocket;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly server: ServerState;
  readonly lastDigest = new LastDigest();
  /** Requests not fully answered yet. */
  requests = 0;
  /** HTTP/1.1: the latest request. */
  latest:
    | (Pick<HttpExchange, "closeAfterResponse" | "respond"> & { readonly isIncoming: boolean })
    | undefined;
  /** HTTP/1.1: an answer said `Connection: close`. No further request is served. */
  isEnding = false;
  /** Requests that wait for a turn of the event loop. */
  #held = 0;
  #idle: IdleTimer | undefined;
  #isLingering = false;
  #unwanted: IncomingMessage | undefined;
  #peerCertificates: PeerCertificates | undefined | "unread" = "unread";

  constructor(socket: TLSSocket, server: ServerState) {
    this.socket = socket;
    // Each pipelined request listens for its end.
    socket.setMaxListeners(0);
    this.server = server;
    this.remoteAddress = shownAddress(socket.remoteAddress);
    this.remotePort = socket.remotePort ?? 0;
  }

  /** HTTP/1.1: closes the connection after so long without a request. */
  closeWhenIdle(idleMs: number): void {
    const { socket } = this;
    const idle = new IdleTimer(idleMs, () => void socket.destroy());
    this.#idle = idle;
    socket.once("close", () => idle.stop());
  }

  /** Counts a request until `finished`. */
  begun(): void {
    this.requests++;
    this.#idle?.enter();
  }

  finished(): void {
    this.requests--;
    this.#idle?.leave();
  }

  /**
   * HTTP/1.1: `request` was answered before the end of its body. If the connection closes after that, it closes for writing first: bytes
   * that arrive at a closed socket make TCP reset it, and the client may lose the answer (RFC 9112 §9.6).
   */
  answeredEarly(request: IncomingMessage): void {
    const isFirst = this.#unwanted === undefined;
    this.#unwanted = request;
    if (!isFirst) return;
    const { socket } = this;
    const destroySoon = socket.destroySoon;
    // node:http calls it after an answer that says `Connection: close`.
    socket.destroySoon = () => {
      if (this.#unwanted?.complete === false) this.linger();
      else destroySoon.call(socket);
    };
  }

  /**
   * Closes the connection once the client has closed it, is silent, or is too slow. Closed earlier, it would be reset by bytes that still
   * arrive.
   */
  linger(): void {
    if (this.#isLingering) return;
    this.#isLingering = true;
    const { socket } = this;
    const destroy = (): void => void socket.destroy();
    const timer = setTimeout(destroy, lingerMs);
    socket.once("close", () => clearTimeout(timer));
    socket.setTimeout(lingerSilenceMs, destroy);
    socket.end();
  }

  /**
   * HTTP/1.1: a request waits for a turn of the event loop. Reading pauses once two wait, so that no more queue up; pausing for a single
   * one would cost system calls for each request of a busy server.
   */
  hold(): void {
    if (this.#held++ === 1) pauseReading(this.socket);
  }

  release(): void {
    // node:http may have paused the socket itself, because the client does not read answers.
    if (--this.#held === 1 && !this.socket.isPaused()) resumeReading(this.socket);
  }

  get peerCertificates(): PeerCertificates | undefined {
    if (this.#peerCertificates === "unread") this.#peerCertificates = readPeerCertificates(this.socket);
    return this.#peerCertificates;
  }
}

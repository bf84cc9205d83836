import type { ServerHttp2Session } from "node:http2";
import type { TLSSocket } from "node:tls";

/**
 * Closes an HTTP/2 connection from which nothing arrives for a while, not even the answer to a ping (RFC 9113 §6.7). Otherwise a client
 * that vanishes would hold its streams as long as TCP waits. So would one that resets the connection while the server writes: node:tls
 * loses the error of a write that fails at once, takes the write for unfinished, and node:http2 does not read before it ends
 * (https://github.com/nodejs/node/issues/61304).
 */
export class PeerCheck {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #timer: NodeJS.Timeout;
  readonly #everyMs: number;
  #bytesRead: number;
  #pinged = false;
  #lookedAt = performance.now();

  constructor(session: ServerHttp2Session, socket: TLSSocket, silenceMs: number) {
    this.#session = session;
    this.#socket = socket;
    this.#bytesRead = socket.bytesRead;
    this.#everyMs = silenceMs / 2;
    // Checks only after data that has arrived was read.
    this.#timer = setInterval(() => setImmediate(this.#look), this.#everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  readonly #look = (): void => {
    const { bytesRead } = this.#socket;
    const now = performance.now();
    // If this process did not run, the silence says nothing about the client.
    const isLate = now - this.#lookedAt > this.#everyMs * 1.5;
    this.#lookedAt = now;
    if (bytesRead > this.#bytesRead || isLate) {
      this.#bytesRead = bytesRead;
      this.#pinged = false;
    } else if (this.#pinged) {
      this.#socket.destroy();
    } else if (!this.#session.destroyed) {
      this.#pinged = true;
      this.#session.ping(ignore);
    }
  };
}

function ignore(): void {}

import type { Socket } from "node:net";

interface Handshake {
  readonly socket: Socket;
  timer: NodeJS.Timeout;
}

/** A timer this late shows that the process did not run: the client had no chance, and gets the time again. */
const lateMs = 1_000;

/**
 * TCP connections with unfinished TLS handshakes. Each is cut when its time is over, however many bytes arrived meanwhile: the time
 * limit of node:tls restarts with every byte.
 */
export class Handshakes {
  readonly #timeoutMs: number;
  /** By the client's address and port, oldest first. */
  readonly #open = new Map<string, Handshake>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get size(): number {
    return this.#open.size;
  }

  begin(socket: Socket): void {
    const key = keyOf(socket);
    this.#open.set(key, { socket, timer: this.#limit(key, socket) });
    socket.once("close", () => {
      if (this.#open.get(key)?.socket === socket) this.#end(key);
    });
  }

  /** The TCP connection below a TLS socket, which TLS sockets do not expose. */
  below(secured: Socket): Socket | undefined {
    return this.#open.get(keyOf(secured))?.socket;
  }

  done(secured: Socket): void {
    this.#end(keyOf(secured));
  }

  /** Cuts the oldest one; false when there is none. */
  cutOldest(): boolean {
    for (const [key, { socket }] of this.#open) {
      this.#end(key);
      socket.destroy();
      return true;
    }
    return false;
  }

  cutAll(): void {
    while (this.cutOldest());
  }

  #limit(key: string, socket: Socket): NodeJS.Timeout {
    const due = performance.now() + this.#timeoutMs;
    return setTimeout(() => {
      const handshake = this.#open.get(key);
      if (performance.now() - due < lateMs || handshake?.socket !== socket) socket.destroy();
      else handshake.timer = this.#limit(key, socket);
    }, this.#timeoutMs);
  }

  #end(key: string): void {
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

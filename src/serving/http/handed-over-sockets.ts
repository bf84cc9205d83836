import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { tcpKeepAliveMs } from "./connection-limits.js";

/**
 * Gets the descriptor of a new connection, and how many connections this listener has. Returns true when another listener serves the
 * connection, by its own descriptor; the given one is then closed.
 */
export type HandOver = (descriptor: number, connections: number) => boolean;

/** Connections that pass between the listeners of several threads: those that this one gives away, and those that it was given. */
export class HandedOverSockets {
  readonly #onError: (error: unknown) => void;
  readonly #taken = new Set<Socket>();
  #handOver: HandOver | undefined;
  /** Called when the last connection that was taken has ended, while draining. */
  #noneTaken = (): void => undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Asks `handOver` about each new connection from now on. */
  giveTo(handOver: HandOver): void {
    this.#handOver = handOver;
  }

  /** True when another listener serves `socket`, of which nothing was read yet. `connections` is how many this one has. */
  give(socket: Socket, connections: number): boolean {
    const handOver = this.#handOver;
    if (handOver === undefined || this.#taken.has(socket)) return false;
    // node:net has no public way to its descriptor.
    const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: unknown } | null };
    if (typeof handle?.fd !== "number" || handle.fd < 0) return false;
    try {
      if (!handOver(handle.fd, connections)) return false;
    } catch (error) {
      this.#onError(error);
      return false;
    }
    socket.destroy();
    return true;
  }

  /** Undefined when the descriptor cannot be used: it is closed, and `closed` was called; otherwise that is called with the socket's end. */
  take(descriptor: number, closed: () => void): Socket | undefined {
    let socket: Socket;
    try {
      socket = new Socket({ fd: descriptor, readable: true, writable: true });
    } catch (error) {
      closeSync(descriptor);
      this.#onError(error);
      closed();
      return undefined;
    }
    // As `net.Server` does with those that it accepts.
    socket.setNoDelay(true);
    socket.setKeepAlive(true, tcpKeepAliveMs);
    this.#taken.add(socket);
    socket.once("close", () => {
      closed();
      this.#taken.delete(socket);
      if (this.#taken.size === 0) this.#noneTaken();
    });
    return socket;
  }

  /** Resolves when every connection that was taken has ended. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#taken.size === 0) resolve();
      else this.#noneTaken = resolve;
    });
  }
}

import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { tcpKeepAliveMs } from "./connection-limits.js";

/**
 * Gets the file descriptor of a new connection, and how many connections this listener has. Returns true if another listener serves the
 * connection with its own duplicate; this descriptor is then closed.
 */
export type HandOver = (descriptor: number, connections: number) => boolean;

/** Connections passed between the listeners of several threads: those handed over and those taken over. */
export class HandedOverSockets {
  readonly #onError: (error: unknown) => void;
  readonly #taken = new Set<Socket>();
  #handOver: HandOver | undefined;
  /** Called when the last connection that was taken over has ended, while draining. */
  #noneTaken = (): void => undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Asks `handOver` about each new connection from now on. */
  giveTo(handOver: HandOver): void {
    this.#handOver = handOver;
  }

  /** True if another listener serves `socket`, from which nothing was read yet. `connections`: how many this listener has. */
  give(socket: Socket, connections: number): boolean {
    const handOver = this.#handOver;
    if (handOver === undefined || this.#taken.has(socket)) return false;
    // node:net exposes no file descriptor.
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

  /**
   * Undefined if the descriptor cannot be used: it is then closed, and `closed` has been called. Otherwise `closed` is called when the
   * socket ends.
   */
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
    // As `net.Server` does for sockets that it accepts.
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

  /** Resolves when every connection that was taken over has ended. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#taken.size === 0) resolve();
      else this.#noneTaken = resolve;
    });
  }
}

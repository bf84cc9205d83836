import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import { callUnary, GrpcFailure } from "./grpc-call.js";

export interface SocketConnectionOptions {
  /** The service's name in errors. */
  readonly name: string;
  /** Path of the socket, or `@name` in the abstract namespace. */
  readonly path: string;
  /** Time limit of one call, including the wait for a connection. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

const reconnectPauseMs = 100;
/** Answers of key services are far smaller; an endless one would exhaust memory. */
const answerBytesMax = 1024 * 1024;

/** gRPC on a Unix socket. Connects on first use, and again after the connection broke. */
export class SocketConnection {
  readonly #options: SocketConnectionOptions;
  #session: ClientHttp2Session | undefined;
  /** Calls in progress, which keep the process alive. */
  #calls = 0;
  #closed = false;

  constructor(options: SocketConnectionOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
    this.#session?.unref();
    this.#session?.close();
    this.#session = undefined;
  }

  /**
   * `method`: its path, as in `/package.Service/Method`. Retries within the timeout while the service is restarting, because all calls
   * are idempotent.
   */
  async call(method: string, frame: Buffer, timeoutMs = this.#options.timeoutMs): Promise<Buffer> {
    this.#calls++;
    try {
      return await this.#answerTo(method, frame, timeoutMs);
    } finally {
      this.#calls--;
      if (this.#calls === 0) this.#session?.unref();
    }
  }

  async #answerTo(method: string, frame: Buffer, timeoutMs: number): Promise<Buffer> {
    const { clock, name } = this.#options;
    const deadline = clock.now() + timeoutMs;
    for (;;) {
      try {
        return await callUnary({
          session: this.#connected(),
          method,
          frame,
          clock,
          timeoutMs: Math.max(1, deadline - clock.now()),
          answerBytesMax,
        });
      } catch (error) {
        const connectionLost = error instanceof GrpcFailure && error.lostConnection;
        if (connectionLost) this.#session = undefined;
        if (!connectionLost || this.#closed || clock.now() + reconnectPauseMs >= deadline) {
          const reason = messageOf(error);
          const called = method.slice(method.lastIndexOf("/") + 1);
          throw new Error(`${name}: ${called}: ${reason}`, { cause: error });
        }
      }
      await clock.pause(reconnectPauseMs);
    }
  }

  #connected(): ClientHttp2Session {
    const current = this.#session;
    if (current !== undefined && !current.closed && !current.destroyed) {
      if (!this.#closed) current.ref();
      return current;
    }
    const path = this.#options.path.replace(/^@/, "\0");
    const session = connect("http://localhost", { createConnection: () => connectSocket(path) });
    // Each call reports its own failure, so the session's error needs no handling.
    session.on("error", () => undefined);
    session.on("close", () => {
      if (this.#session === session) this.#session = undefined;
    });
    this.#session = session;
    return session;
  }
}

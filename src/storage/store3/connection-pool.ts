import type { ClientHttp2Session } from "node:http2";
import type { Dial } from "../../remote/remote-client.js";
import type { Clock } from "../../time/clock.js";
import { callUnary, GrpcFailure, grpcStatus } from "../grpc/grpc-call.js";
import type { GrpcObserver } from "../grpc/grpc-metrics.js";
import { Connection, type Store3Tls } from "./connection.js";

export interface UnaryCall {
  readonly method: string;
  readonly frame: Buffer;
  /** Idempotent: retried when its outcome is unknown. */
  readonly repeatable: boolean;
}

export interface ConnectionPoolOptions {
  readonly clock: Clock;
  /** For https. */
  readonly tls?: Store3Tls | undefined;
  /** Opens the connections below TLS; undefined connects directly. */
  readonly dial?: Dial | undefined;
  /** Receives all calls. */
  readonly observer?: GrpcObserver | undefined;
}

/** How long one of several endpoints may take before another is tried. */
const attemptMs = 5000;

/** Pause between attempts while every endpoint has just failed. */
const pauseMs = 50;

/**
 * Rotates over the endpoints of one cluster, and avoids failed ones for a while. Any member answers any call: followers forward writes and
 * linearizable reads to the leader.
 */
export class ConnectionPool {
  readonly #connections: readonly Connection[];
  /** Receives all calls. */
  readonly observer: GrpcObserver | undefined;
  readonly #clock: Clock;
  #next = 0;

  constructor(endpoints: readonly string[], { clock, tls, dial, observer }: ConnectionPoolOptions) {
    this.#clock = clock;
    this.observer = observer;
    this.#connections = endpoints.map((endpoint) => new Connection(endpoint, clock, tls, dial));
  }

  get connections(): readonly Connection[] {
    return this.#connections;
  }

  /** The next healthy endpoint, or else the one that failed the longest ago. */
  pick(): Connection {
    const now = this.#clock.now();
    let best: Connection | undefined;
    for (let step = 0; step < this.#connections.length; step++) {
      const candidate = this.#connections[(this.#next + step) % this.#connections.length];
      if (candidate === undefined) continue;
      if (candidate.retryAt <= now) {
        this.#next = (this.#next + step + 1) % this.#connections.length;
        return candidate;
      }
      if (best === undefined || candidate.retryAt < best.retryAt) best = candidate;
    }
    if (best === undefined) throw new RangeError("no endpoints");
    return best;
  }

  /**
   * Calls one endpoint after the other until one answers, as long as that is safe and `timeoutMs` lasts. Rejects with the `GrpcFailure`
   * of the last attempt.
   */
  async call(call: UnaryCall, timeoutMs: number): Promise<Buffer> {
    const deadline = this.#clock.now() + timeoutMs;
    // The reason why an endpoint cannot be reached is more useful than a timeout of the retry.
    let reason: GrpcFailure | undefined;
    for (let attempt = 1; ; attempt++) {
      const connection = this.pick();
      const end = connection.begin();
      try {
        const session = await this.#session(connection, deadline);
        const answer = await callUnary({
          session,
          method: call.method,
          frame: call.frame,
          clock: this.#clock,
          timeoutMs: this.#attemptMs(call, deadline),
          observer: this.observer,
        });
        connection.succeeded();
        return answer;
      } catch (error) {
        if (!(error instanceof GrpcFailure)) throw error;
        if (isEndpointsFault(error)) connection.failed();
        const mayRepeat = error.notApplied || (call.repeatable && isEndpointsFault(error));
        const isLate = error.notApplied && error.status === grpcStatus.deadlineExceeded;
        if (!isLate) reason = error;
        if (!mayRepeat || this.#clock.now() + pauseMs >= deadline) throw isLate ? (reason ?? error) : error;
        if (attempt % this.#connections.length === 0) await this.#clock.pause(pauseMs);
      } finally {
        end();
      }
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #session(connection: Connection, deadline: number): Promise<ClientHttp2Session> {
    const session = connection.session();
    if (!(session instanceof Promise)) return session;
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = this.#clock.schedule(Math.max(1, deadline - this.#clock.now()), () => {
        const details = { notApplied: true };
        reject(
          new GrpcFailure(grpcStatus.deadlineExceeded, `${connection.endpoint} does not answer`, details),
        );
      });
    });
    try {
      return await Promise.race([session, late]);
    } finally {
      cancel();
    }
  }

  #attemptMs(call: UnaryCall, deadline: number): number {
    const remainingMs = Math.max(1, deadline - this.#clock.now());
    const canGoElsewhere = call.repeatable && this.#connections.length > 1;
    return canGoElsewhere ? Math.min(remainingMs, attemptMs) : remainingMs;
  }
}

/** Whether another endpoint may succeed. */
function isEndpointsFault(failure: GrpcFailure): boolean {
  const { status, message } = failure;
  if (status === grpcStatus.unavailable || status === grpcStatus.deadlineExceeded) return true;
  // The error of a member, with an unspecific status, when a read has waited too long for a leader.
  return status === grpcStatus.unknown && message === "context deadline exceeded";
}

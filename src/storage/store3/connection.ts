import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from "node:http2";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, type ConnectionOptions as TlsOptions } from "node:tls";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { Dial } from "../../remote/remote-client.js";
import { tlsTrust } from "../../remote/tls-trust.js";
import type { Clock } from "../../time/clock.js";
import { GrpcFailure, grpcStatus } from "../grpc/grpc-call.js";

/** PEM texts. Without `ca` the system's authorities are trusted. */
export interface Store3Tls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const connectTimeoutMs = 5000;
/** etcd ends connections that ping more often than every 5 s. */
const pingPeriodMs = 6000;
const pongTimeoutMs = 3000;
const windowBytes = 8 * 1024 * 1024;
const backoffMinMs = 100;
const backoffMaxMs = 3000;

/**
 * A connection to one endpoint, made on demand and again after it was lost. It pings while calls are in progress, so that a hung or
 * unreachable peer is given up after some seconds.
 */
export class Connection {
  readonly endpoint: string;
  readonly #clock: Clock;
  readonly #options: SecureClientSessionOptions;
  readonly #tls: TlsOptions;
  readonly #dial: Dial | undefined;
  #session: ClientHttp2Session | undefined;
  #connecting: Promise<ClientHttp2Session> | undefined;
  #failures = 0;
  #retryAt = 0;
  #calls = 0;
  #closed = false;

  /** `dial` opens the connections below TLS; undefined connects directly. */
  constructor(endpoint: string, clock: Clock, tls: Store3Tls | undefined, dial?: Dial | undefined) {
    this.endpoint = endpoint;
    this.#clock = clock;
    this.#dial = dial;
    this.#tls = {
      ...tlsTrust(tls?.ca),
      ...(tls?.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls?.key === undefined ? {} : { key: tls.key }),
    };
    this.#options = {
      settings: { enablePush: false, initialWindowSize: windowBytes },
      // Megabytes. Beyond it Node refuses new streams; its default of 10 is a handful of large requests.
      maxSessionMemory: 1000,
      ...this.#tls,
    };
  }

  /** Until when to avoid it after a failure; in the past if it is healthy. */
  get retryAt(): number {
    return this.#retryAt;
  }

  /** Avoids the endpoint for a while, longer with each failure in a row. */
  failed(): void {
    this.#failures += 1;
    const backoffMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(10, this.#failures - 1));
    this.#retryAt = this.#clock.now() + backoffMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#retryAt = 0;
  }

  /** Marks a call as in progress until the returned function is called: etcd allows pings only then. */
  begin(): () => void {
    this.#calls += 1;
    let ended = false;
    return () => {
      if (!ended) this.#calls -= 1;
      ended = true;
    };
  }

  /** Rejects with a `GrpcFailure` that says the call was certainly not made. */
  session(): Promise<ClientHttp2Session> | ClientHttp2Session {
    const session = this.#session;
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  close(): void {
    this.#closed = true;
    this.#session?.destroy();
  }

  async #connect(): Promise<ClientHttp2Session> {
    const stream = this.#dial === undefined ? undefined : await this.#dialled(this.#dial);
    return await this.#open(stream);
  }

  /** Rejects with a `GrpcFailure`. */
  async #dialled(dial: Dial): Promise<Duplex> {
    const url = new URL(this.endpoint);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const timeout = new AbortController();
    const cancelTimer = this.#clock.schedule(connectTimeoutMs, () =>
      timeout.abort(new Error("connecting took too long")),
    );
    try {
      const stream = await dial({ host, port: Number(url.port) || 443 }, timeout.signal);
      if (url.protocol !== "https:") return stream;
      const name = isIP(host) === 0 ? { servername: host } : {};
      return connectTls({ ...this.#tls, socket: stream, host, ...name, ALPNProtocols: ["h2"] });
    } catch (error) {
      const cause = asError(error);
      throw this.#unreachable(cause.message, cause);
    } finally {
      cancelTimer();
    }
  }

  #open(stream: Duplex | undefined): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        stream?.destroy();
        reject(this.#unreachable("the store is closed"));
        return;
      }
      const session = connect(this.endpoint, {
        ...this.#options,
        ...(stream !== undefined && { createConnection: () => stream }),
      });
      const cancelTimer = this.#clock.schedule(connectTimeoutMs, () =>
        session.destroy(new Error("connecting took too long")),
      );
      let reason: Error | undefined;
      session.on("error", (error) => {
        reason = error;
      });
      session.once("connect", (_session, socket) => {
        cancelTimer();
        session.setLocalWindowSize(windowBytes * 4);
        socket.setKeepAlive(true, pingPeriodMs);
        this.#session = session;
        this.#keepAlive(session);
        if (this.#closed) session.destroy();
        resolve(session);
      });
      session.once("close", () => {
        cancelTimer();
        if (this.#session === session) this.#session = undefined;
        reject(this.#unreachable(reason?.message ?? "the connection was closed", reason));
      });
    });
  }

  #unreachable(text: string, cause?: Error): GrpcFailure {
    const details = { notApplied: true, lostConnection: true, cause };
    return new GrpcFailure(grpcStatus.unavailable, `${this.endpoint} cannot be reached: ${text}`, details);
  }

  #keepAlive(session: ClientHttp2Session): void {
    const schedule = (): void => {
      const cancel = this.#clock.schedule(pingPeriodMs, () => {
        session.off("close", cancel);
        if (!session.destroyed) this.#ping(session, schedule);
      });
      session.once("close", cancel);
    };
    schedule();
  }

  #ping(session: ClientHttp2Session, andThen: () => void): void {
    if (this.#calls === 0) {
      andThen();
      return;
    }
    const giveUp = this.#clock.schedule(pongTimeoutMs, () => {
      session.destroy(new Error(`no answer from ${this.endpoint} within ${pongTimeoutMs} ms`));
    });
    session.ping(() => {
      giveUp();
      if (!session.destroyed) andThen();
    });
  }
}

import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from "node:tls";
import { asError } from "../apimachinery/errors/as-error.js";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import type { ServerConfig } from "./client-config.js";
import { Http1Connections } from "./http1-connections.js";
import { Http2Sessions } from "./http2-sessions.js";
import type { Dial } from "./remote-client.js";
import { describeFailure, RemoteError } from "./remote-error.js";
import { tlsTrust } from "./tls-trust.js";
import { unlessAborted } from "./unless-aborted.js";

export interface PassingClientOptions {
  /** An https server. */
  readonly server: ServerConfig;
  /** PEM texts of the certificate that this side presents. */
  readonly certificate: { readonly certPem: string; readonly keyPem: string } | undefined;
  readonly dial: Dial;
}

const connectMsMax = 10_000;
/** RFC 9110 §15: status classes go up to 5. */
const statusMax = 599;

/**
 * Forwards requests to one server over pooled connections: a few with many requests each if the server speaks HTTP/2, otherwise one per
 * concurrent request. All share parsed certificates and TLS sessions.
 */
export class PassingClient {
  readonly #options: PassingClientOptions;
  readonly #closing = new AbortController();
  readonly #sessions = new Http2Sessions(() => this.#connectAs("h2"));
  readonly #connections = new Http1Connections(() => this.#takeSpare());
  #tls: ConnectionOptions | undefined;
  #tlsSession: Buffer | undefined;
  /** Whether the server speaks HTTP/2; unknown before the first connection, and after one failed. */
  #isHttp2: Promise<boolean> | undefined;
  /** The connection that was opened to find that out. */
  #spare: TLSSocket | undefined;

  constructor(options: PassingClientOptions) {
    this.#options = options;
  }

  /**
   * Resolves at the end of the answer. Rejects with a `RemoteError`, whose message does not name the request, or with the signal's reason,
   * whether or not the answer has begun. A read is sent again once when a kept connection turns out closed.
   */
  async stream(request: PassedRequest, receiver: AnswerReceiver): Promise<void> {
    const { method, body, signal } = request;
    let hasBegun = false;
    const observed: AnswerReceiver = {
      begin(status, headers) {
        // Anything else cannot be passed on.
        if (!(status >= 200 && status <= statusMax))
          throw new Error(`malformed HTTP status code "${status}"`);
        hasBegun = true;
        receiver.begin(status, headers);
      },
      write: (piece) => receiver.write(piece),
      drained: () => receiver.drained(),
    };
    const isRead = (method === "GET" || method === "HEAD") && body === undefined;
    try {
      await this.#send(request, observed).catch(async (error: unknown) => {
        const mayRepeat = isRead && !hasBegun && !signal.aborted;
        if (!mayRepeat || this.#describe(error).failure !== "disconnected") throw error;
        await this.#send(request, observed);
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { failure, cause } = this.#describe(error);
      throw new RemoteError(failure, cause, { cause: error });
    }
  }

  /** Aborts current requests and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the client is closed"));
    this.#spare?.destroy();
    this.#sessions.close();
    this.#connections.close();
  }

  #describe(error: unknown) {
    return describeFailure(error, this.#options.server.url);
  }

  async #send(request: PassedRequest, receiver: AnswerReceiver): Promise<void> {
    this.#closing.signal.throwIfAborted();
    this.#isHttp2 ??= this.#findProtocol();
    if (await unlessAborted(this.#isHttp2, request.signal)) {
      return await this.#sessions.stream(request, receiver);
    }
    await this.#connections.stream(request, receiver);
  }

  async #findProtocol(): Promise<boolean> {
    const socket = await this.#connect(["h2", "http/1.1"]);
    if (socket.alpnProtocol === "h2") {
      await this.#sessions.adopt(socket).catch((error: unknown) => {
        this.#isHttp2 = undefined;
        throw error;
      });
      return true;
    }
    this.#spare = socket;
    socket.once("close", () => {
      if (this.#spare === socket) this.#spare = undefined;
    });
    return false;
  }

  async #takeSpare(): Promise<TLSSocket> {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare === undefined || spare.destroyed ? await this.#connectAs("http/1.1") : spare;
  }

  async #connectAs(protocol: "h2" | "http/1.1"): Promise<TLSSocket> {
    const socket = await this.#connect([protocol]);
    if (protocol !== "h2" || socket.alpnProtocol === "h2") return socket;
    socket.destroy();
    this.#isHttp2 = undefined;
    throw Object.assign(new Error("the server no longer speaks HTTP/2"), { code: "ECONNRESET" });
  }

  async #connect(protocols: readonly string[]): Promise<TLSSocket> {
    const { server, dial } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(connectMsMax)]);
    try {
      const stream = await dial({ host: server.url.hostname, port: Number(server.url.port) || 443 }, signal);
      const socket = connect({
        ...this.#tlsOptions(),
        socket: stream,
        ALPNProtocols: [...protocols],
        ...(this.#tlsSession !== undefined && { session: this.#tlsSession }),
      });
      await secured(socket, signal);
      socket.on("session", (session) => {
        this.#tlsSession = session;
      });
      return socket;
    } catch (error) {
      this.#isHttp2 = undefined;
      this.#tlsSession = undefined;
      if (signal.aborted && !this.#closing.signal.aborted) {
        throw Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" });
      }
      throw error;
    }
  }

  /** Certificates are parsed once, because that takes longer than the rest of a connection. */
  #tlsOptions(): ConnectionOptions {
    const { server, certificate } = this.#options;
    this.#tls ??= {
      secureContext: createSecureContext({
        ...tlsTrust(server.caPem),
        ...(certificate !== undefined && { cert: certificate.certPem, key: certificate.keyPem }),
      }),
      ...(server.serverName !== undefined && { servername: server.serverName }),
      rejectUnauthorized: !server.insecure,
    };
    return this.#tls;
  }
}

function secured(socket: TLSSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => void socket.destroy(asError(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    const forget = (): void => signal.removeEventListener("abort", onAbort);
    socket.once("secureConnect", () => {
      forget();
      resolve();
    });
    // Never removed, because no other listener handles errors of an idle connection.
    socket.on("error", (error) => {
      forget();
      reject(error);
    });
    socket.once("close", () => {
      forget();
      reject(Object.assign(new Error("connection closed"), { code: "ECONNRESET" }));
    });
  });
}

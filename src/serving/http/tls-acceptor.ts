import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import {
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from "node:tls";
import { loopTurns } from "../../event-loop/loop-turns.js";
import { awaitClientHello } from "./client-hello.js";
import { Handshakes } from "./handshakes.js";
import { shownAddress } from "./shown-address.js";
import { takeListener } from "./take-listener.js";
import { CredentialFiles, type TlsCredentials, type TlsFiles } from "./tls-credentials.js";
import type { TlsSettings } from "./tls-settings.js";

export interface TlsAcceptorOptions {
  readonly files: TlsFiles;
  readonly settings: TlsSettings;
  /** Whether clients are offered only HTTP/1.1. */
  readonly disableHttp2?: boolean | undefined;
  /** Time between two readings of the certificate files; 10 s when unset. */
  readonly reloadIntervalMs?: number | undefined;
  /** Called once for each new problem with changed files; the previous content stays in use. */
  readonly onUnusableFile: (error: unknown) => void;
  readonly onHandshakeFailure?: (() => void) | undefined;
}

/** In order of preference. */
const servedProtocols = ["h2", "http/1.1"];
const oldProtocols = ["http/1.1"];
const defaultReloadIntervalMs = 10_000;

/**
 * Performs TLS handshakes on TCP connections, with certificates from files that may change. Handshakes take turns: each takes about 0.25
 * ms for key exchange and signature, and clients may send thousands of hellos at once.
 */
export class TlsAcceptor {
  readonly #options: TlsAcceptorOptions;
  readonly #secured: (socket: TLSSocket) => void;
  readonly #handshakes: Handshakes;
  readonly #credentials: CredentialFiles;
  #handshake: (socket: Socket) => void = () => undefined;
  /** Servers for local addresses with their own certificate, which only perform the handshake. */
  #byAddress = new Map<string, TlsServer>();

  /** `secured` is called with each connection. Throws an `Error` that names the certificate file that does not load. */
  constructor(options: TlsAcceptorOptions, timeoutMs: number, secured: (socket: TLSSocket) => void) {
    this.#options = options;
    this.#secured = secured;
    this.#handshakes = new Handshakes(timeoutMs, loopTurns.ends);
    this.#credentials = new CredentialFiles(options.files, options.settings);
    this.#useAddresses(this.#credentials.current);
  }

  /** Unfinished handshakes. */
  get size(): number {
    return this.#handshakes.size;
  }

  /** The options of the server that is passed to `attach`. */
  get serverOptions() {
    return { ...this.#credentials.current.base, ...this.#handshakeOptions() };
  }

  /** Performs handshakes through `server`, which stops handling new connections itself. */
  attach(server: HttpsServer): void {
    const handshake = takeListener<Socket>(server, "connection");
    this.#handshake = (socket) => handshake.call(server, socket);
    this.#onHandshakes(server);
  }

  /** Reads the certificates now and then, until `close`. */
  watch(server: HttpsServer): void {
    this.#credentials.watch({
      intervalMs: this.#options.reloadIntervalMs ?? defaultReloadIntervalMs,
      onChange: (credentials) => {
        server.setSecureContext(credentials.base);
        this.#useAddresses(credentials);
      },
      onError: this.#options.onUnusableFile,
    });
  }

  /** A connection that ends before it is secured counts as a failure. */
  accept(socket: Socket): void {
    this.#handshakes.begin(socket);
    const failed = (): void => this.#options.onHandshakeFailure?.();
    socket.once("close", failed);
    awaitClientHello(socket, () => void this.#answerInTurn(socket, failed));
  }

  /** Closes the oldest handshake; false if there is none. */
  cutOldest(): boolean {
    return this.#handshakes.cutOldest();
  }

  /** Cuts unfinished handshakes, in turns, and stops reading the certificates. */
  close(): void {
    this.#credentials.close();
    void this.#handshakes.cutAll();
  }

  async #answerInTurn(socket: Socket, failed: () => void): Promise<void> {
    await loopTurns.ends.take();
    if (socket.destroyed) return;
    this.#handshakes.answering(socket);
    // From here on node:tls reports failures.
    socket.off("close", failed);
    const own =
      this.#byAddress.size === 0 ? undefined : this.#byAddress.get(shownAddress(socket.localAddress));
    if (own === undefined) this.#handshake(socket);
    else own.emit("connection", socket);
  }

  #handshakeOptions() {
    return {
      // With a list instead, Node.js would copy it for each connection.
      ALPNCallback: ({ protocols }: { readonly protocols: readonly string[] }) =>
        (this.#options.disableHttp2 === true ? oldProtocols : servedProtocols).find((name) =>
          protocols.includes(name),
        ),
      // Authenticators decide about certificates, so an untrusted one does not fail the handshake.
      requestCert: (this.#options.files.clientCaFiles ?? []).length > 0,
      rejectUnauthorized: false,
      SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) =>
        done(null, this.#credentials.current.contextFor(name)),
    };
  }

  #useAddresses(credentials: TlsCredentials): void {
    const servers = new Map<string, TlsServer>();
    for (const [address, options] of credentials.byAddress) {
      const server = createTlsServer({ ...options, ...this.#handshakeOptions() });
      this.#onHandshakes(server);
      servers.set(address, server);
    }
    this.#byAddress = servers;
  }

  #onHandshakes(server: TlsServer): void {
    server.removeAllListeners("tlsClientError");
    server.on("tlsClientError", (error: Error & { code?: string }, socket: TLSSocket) => {
      this.#options.onHandshakeFailure?.();
      // The words of Go's server, which people search for.
      if (error.code === "ERR_SSL_HTTP_REQUEST") {
        this.#handshakes
          .below(socket)
          ?.end("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
      }
    });
    server.on("secureConnection", (socket: TLSSocket) => {
      this.#handshakes.done(socket);
      this.#secured(socket);
    });
  }
}

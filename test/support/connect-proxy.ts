import { createServer as createHttp, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

export interface ConnectProxyOptions {
  /** Path of a socket; a free port of 127.0.0.1 when not given. */
  readonly socketPath?: string;
  /** PEM. Clients must show a certificate of `ca`. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Ports of 127.0.0.1 for some targets, by `HOST:PORT`. Others are connected to as requested. */
  readonly hosts?: ReadonlyMap<string, number>;
}

/** A proxy that connects on request (`CONNECT`). */
export class ConnectProxy {
  /** `HOST:PORT` of each request. */
  readonly asked: string[] = [];
  isRefusing = false;
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  private constructor(server: Server, { hosts }: ConnectProxyOptions) {
    this.#server = server;
    server.on("connect", (request: IncomingMessage, client: Duplex) => this.#join(request, client, hosts));
  }

  static async start(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
    const { tls, socketPath } = options;
    const server =
      tls === undefined ? createHttp() : createHttps({ ...tls, requestCert: true, rejectUnauthorized: true });
    await new Promise<void>((resolve) =>
      socketPath === undefined ? server.listen(0, "127.0.0.1", resolve) : server.listen(socketPath, resolve),
    );
    return new ConnectProxy(server, options);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // asked of one that listens on a port
  }

  async stop(): Promise<void> {
    for (const connection of this.#open) connection.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #join(request: IncomingMessage, client: Duplex, hosts: ConnectProxyOptions["hosts"]): void {
    const { url = "" } = request;
    this.asked.push(url);
    this.#keep(client);
    if (this.isRefusing) {
      client.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
      return;
    }
    const [host = "", port = ""] = url.split(/:(?=\d+$)/);
    const known = hosts?.get(url);
    const other = connect(
      known === undefined ? { host, port: Number(port) } : { host: "127.0.0.1", port: known },
    );
    this.#keep(other);
    other.once("connect", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(other).pipe(client);
    });
    other.once("close", () => client.destroy());
    client.once("close", () => other.destroy());
  }

  #keep(connection: Duplex): void {
    this.#open.add(connection);
    connection.on("error", () => undefined);
    connection.once("close", () => this.#open.delete(connection));
  }
}

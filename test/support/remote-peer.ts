import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TestAuthority, TestCertificate } from "./test-authority.js";

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Common name of the client's certificate; undefined without one. */
  readonly client: string | undefined;
}

export interface PeerAnswer {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Objects are sent as JSON. */
  readonly body?: string | Buffer | object | undefined;
}

/** A server that the server under test calls: HTTPS on a free port of 127.0.0.1; it records its requests. */
export interface RemotePeer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly requests: PeerRequest[];
  /** TLS connections so far. */
  readonly connections: () => number;
  /** Ends open connections, as a restart would. */
  disconnect(): void;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly authority: TestAuthority;
  /** Names in the certificate; default `127.0.0.1` and `localhost`. */
  readonly names?: readonly string[] | undefined;
  readonly certificate?: TestCertificate | undefined;
  /** PEM of the authorities of clients, which must then present a certificate. */
  readonly clientCaPem?: string | undefined;
  readonly http1Only?: boolean | undefined;
  readonly port?: number | undefined;
}

/** `answer` may be asynchronous, and may return `"hang"`: then there is no answer. */
export async function startRemotePeer(
  options: PeerOptions,
  answer: (request: PeerRequest) => PeerAnswer | "hang" | Promise<PeerAnswer | "hang">,
): Promise<RemotePeer> {
  const { authority, names = ["127.0.0.1", "localhost"], clientCaPem } = options;
  const certificate =
    options.certificate ?? (await authority.issue({ commonName: "peer", usage: "server", names }));
  const requests: PeerRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const tls = {
    cert: certificate.certPem,
    key: certificate.keyPem,
    ...(clientCaPem !== undefined && { ca: clientCaPem, requestCert: true, rejectUnauthorized: true }),
  };
  const handle = async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    const seen: PeerRequest = {
      method: request.method,
      path: request.url,
      httpVersion: request.httpVersion,
      headers: request.headers,
      body,
      client: commonNameOf(socket),
    };
    requests.push(seen);
    const given = await answer(seen);
    if (given === "hang") return;
    const isText = typeof given.body === "string" || Buffer.isBuffer(given.body);
    response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
    response.end(isText ? given.body : JSON.stringify(given.body ?? {}));
  };
  const listener = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    handle(request, response).catch(() => response.stream?.destroy());
  };
  const server = options.http1Only
    ? // The parts used here are the same in both.
      createServer(tls, listener as never)
    : createSecureServer({ ...tls, allowHTTP1: true }, listener);
  server.on("secureConnection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    disconnect,
    close: () => {
      disconnect();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function commonNameOf(socket: TLSSocket): string | undefined {
  const name = socket.getPeerCertificate()?.subject?.CN;
  return Array.isArray(name) ? name[0] : name;
}

export interface ClientConfigParts {
  readonly server: string;
  readonly caPem?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Members of the user. */
  readonly user?: object | undefined;
}

/** Text of a client configuration; JSON is YAML. */
export function clientConfigText({ server, caPem, serverName, insecure, user }: ClientConfigParts): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "peer",
        cluster: {
          server,
          ...(caPem !== undefined && { "certificate-authority-data": base64(caPem) }),
          ...(serverName !== undefined && { "tls-server-name": serverName }),
          ...(insecure !== undefined && { "insecure-skip-tls-verify": insecure }),
        },
      },
    ],
    users: [{ name: "server", user: user ?? {} }],
    contexts: [{ name: "peer", context: { cluster: "peer", user: "server" } }],
    "current-context": "peer",
  });
}

/** The members of a user with a certificate. */
export function certificateUser({ certPem, keyPem }: TestCertificate): object {
  return { "client-certificate-data": base64(certPem), "client-key-data": base64(keyPem) };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type WebSocket, WebSocketServer } from "ws";
import { ensureLocalPki } from "../../src/server/pki/local-pki.js";
import { serveStreams, streamProtocolOf } from "./container-streams.js";

/** A request as the agent saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly clientName: string | undefined;
}

/** An HTTPS server that answers like a kubelet, as far as an API server can tell. */
export interface FakeNodeAgent {
  readonly port: number;
  readonly caFile: string;
  readonly clientCertFile: string;
  readonly clientKeyFile: string;
  readonly seen: SeenRequest[];
  /** Resolves when the other side closed a log that it followed. */
  readonly followingEnded: Promise<void>;
  /** Connections that carry streams. */
  readonly openStreams: number;
  close(): Promise<void>;
}

const streamProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

/** Writes its certificates to `directory`. */
export async function startNodeAgent(directory: string): Promise<FakeNodeAgent> {
  const pki = await ensureLocalPki({
    directory,
    now: Date.now(),
    authorityName: "agents",
    serving: { commonName: "agent", names: ["127.0.0.1"] },
    admin: { commonName: "the-api-server", organizations: [] },
  });
  const { serving } = pki;
  const admin = await pki.admin;
  if (serving === undefined || admin === undefined) throw new Error("no certificates");
  const seen: SeenRequest[] = [];
  let ended: () => void = () => {};
  const followingEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const server: Server = createServer({
    cert: serving.certPem,
    key: serving.keyPem,
    ca: pki.caPem,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on("request", (request, response) => {
    seen.push(seenRequest(request));
    answer(request, response, ended);
  });
  const upgraded = new Set<Socket>();
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    seen.push(seenRequest(request));
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caFile: pki.caFile,
    clientCertFile: admin.certFile,
    clientKeyFile: admin.keyFile,
    seen,
    followingEnded,
    get openStreams() {
      return upgraded.size;
    },
    async close() {
      server.closeAllConnections();
      // The server does not close upgraded connections.
      for (const socket of upgraded) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function seenRequest(request: IncomingMessage): SeenRequest {
  const { method = "", url = "", headers } = request;
  const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN; // the agent speaks TLS only
  return { method, url, headers, clientName: Array.isArray(name) ? name[0] : name };
}

const webSockets = new WebSocketServer({
  noServer: true,
  handleProtocols: (offered) => streamProtocols.find((name) => offered.has(name)) ?? false,
});

/** Accepts an upgrade: container streams by WebSocket or SPDY, or an echo for any other protocol. */
function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { url = "", headers } = request;
  const isWebSocket = headers.upgrade === "websocket";
  if (url.includes("/refused") || (isWebSocket && url.startsWith("/portForward/"))) refuse(socket);
  else if (url.includes("/redirected")) redirect(socket);
  else if (isWebSocket) webSockets.handleUpgrade(request, socket, head, serveWebSocket);
  else {
    const protocol = streamProtocolOf(request);
    if (protocol === undefined) echo(request, socket, head);
    else serveStreams(request, socket, head, protocol);
  }
}

/** A container that answers in capitals; with a streaming protocol, one that writes a line and ends. */
function serveWebSocket(client: WebSocket): void {
  client.on("message", (data: Buffer) => client.send(data.toString("utf8").toUpperCase()));
  if (client.protocol === "") return;
  client.send(Buffer.from("\u0001from the container\n"));
  client.send(Buffer.from('\u0003{"metadata":{},"status":"Success"}'));
  client.close(1000);
}

function answer(request: IncomingMessage, response: ServerResponse, followingEnded: () => void): void {
  const url = new URL(request.url ?? "/", "https://agent");
  if (url.pathname.startsWith("/containerLogs/")) {
    if (url.pathname.endsWith("/broken"))
      return void response.writeHead(400).end("container is waiting to start");
    if (url.pathname.endsWith("/lost")) return void response.writeHead(404).end("page not found");
    response.writeHead(200, { "Content-Type": "text/plain", "X-Agent": "secret" });
    response.write("line 1\n");
    if (url.searchParams.get("follow") !== "true") return void response.end("line 2\n");
    response.once("close", followingEnded);
    return;
  }
  if (url.pathname === "/redirect") {
    return void response.writeHead(302, { Location: "/elsewhere?x=1" }).end();
  }
  if (url.pathname === "/cut") {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("the beginning");
    setTimeout(() => response.destroy(), 50);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Access-Control-Allow-Origin": "*",
      "Keep-Alive": "timeout=77",
      "X-Agent": "yes",
    });
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      }),
    );
  });
}

/** A protocol that nothing in between understands: echoes input in capitals. */
function echo(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on("error", () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nX-Stream-Protocol-Version: v4\r\n\r\nHELLO `,
  );
  const back = (bytes: Buffer): void => void socket.write(bytes.toString("latin1").toUpperCase(), "latin1");
  if (head.length > 0) back(head);
  socket.on("data", back);
  socket.on("end", () => socket.end());
}

function redirect(socket: Duplex): void {
  socket.end("HTTP/1.1 302 Found\r\nLocation: /exec/elsewhere\r\nContent-Length: 0\r\n\r\n");
}

function refuse(socket: Duplex): void {
  socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n\r\nnot me");
}

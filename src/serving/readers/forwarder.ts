import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { ClientConnection, HttpExchange, ResponseStream } from "../http/exchange.js";
import { rawPairs, valuesByName } from "../proxy/forward-headers.js";
import { joinConnections } from "../proxy/joined-connections.js";
import { clientOf, type ForwardedClient } from "./forwarded-client.js";
import { PortStream } from "./port-stream.js";

/** Moves this end of a connection to the other thread, to `ForwardedRequests.connect`. */
export type OpenForwarding = (port: MessagePort, client: ForwardedClient) => void;

/** Headers of an answer, which this server itself produces. */
const headerBytesMax = 1024 * 1024;
/** How long idle connections between the threads are kept for further requests of their client, and how many. */
const keptMs = 15_000;
const keptMax = 8;

/** Methods whose requests may have a body; HTTP/2 clients need not declare its length. */
const methodsWithBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Hop-by-hop headers. */
const requestHeadersLeftOut: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "transfer-encoding",
]);
const answerHeadersLeftOut: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Forwards whole requests to another thread, which treats the client as connected to it, and passes answers back. A connection between
 * the threads carries the requests of one client only.
 */
export class Forwarder {
  readonly #open: OpenForwarding;
  readonly #agents = new WeakMap<ClientConnection, Agent>();

  constructor(open: OpenForwarding) {
    this.#open = open;
  }

  forward(exchange: HttpExchange): void {
    const hasBody = bodyOf(exchange);
    const call = httpRequest({
      agent: this.#agentOf(exchange),
      maxHeaderSize: headerBytesMax,
      method: exchange.method,
      path: exchange.target,
      headers: headersOf(exchange, hasBody),
    });
    let isOver = false;
    exchange.onFinished(() => {
      isOver = true;
      // Complete, or no longer wanted.
      call.destroy();
    });
    call.once("response", (response) => pass(response, exchange));
    call.once("upgrade", (response, socket: Duplex, head: Buffer) => join(response, socket, head, exchange));
    // The other thread has aborted the exchange, or has ended.
    call.on("error", () => isOver || exchange.abort());
    if (hasBody === "none") call.end();
    else exchange.bodyStream().pipe(call);
  }

  #agentOf(exchange: HttpExchange): Agent {
    const { connection } = exchange;
    let agent = this.#agents.get(connection);
    if (agent === undefined) {
      agent = new ForwardingAgent(clientOf(exchange), this.#open);
      this.#agents.set(connection, agent);
    }
    return agent;
  }
}

class ForwardingAgent extends Agent {
  readonly #client: ForwardedClient;
  readonly #open: OpenForwarding;

  constructor(client: ForwardedClient, open: OpenForwarding) {
    super({ keepAlive: true, maxFreeSockets: keptMax, timeout: keptMs });
    this.#client = client;
    this.#open = open;
  }

  override createConnection(): Duplex {
    const { port1, port2 } = new MessageChannel();
    this.#open(port2, this.#client);
    return new PortStream(port1);
  }
}

/** Whether a body follows, and whether the client declared its length. */
function bodyOf({ headers, method, httpVersion }: HttpExchange): "none" | "measured" | "chunked" {
  if (headers["content-length"] !== undefined) return "measured";
  if (headers["transfer-encoding"] !== undefined) return "chunked";
  return httpVersion === "2.0" && methodsWithBody.has(method) ? "chunked" : "none";
}

function headersOf(exchange: HttpExchange, body: ReturnType<typeof bodyOf>): string[] {
  const { isUpgrade } = exchange;
  const lines: string[] = ["host", exchange.host];
  for (const [name, value] of exchange.headerLines()) {
    if (name.startsWith(":") || name === "host") continue;
    if (!requestHeadersLeftOut.has(name) && (isUpgrade || name !== "upgrade")) lines.push(name, value);
  }
  if (isUpgrade) lines.push("connection", "Upgrade");
  if (body === "chunked") lines.push("transfer-encoding", "chunked");
  return lines;
}

function pass(response: IncomingMessage, exchange: HttpExchange): void {
  if (response.headers.connection?.toLowerCase() === "close") exchange.closeAfterResponse();
  const headers = valuesByName(rawPairs(response), (name) => !answerHeadersLeftOut.has(name.toLowerCase()));
  const stream = exchange.startStream(response.statusCode ?? 500, headers);
  let hasBody = false;
  // Deferred, so that the head leaves with the first bytes of the body if they have arrived.
  setImmediate(() => {
    if (!hasBody && !stream.closed) stream.flushHeaders();
  });
  response.on("data", (bytes: Buffer) => {
    hasBody = true;
    if (!stream.write(bytes)) void resumeLater(response, stream);
  });
  response.once("end", () => {
    hasBody = true;
    stream.end();
  });
  // Aborted: the client must see that the answer is incomplete.
  response.once("close", () => response.complete || stream.abort());
  response.on("error", () => undefined);
}

async function resumeLater(response: IncomingMessage, stream: ResponseStream): Promise<void> {
  response.pause();
  await stream.drained();
  response.resume();
}

function join(response: IncomingMessage, socket: Duplex, head: Buffer, exchange: HttpExchange): void {
  const client = exchange.upgrade();
  const lines = [...rawPairs(response)].map(([name, value]) => `${name}: ${value}\r\n`);
  client.socket.write(`HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n${lines.join("")}\r\n`);
  if (head.length > 0) client.socket.write(head);
  if (client.head.length > 0) socket.write(client.head);
  void joinConnections(client.socket, socket, new AbortController().signal);
}

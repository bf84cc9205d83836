import { Agent, type ClientRequestArgs, request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { AnswerHeaders, AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import { asError } from "./remote-error.js";

/** How long an idle connection stays open. */
const idleMs = 15_000;
/** Of an answer: a server that sends more is refused. */
const headerBytesMax = 128 * 1024;

/**
 * HTTP/1.1 connections to one server, one for each request at a time: each watch holds one. They are those of `node:http`, because undici 7
 * ends the process when a server closes a connection whose answer waits for its reader (nodejs/undici#5360).
 */
export class Http1Connections {
  readonly #agent: Agent;

  constructor(connectSecurely: () => Promise<TLSSocket>) {
    this.#agent = new SecureAgent(connectSecurely);
  }

  /** Resolves at the end of the answer. Rejects with what went wrong, or with the signal's reason. */
  async stream(request: PassedRequest, receiver: AnswerReceiver): Promise<void> {
    const { body, signal } = request;
    if (signal.aborted) throw signal.reason;
    const { method, target: path } = request;
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      headers[name] = typeof value === "string" ? value : [...value];
    }
    // The library would send the body of a DELETE without saying where it ends.
    if (body !== undefined && headers["content-length"] === undefined)
      headers["transfer-encoding"] = "chunked";
    const call = httpRequest({ agent: this.#agent, method, path, headers, maxHeaderSize: headerBytesMax });
    const failed = new Promise<never>((_resolve, reject) => call.on("error", reject));
    const onAbort = (): void => void call.destroy(asError(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const answered = new Promise<IncomingMessage>((resolve) => call.once("response", resolve));
      if (body === undefined) call.end();
      else body.on("error", (error) => call.destroy(error)).pipe(call);
      await Promise.race([answered.then((answer) => passOn(answer, receiver)), failed]);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      // A server may answer before it has the whole body.
      if (!call.writableFinished) call.destroy();
      body?.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

class SecureAgent extends Agent {
  readonly #connect: () => Promise<TLSSocket>;

  constructor(connectSecurely: () => Promise<TLSSocket>) {
    super({ keepAlive: true, timeout: idleMs });
    this.#connect = connectSecurely;
  }

  override createConnection(
    _options: ClientRequestArgs,
    created?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#connect().then(
      (socket) => created?.(null, socket),
      // The type requires a stream even when there is none.
      (error: unknown) => created?.(asError(error), undefined as unknown as Duplex),
    );
  }
}

/** Reads what has come as one piece, however small the server's chunks are. */
async function passOn(answer: IncomingMessage, receiver: AnswerReceiver): Promise<void> {
  receiver.begin(answer.statusCode ?? 502, headersOf(answer));
  for await (const piece of answer) if (!receiver.write(piece)) await receiver.drained();
}

/** `headersDistinct` of the library throws on a header `__proto__` in some versions of Node.js. */
function headersOf({ rawHeaders, headers }: IncomingMessage): AnswerHeaders {
  const all = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const values = all.get(name);
    if (values === undefined) all.set(name, [rawHeaders[at + 1] ?? ""]);
    else values.push(rawHeaders[at + 1] ?? "");
  }
  const result: Record<string, string | string[]> = {};
  for (const [name, values] of all) {
    const [first = ""] = values;
    // Of a header that may be there once, the library keeps the first.
    result[name] = values.length === 1 || headers[name] === first ? first : values;
  }
  return result;
}

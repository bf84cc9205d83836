import {
  Agent,
  type ClientRequest,
  type ClientRequestArgs,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { asError } from "../apimachinery/errors/as-error.js";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import { limitInformational } from "./informational-answers.js";

/** How long an idle connection stays open. */
const idleMs = 15_000;
/** Headers of an answer; more are refused. */
const headerBytesMax = 128 * 1024;

/**
 * HTTP/1.1 connections to one server, each for one request at a time, so each watch holds one. They use `node:http`, because undici 7
 * crashes the process if a server closes a connection while its answer waits to be read (nodejs/undici#5360).
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
    // The library would send the body of a DELETE without marking its end.
    if (body !== undefined && headers["content-length"] === undefined)
      headers["transfer-encoding"] = "chunked";
    const call = httpRequest({ agent: this.#agent, method, path, headers, maxHeaderSize: headerBytesMax });
    limitInformational(call);
    const onAbort = (): void => void call.destroy(asError(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const answered = answerOf(call);
      if (body === undefined) call.end();
      else body.on("error", (error) => call.destroy(error)).pipe(call);
      await passOn(await answered, receiver);
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

function answerOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once("response", resolve);
    call.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Error("the server changed the protocol without being asked"));
    });
    // Also handles errors after the answer has begun, which its reader must see.
    call.on("error", reject);
  });
}

/** Passes on everything that has arrived as one piece, however small the server's chunks are. */
async function passOn(answer: IncomingMessage, receiver: AnswerReceiver): Promise<void> {
  receiver.begin(answer.statusCode ?? 0, answer.headers);
  for await (const piece of answer) if (!receiver.write(piece)) await receiver.drained();
}

import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

export type GrpcAnswer = { readonly frame: Buffer } | { readonly status: number; readonly message: string };

/** Undefined leaves the call open. An error that it throws is the call's, as an invalid argument. */
export type AnswerCall = (service: string, method: string, message: Buffer) => GrpcAnswer | undefined;

/** A gRPC server on a Unix socket that answers calls of one request and one response. */
export class GrpcSocketServer {
  readonly #socket: string;
  readonly #answer: AnswerCall;
  readonly #sessions = new Set<ServerHttp2Session>();
  #server: Http2Server | undefined;

  /** Not started yet. */
  constructor(socket: string, answer: AnswerCall) {
    this.#socket = socket;
    this.#answer = answer;
  }

  async start(): Promise<void> {
    const server = createServer();
    this.#server = server;
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
    });
    server.on("stream", (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on("error", () => undefined); // a client that gave up
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const [, service = "", method = ""] = String(headers[":path"]).split("/");
        const message = Buffer.concat(chunks).subarray(5);
        const answer = this.#answered(service, method, message);
        if (answer !== undefined && !stream.destroyed) respond(stream, answer);
      });
    });
    server.listen(this.#socket);
    await once(server, "listening");
  }

  /** Cuts all connections, as the death of the process would, and removes the socket. */
  async stop(): Promise<void> {
    const closing = this.#server;
    this.#server = undefined;
    if (closing === undefined) return;
    for (const session of this.#sessions) session.destroy();
    closing.close();
    await once(closing, "close");
    rmSync(this.#socket, { force: true });
  }

  #answered(service: string, method: string, message: Buffer): GrpcAnswer | undefined {
    try {
      return this.#answer(service, method, message);
    } catch (error) {
      return { status: 3, message: String(error) };
    }
  }
}

function respond(stream: ServerHttp2Stream, answer: GrpcAnswer): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => {
    stream.sendTrailers(
      "frame" in answer
        ? { "grpc-status": "0" }
        : { "grpc-status": String(answer.status), "grpc-message": encodeURIComponent(answer.message) },
    );
  });
  if ("frame" in answer) stream.write(answer.frame);
  stream.end();
}

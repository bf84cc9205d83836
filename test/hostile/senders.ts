import { type ClientHttp2Session, connect } from "node:http2";
import { Agent, request } from "node:https";
import type { Credentials } from "../support/server-process.js";
import type { HostileRequest, Outcome } from "./hostile-request.js";

/** Enough of an answer to tell what it is. */
const textBytesMax = 4096;

type Headers = Record<string, string | string[]>;

/** Sends over both HTTP versions, without the manners of an ordinary client; keeps its connections while the server does. */
export class Senders {
  readonly #url: string;
  readonly #credentials: Credentials;
  readonly #hangMs: number;
  readonly #agents: ReadonlyMap<boolean, Agent>;
  readonly #sessions = new Map<boolean, ClientHttp2Session>();

  /** `hangMs`: a request without an answer after this time is hung. */
  constructor(url: string, credentials: Credentials, hangMs: number) {
    this.#url = url;
    this.#credentials = credentials;
    this.#hangMs = hangMs;
    this.#agents = new Map(
      [true, false].map((anonymous) => [anonymous, new Agent(this.#connection(anonymous))]),
    );
  }

  send(sent: HostileRequest, http: "1" | "2"): Promise<Outcome> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(hang);
        clearTimeout(leave);
        resolve(outcome);
      };
      const start = http === "1" ? this.#http1.bind(this) : this.#http2.bind(this);
      let cut: () => void = () => undefined;
      const hang = setTimeout(() => {
        settle({ kind: "hung" });
        cut();
      }, this.#hangMs);
      const { leaveAfterMs } = sent;
      const leave =
        leaveAfterMs === undefined
          ? undefined
          : setTimeout(() => {
              settle({ kind: "cut", why: "the client left" });
              cut();
            }, leaveAfterMs);
      try {
        cut = start(sent, settle);
      } catch (error) {
        // What this client's library does not send.
        settle({ kind: "cut", why: `not sent: ${(error as Error).message}` });
      }
    });
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    for (const session of this.#sessions.values()) session.destroy();
  }

  #connection(anonymous: boolean) {
    const { ca, cert, key } = this.#credentials;
    return { keepAlive: true, maxSockets: 64, ca, ...(!anonymous && { cert, key }) };
  }

  #http1(sent: HostileRequest, settle: (outcome: Outcome) => void): () => void {
    const agent = this.#agents.get(sent.anonymous === true);
    const headers = headersOf(sent);
    // node:http does not say how long the body of a DELETE is: the server would read it as the next request.
    if (sent.body !== undefined) headers["content-length"] ??= String(Buffer.byteLength(sent.body));
    const outgoing = request(
      `${this.#url}${sent.path}`,
      { method: sent.method, agent, headers, maxHeaderSize: 2 ** 20 },
      (answer) => {
        const reader = new AnswerReader(answer.statusCode ?? 0, settle);
        answer.on("data", (piece: Buffer) => reader.take(piece));
        answer.on("end", () => reader.end());
        answer.on("error", (error) => settle({ kind: "cut", why: error.message }));
      },
    );
    outgoing.on("upgrade", (answer, socket) => {
      socket.destroy();
      settle({ kind: "answered", status: answer.statusCode ?? 101, bytes: 0, text: "" });
    });
    outgoing.on("error", (error) => settle({ kind: "cut", why: error.message }));
    outgoing.end(sent.body);
    return () => outgoing.destroy();
  }

  #http2(sent: HostileRequest, settle: (outcome: Outcome) => void): () => void {
    const session = this.#session(sent.anonymous === true);
    const headers: Headers = { ...headersOf(sent), ":method": sent.method, ":path": sent.path };
    const stream = session.request(headers, { endStream: sent.body === undefined });
    let reader: AnswerReader | undefined;
    stream.on("response", (answer) => {
      reader = new AnswerReader(Number(answer[":status"]), settle);
    });
    stream.on("data", (piece: Buffer) => reader?.take(piece));
    stream.on("end", () => reader?.end());
    stream.on("error", (error) => settle({ kind: "cut", why: error.message }));
    stream.on("close", () => settle({ kind: "cut", why: `stream closed with code ${stream.rstCode}` }));
    if (sent.body !== undefined) stream.end(sent.body);
    return () => stream.destroy();
  }

  #session(anonymous: boolean): ClientHttp2Session {
    const open = this.#sessions.get(anonymous);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    // node:http2 keeps counting the rest of a body that the server did not want: beyond 10 MB this client would refuse answers.
    const session = connect(this.#url, { ...this.#connection(anonymous), maxSessionMemory: 100_000 });
    session.on("error", () => undefined);
    session.on("goaway", () => session.close());
    session.unref();
    this.#sessions.set(anonymous, session);
    return session;
  }
}

class AnswerReader {
  readonly #status: number;
  readonly #settle: (outcome: Outcome) => void;
  #bytes = 0;
  #text = "";

  constructor(status: number, settle: (outcome: Outcome) => void) {
    this.#status = status;
    this.#settle = settle;
  }

  take(piece: Buffer): void {
    if (this.#text.length < textBytesMax) this.#text += piece.toString("utf8", 0, textBytesMax);
    this.#bytes += piece.length;
  }

  end(): void {
    this.#settle({ kind: "answered", status: this.#status, bytes: this.#bytes, text: this.#text });
  }
}

function headersOf(sent: HostileRequest): Headers {
  const headers: Headers = {};
  for (const [name, value] of Object.entries(sent.headers ?? {})) {
    headers[name] = typeof value === "string" ? value : [...value];
  }
  for (const [name, value] of sent.headerList ?? []) headers[name] = value;
  return headers;
}

import { randomBytes } from "node:crypto";
import { connect, type TLSSocket } from "node:tls";

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  /** Undefined when `tokens` is set. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Bearer tokens: each request of a connection sends the next one. */
  readonly tokens?: readonly string[] | undefined;
  /** Do not verify the certificate, for a bare server that uses another server's. */
  readonly insecure?: boolean;
  /** One request in this many begins a trace. */
  readonly tracedOneIn?: number | undefined;
  /** Whether those traces are sampled; default true. */
  readonly isSampled?: boolean | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
  /** Milliseconds, from `performance.now`. */
  readonly firstByteAt: number;
}

const headEnd = Buffer.from("\r\n\r\n");

/**
 * One keep-alive connection that does as little as possible, so that the server is what is measured: responses are counted, not kept. Takes
 * one request at a time, and only responses with a Content-Length.
 */
export class Http1Client {
  readonly #socket: TLSSocket;
  readonly #host: string;
  readonly #tokens: readonly string[];
  #turn: number;
  readonly #tracedOneIn: number;
  readonly #traceFlags: string;
  #untilTraced: number;
  #pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #bodyBytes = 0;
  #bodyLeft = -1;
  #firstByteAt = 0;

  private constructor(
    socket: TLSSocket,
    { host, port, tokens = [], tracedOneIn = 0, isSampled = true }: Target,
  ) {
    this.#socket = socket;
    this.#host = `${host}:${port}`;
    this.#tokens = tokens;
    this.#tracedOneIn = tracedOneIn;
    this.#traceFlags = isSampled ? "01" : "00";
    this.#untilTraced = Math.ceil(Math.random() * tracedOneIn);
    this.#turn = Math.floor(Math.random() * tokens.length);
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("error", (error) => this.#pending?.reject(error));
    socket.on("close", () => this.#pending?.reject(new Error("the connection was closed")));
  }

  static open(target: Target): Promise<Http1Client> {
    return new Promise((resolve, reject) => {
      const socket = connect(
        {
          host: target.host,
          port: target.port,
          ...(target.ca !== "" && { ca: target.ca }),
          ...(target.cert !== undefined && { cert: target.cert, key: target.key }),
          rejectUnauthorized: target.insecure !== true,
          ALPNProtocols: ["http/1.1"],
        },
        () => {
          socket.setNoDelay(true);
          resolve(new Http1Client(socket, target));
        },
      );
      socket.once("error", reject);
    });
  }

  request(method: string, path: string, body?: string, contentType = "application/json"): Promise<Answer> {
    const content =
      body === undefined
        ? ""
        : `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    const token = this.#tokens[this.#turn++ % this.#tokens.length];
    const credentials = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAccept: application/json\r\n${credentials}${this.#trace()}${content}\r\n${body ?? ""}`,
    );
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  #trace(): string {
    if (this.#tracedOneIn === 0 || --this.#untilTraced > 0) return "";
    this.#untilTraced = this.#tracedOneIn;
    return `Traceparent: 00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-${this.#traceFlags}\r\n`;
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    if (this.#bodyLeft >= 0) {
      this.#body(bytes.length);
      return;
    }
    if (this.#head.length === 0) this.#firstByteAt = performance.now();
    const head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(headEnd);
    if (end < 0) {
      this.#head = head;
      return;
    }
    this.#head = Buffer.alloc(0);
    const text = head.toString("latin1", 0, end);
    this.#status = Number(text.slice(9, 12));
    this.#bodyBytes = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    this.#bodyLeft = this.#bodyBytes;
    this.#body(head.length - end - headEnd.length);
  }

  #body(bytes: number): void {
    this.#bodyLeft -= bytes;
    if (this.#bodyLeft > 0) return;
    this.#bodyLeft = -1;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve({
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      firstByteAt: this.#firstByteAt,
    });
  }
}

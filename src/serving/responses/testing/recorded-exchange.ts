import { Readable } from "node:stream";
import type { HttpExchange, ResponseHeaders, ResponseStream } from "../../http/exchange.js";
import { parseTarget } from "../../http/request-target.js";

export interface RecordedRequest {
  readonly method?: string;
  /** Path and query. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An exchange without a connection that keeps its answer. */
export class RecordedExchange implements HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly host = "server.example.org";
  readonly httpVersion = "1.1";
  readonly remoteAddress = "192.0.2.1";
  readonly remotePort = 1234;
  readonly peerCertificates = undefined;
  readonly signal = new AbortController().signal;
  readonly isUpgrade = false;
  statusCode = 0;
  /** By lower-case name. */
  readonly answered: Record<string, string | readonly string[]> = {};
  /** The answer was sent in pieces. */
  isStreamed = false;
  readonly #pieces: Buffer[] = [];
  readonly #finished: (() => void)[] = [];
  #isFinished = false;

  constructor({ method = "GET", target, headers = {} }: RecordedRequest) {
    this.method = method;
    ({ target: this.target, path: this.path, query: this.query } = parseTarget(target));
    this.headers = headers;
  }

  get body(): Buffer {
    return Buffer.concat(this.#pieces);
  }
  get bytesSent(): number {
    return this.body.length;
  }
  get responseStarted(): boolean {
    return this.statusCode !== 0;
  }

  /** Resolves when the answer is complete. */
  finished(): Promise<this> {
    return new Promise((resolve) => this.onFinished(() => resolve(this)));
  }

  headerLines(): Iterable<readonly [string, string]> {
    return Object.entries(this.headers);
  }
  headerValues(name: string): readonly string[] {
    const value = this.headers[name];
    return value === undefined ? [] : [value];
  }
  addResponseHeader(name: string, value: string): void {
    const before = this.answered[name.toLowerCase()] ?? [];
    this.answered[name.toLowerCase()] = [...(typeof before === "string" ? [before] : before), value];
  }
  removeResponseHeader(name: string): void {
    delete this.answered[name.toLowerCase()];
  }
  closeAfterResponse(): void {}
  readBody(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(0));
  }
  bodyStream(): Readable {
    return Readable.from([]);
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string = ""): void {
    this.#begin(status, headers);
    this.#pieces.push(Buffer.from(body));
    this.#finish();
  }

  startStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#begin(status, headers);
    this.isStreamed = true;
    const isFinished = (): boolean => this.#isFinished;
    return {
      chunked: false,
      get closed() {
        return isFinished();
      },
      flushHeaders() {},
      write: (bytes, onTaken) => {
        this.#pieces.push(Buffer.from(bytes));
        onTaken?.();
        return true;
      },
      writeFrames() {
        throw new Error("no chunks");
      },
      drained: () => Promise.resolve(),
      end: () => this.#finish(),
      abort: () => this.abort(),
    };
  }

  upgrade(): never {
    throw new Error("not an upgrade request");
  }
  onStarted(listener: () => void): void {
    if (this.responseStarted) listener();
  }
  onFinished(listener: () => void): void {
    if (this.#isFinished) listener();
    else this.#finished.push(listener);
  }
  abort(): void {
    this.#finish();
  }

  #begin(status: number, headers: ResponseHeaders): void {
    if (this.statusCode !== 0) throw new Error("the answer was already started");
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) {
      this.answered[name.toLowerCase()] = typeof value === "object" ? value : String(value);
    }
  }

  #finish(): void {
    this.#isFinished = true;
    for (const listener of this.#finished.splice(0)) listener();
  }
}

import { CollectedExchange } from "../../http/collected-exchange.js";
import type { ResponseHeaders, ResponseStream } from "../../http/exchange.js";

export interface RecordedRequest {
  readonly method?: string;
  /** Path and query. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An exchange without a connection that also keeps the headers of its answer. */
export class RecordedExchange extends CollectedExchange {
  /** By lower-case name. */
  readonly answered: Record<string, string | readonly string[]> = {};

  constructor({ method = "GET", target, headers = {} }: RecordedRequest) {
    super(
      {
        method,
        target,
        headers: { host: "server.example.org", ...headers },
        remoteAddress: "192.0.2.1",
        remotePort: 1234,
        body: new Uint8Array(0),
      },
      new AbortController().signal,
    );
  }

  get body(): Buffer {
    return Buffer.from(this.answer());
  }

  override addResponseHeader(name: string, value: string): void {
    const before = this.answered[name.toLowerCase()] ?? [];
    this.answered[name.toLowerCase()] = [...(typeof before === "string" ? [before] : before), value];
  }
  override removeResponseHeader(name: string): void {
    delete this.answered[name.toLowerCase()];
  }

  override respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    this.#keep(headers);
    super.respond(status, headers, body);
  }
  override startStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#keep(headers);
    return super.startStream(status, headers);
  }

  #keep(headers: ResponseHeaders): void {
    for (const [name, value] of Object.entries(headers)) {
      this.answered[name.toLowerCase()] = typeof value === "object" ? value : String(value);
    }
  }
}

import type { AnswerHeaders, AnswerReceiver } from "../../remote/answer-receiver.js";
import type { HttpExchange, ResponseStream } from "../http/exchange.js";
import { passedHeaders } from "./forward-headers.js";
import { rewriteLocation } from "./proxied-path.js";

/** How redirects of the other server are rewritten. */
export interface RedirectsFrom {
  /** The other server's address, as it was requested. */
  readonly host: string;
  readonly clientHost: string;
  readonly prefix: string;
}

/** Passes an answer on as fast as the client takes it. The head leaves together with the first part of the body if that has arrived. */
export class AnswerPassing implements AnswerReceiver {
  readonly #exchange: HttpExchange;
  readonly #redirects: RedirectsFrom | undefined;
  #stream: ResponseStream | undefined;
  #hasBody = false;
  #isRefused = false;

  /** Without `redirects`, a redirect is answered 502. */
  constructor(exchange: HttpExchange, redirects: RedirectsFrom | undefined) {
    this.#exchange = exchange;
    this.#redirects = redirects;
  }

  get hasBegun(): boolean {
    return this.#isRefused || this.#stream !== undefined;
  }

  begin(status: number, headers: AnswerHeaders): void {
    const passed = passedHeaders(headers);
    const { location } = passed;
    if (typeof location === "string" && isRedirect(status, location)) {
      if (this.#redirects === undefined) {
        this.#isRefused = true;
        refuseRedirect(this.#exchange);
        return;
      }
      passed.location = rewriteLocation(location, this.#redirects);
    }
    const stream = this.#exchange.startStream(status, passed);
    this.#stream = stream;
    // Deferred, so that the head leaves with the first bytes of the body if they have arrived.
    setImmediate(() => {
      if (!this.#hasBody && !stream.closed) stream.flushHeaders();
    });
  }

  write(piece: Uint8Array): boolean {
    this.#hasBody = true;
    return this.#stream?.write(piece) ?? true;
  }

  async drained(): Promise<void> {
    await this.#stream?.drained();
  }

  end(): void {
    this.#hasBody = true;
    this.#stream?.end();
  }

  /** Aborts the answer: the client must see that it is incomplete. */
  abort(): void {
    this.#stream?.abort();
  }
}

export function isRedirect(status: number, location: string | undefined): boolean {
  return status >= 300 && status <= 399 && location !== undefined && location !== "";
}

/** As kube-apiserver since 1.23.11 (CVE-2022-3172). */
export function refuseRedirect(exchange: HttpExchange): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  exchange.respond(502, headers, "the backend attempted to redirect this request, which is not permitted");
}

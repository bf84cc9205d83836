import type { AnswerHeaders, AnswerReceiver } from "../../remote/answer-receiver.js";
import type { HttpExchange, ResponseStream } from "../http/exchange.js";
import { passedHeaders } from "./forward-headers.js";

/**
 * Passes an answer on as fast as the client takes it. The head leaves together with what of the body comes with it, and alone when nothing
 * does.
 */
export class AnswerPassing implements AnswerReceiver {
  readonly #exchange: HttpExchange;
  #stream: ResponseStream | undefined;
  #hasBody = false;

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
  }

  get hasBegun(): boolean {
    return this.#stream !== undefined;
  }

  begin(status: number, headers: AnswerHeaders): void {
    const stream = this.#exchange.startStream(status, passedHeaders(headers));
    this.#stream = stream;
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

  /** Cuts the answer: the client has to see that something is missing. */
  abort(): void {
    this.#stream?.abort();
  }
}

import type { ResponseHeaders, ResponseStream } from "../../serving/http/exchange.js";
import { ForwardingExchange } from "../../serving/http/forwarding-exchange.js";
import { ForwardingStream } from "../../serving/http/forwarding-stream.js";
import { recordedBodyBytesMax } from "./recorded-call.js";

/** Keeps the start of a body, up to one byte more than is recorded. */
class Kept {
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;

  add(part: Uint8Array): void {
    const room = recordedBodyBytesMax + 1 - this.#bytes;
    if (room <= 0) return;
    // The sender may reuse its buffer, or transfer it to another thread.
    const copy = Uint8Array.from(part.subarray(0, room));
    this.#parts.push(copy);
    this.#bytes += copy.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** Records the bodies of a request and its answer as they pass. */
export class RecordingExchange extends ForwardingExchange {
  readonly #request = new Kept();
  readonly #answer = new Kept();
  #headers: ResponseHeaders = {};
  #isAnswered = false;

  /** The whole answer was given to the connection. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }
  get requestBody(): Uint8Array {
    return this.#request.bytes;
  }
  get answerBody(): Uint8Array {
    return this.#answer.bytes;
  }

  /** A header of the answer. */
  headerOf(name: string): string {
    const found = Object.entries(this.#headers).find(([each]) => each.toLowerCase() === name);
    return found === undefined ? "" : String(found[1]);
  }

  override async readBody(maxBytes: number): Promise<Uint8Array> {
    const bytes = await this.inner.readBody(maxBytes);
    this.#request.add(bytes);
    return bytes;
  }

  override respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    this.#headers = headers;
    if (body !== undefined) this.#answer.add(typeof body === "string" ? Buffer.from(body) : body);
    this.#isAnswered = true;
    this.inner.respond(status, headers, body);
  }

  override startStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#headers = headers;
    return new RecordingStream(this.inner.startStream(status, headers), this.#answer, () => {
      this.#isAnswered = true;
    });
  }
}

class RecordingStream extends ForwardingStream {
  /** False, because frames would have to be taken apart. */
  override readonly chunked = false;
  readonly #kept: Kept;
  readonly #ended: () => void;

  constructor(inner: ResponseStream, kept: Kept, ended: () => void) {
    super(inner);
    this.#kept = kept;
    this.#ended = ended;
  }

  override write(bytes: Uint8Array, onTaken?: () => void): boolean {
    this.#kept.add(bytes);
    return this.inner.write(bytes, onTaken);
  }

  override end(): void {
    this.#ended();
    this.inner.end();
  }
}

import { requestTooLarge } from "../../apimachinery/status.js";
import type { ApiRequest, BodyOptions, RequestBody } from "../../endpoints/api-request.js";
import { BodyTooLargeError } from "../http/exchange.js";
import { decodeRequestBody } from "./body.js";
import { addWarning, type RequestContext } from "./request-context.js";

/** The most a request's body may hold, as in the original. */
export const bodyBytesMax = 3 * 1024 * 1024;

/** The request as the endpoints see it. */
export function toApiRequest(context: RequestContext): ApiRequest {
  return new ExchangeRequest(context);
}

class ExchangeRequest implements ApiRequest {
  readonly #context: RequestContext;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get info() {
    return this.#context.info;
  }
  get query() {
    return this.#context.query;
  }
  get user() {
    return this.#context.user;
  }
  get now() {
    return this.#context.receivedAt;
  }
  get signal() {
    return this.#context.signal;
  }
  get userAgent() {
    return this.#context.exchange.headers["user-agent"] ?? "";
  }
  get contentType() {
    return this.#context.exchange.headers["content-type"];
  }

  readBytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#read();
    return this.#bytes;
  }

  async readBody(options?: BodyOptions): Promise<RequestBody | undefined> {
    const bytes = await this.readBytes();
    if (bytes.length === 0) return undefined;
    return await decodeRequestBody(this.contentType, bytes, options);
  }

  warn(text: string): void {
    addWarning(this.#context, text);
  }

  async #read(): Promise<Uint8Array> {
    try {
      return await this.#context.exchange.readBody(bodyBytesMax);
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        throw requestTooLarge(`Request body is too large: limit is ${error.limitBytes}`);
      }
      throw error;
    }
  }
}

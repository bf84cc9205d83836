import type { JsonValue } from "../../apimachinery/json-value.js";
import { badRequest } from "../../apimachinery/status.js";
import type { ApiRequest, BodyOptions, RequestBody } from "../../endpoints/api-request.js";
import type { Naming } from "../../naming/naming.js";
import { decodeBytes, readBytes } from "./body.js";
import { addWarning, type RequestContext } from "./request-context.js";
import { parseYaml, YamlSyntaxError } from "./yaml-body.js";

/** The request as the endpoints see it. */
export function toApiRequest(context: RequestContext, naming: Naming): ApiRequest {
  return new ExchangeRequest(context, naming);
}

class ExchangeRequest implements ApiRequest {
  readonly #context: RequestContext;
  readonly #naming: Naming;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(context: RequestContext, naming: Naming) {
    this.#context = context;
    this.#naming = naming;
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
    this.#bytes ??= readBytes(this.#context.exchange);
    return this.#bytes;
  }

  async readBody(options?: BodyOptions): Promise<RequestBody | undefined> {
    const bytes = await this.readBytes();
    if (bytes.length === 0) return undefined;
    return await decodeBytes(bytes, this.contentType, this.#naming, options);
  }

  async readYaml(options?: BodyOptions): Promise<JsonValue> {
    const bytes = await this.readBytes();
    try {
      return await parseYaml(bytes, options?.onDuplicateKey);
    } catch (error) {
      if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${error.message}`, error);
      throw error;
    }
  }

  warn(text: string): void {
    addWarning(this.#context, text);
  }
}

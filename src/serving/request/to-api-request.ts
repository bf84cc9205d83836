import type { JsonValue } from "../../apimachinery/json-value.js";
import { badRequest } from "../../apimachinery/status.js";
import { YamlSyntaxError } from "../../apimachinery/yaml/parse-yaml.js";
import type { ApiRequest, BodyOptions, RequestBody } from "../../endpoints/api-request.js";
import { type BodyParts, decodeBytes, readBytes } from "./body.js";
import type { RequestContext } from "./request-context.js";

/** The request as the endpoints see it. */
export function toApiRequest(context: RequestContext, parts: BodyParts): ApiRequest {
  return new ExchangeRequest(context, parts);
}

class ExchangeRequest implements ApiRequest {
  readonly #context: RequestContext;
  readonly #parts: BodyParts;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(context: RequestContext, parts: BodyParts) {
    this.#context = context;
    this.#parts = parts;
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
    if (bytes.length === 0 && options?.expectedKind === undefined) return undefined;
    return await decodeBytes(bytes, this.contentType, this.#parts, {
      ...options,
      signal: () => this.signal,
    });
  }

  async readYaml(options?: BodyOptions): Promise<JsonValue> {
    const bytes = await this.readBytes();
    try {
      return await this.#parts.yaml.parse(bytes, options?.onDuplicateKey, this.signal);
    } catch (error) {
      if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${error.message}`, error);
      throw error;
    }
  }

  warn(text: string): void {
    this.#context.warnings.add(text);
  }
}

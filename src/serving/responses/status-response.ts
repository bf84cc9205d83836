import { cborOfJson } from "../../apimachinery/cbor/print-cbor.js";
import { PlainTextError, type Status, StatusError } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { nextTurn } from "../../event-loop/turns.js";
import type { HttpExchange } from "../http/exchange.js";
import { type Negotiated, type Negotiator, plainOffer, prettyAsked } from "./negotiator.js";

const statusType: TypeMeta = { kind: "Status", apiVersion: "v1" };

/** Printing and sending longer messages takes milliseconds: a character may take six bytes, and a cause may repeat the message. */
const largeLength = 64 * 1024;

function isLarge({ message = "" }: Status): boolean {
  return message.length > largeLength;
}

/** The headers of Go's `http.Error`. */
const plainTextHeaders = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };

/** Answers with `Status` objects: errors, and the outcome of requests that return no object. */
export class StatusResponder {
  readonly #negotiator: Negotiator;
  readonly #codec: Codec<Status>;
  readonly #yaml: YamlConverter;

  /** `codec` is that of `meta/v1.Status`. */
  constructor(negotiator: Negotiator, codec: Codec<Status>, yaml: YamlConverter) {
    this.#negotiator = negotiator;
    this.#codec = codec;
    this.#yaml = yaml;
  }

  /**
   * Writes the error in the representation that the client requested. A client that accepts none of the offered ones gets JSON anyway:
   * its error matters more. `Retry-After` comes from the details.
   */
  async error(exchange: HttpExchange, error: StatusError): Promise<void> {
    const { status } = error;
    const retryAfter = status.details?.retryAfterSeconds ?? 0;
    if (retryAfter > 0) exchange.addResponseHeader("Retry-After", String(retryAfter));
    if (error instanceof PlainTextError) return exchange.respond(error.code, plainTextHeaders, error.text);
    await this.#sendError(exchange, error.code, status);
  }

  /** `negotiated` is the representation agreed on before the request ran; its transform does not apply to a Status. */
  async success(exchange: HttpExchange, code: number, status: Status, negotiated: Negotiated): Promise<void> {
    const body = await this.#body(exchange, status, negotiated);
    exchange.respond(code, { "Content-Type": negotiated.contentType }, body);
  }

  /** The bytes of a `Status` alone, for the last event of a watch: JSON text, protobuf in its envelope, or CBOR. */
  encode(status: Status, representation: "json" | "protobuf" | "cbor"): Buffer {
    if (representation === "protobuf") return encodeEnvelope(statusType, this.#codec.toProto(status));
    const json = Buffer.from(this.#codec.toJsonWithType(status, statusType));
    return representation === "cbor" ? cborOfJson(json) : json;
  }

  async #sendError(exchange: HttpExchange, code: number, status: Status): Promise<void> {
    let negotiated: Negotiated;
    try {
      negotiated = this.#negotiator.negotiate(exchange.headers.accept, plainOffer);
    } catch (problem) {
      if (!(problem instanceof StatusError)) throw problem;
      return exchange.respond(code, { "Content-Type": "application/json" }, this.#pretty(status));
    }
    const takesTurns = isLarge(status);
    // The answer is needed even if nobody waits any more, so no signal ends it.
    if (takesTurns) await nextTurn();
    const body = await this.#body(exchange, status, negotiated);
    if (takesTurns) await nextTurn();
    if (!exchange.responseStarted) exchange.respond(code, { "Content-Type": negotiated.contentType }, body);
  }

  async #body(exchange: HttpExchange, status: Status, negotiated: Negotiated): Promise<string | Buffer> {
    const { representation } = negotiated;
    if (representation === "protobuf" || representation === "cbor")
      return this.encode(status, representation);
    if (negotiated.representation === "yaml") {
      const json = Buffer.from(this.#codec.toJsonWithType(status, statusType));
      try {
        return Buffer.from(await this.#yaml.print(json, exchange.signal));
      } catch (error) {
        // Too many wait to be printed. JSON is YAML too.
        if (error instanceof StatusError) return json;
        throw error;
      }
    }
    const pretty = negotiated.pretty || prettyAsked(exchange.query, exchange.headers["user-agent"]);
    return pretty ? this.#pretty(status) : await this.#json(status);
  }

  async #json(status: Status): Promise<string | Buffer> {
    const text = `${this.#codec.toJsonWithType(status, statusType)}\n`;
    if (!isLarge(status)) return text;
    await nextTurn();
    return Buffer.from(text);
  }

  #pretty(status: Status): string {
    return printJson(parseJson(this.#codec.toJsonWithType(status, statusType)), { indent: "  " });
  }
}

import { createHash } from "node:crypto";
import { printJson, printJsonByEngine } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";

/** A discovery document in the forms in which it is sent, each made on demand. */
export class DiscoveryDocument {
  readonly #describe: () => JsonObject;
  readonly #encode: (document: JsonObject) => Uint8Array;
  #json: string | undefined;
  #protobuf: Uint8Array | undefined;
  #hash: string | undefined;

  /** `json` is the text of what `describe` returns, if it is known already; `encode` makes protobuf. */
  constructor(
    describe: () => JsonObject,
    encode: (document: JsonObject) => Uint8Array,
    json?: string | undefined,
  ) {
    this.#describe = describe;
    this.#encode = encode;
    this.#json = json;
  }

  get json(): string {
    this.#json ??= `${printJsonByEngine(this.#describe())}\n`;
    return this.#json;
  }

  get prettyJson(): string {
    return `${printJson(this.#describe(), { indent: "  " })}\n`;
  }

  /** In its envelope. */
  get protobuf(): Uint8Array {
    this.#protobuf ??= this.#encode(this.#describe());
    return this.#protobuf;
  }

  /** Upper-case SHA-512 of the JSON, by which clients learn whether it has changed. */
  get hash(): string {
    this.#hash ??= createHash("sha512").update(this.json).digest("hex").toUpperCase();
    return this.#hash;
  }
}

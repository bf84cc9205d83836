import { createHash } from "node:crypto";
import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ApiCatalog, ServedGroup } from "../api-catalog.js";
import { type DiscoveryRoot, groupDiscoveryDocument } from "./aggregated.js";
import { aggregatedDiscoveryTypes } from "./aggregated-types.js";

/** Discovery documents in the forms they are sent in. The aggregated ones are kept until the catalog changes. */
export class DiscoveryAnswers {
  readonly #catalog: ApiCatalog;
  #types: SchemaRegistry | undefined;
  #groups: readonly ServedGroup[] | undefined;
  #aggregated = new Map<string, AggregatedAnswer>();

  constructor(catalog: ApiCatalog) {
    this.#catalog = catalog;
  }

  /** `apiVersion` is the one asked for, in either profile's words. */
  aggregated(root: DiscoveryRoot, apiVersion: string): AggregatedAnswer {
    const groups = this.#catalog.groups();
    if (this.#groups !== groups) {
      this.#groups = groups;
      this.#aggregated = new Map();
    }
    const key = `${root} ${apiVersion}`;
    let answer = this.#aggregated.get(key);
    if (answer === undefined) {
      answer = new AggregatedAnswer(groupDiscoveryDocument(this.#catalog, root, apiVersion));
      this.#aggregated.set(key, answer);
    }
    return answer;
  }

  /** A document in its protobuf envelope. */
  protobuf(document: JsonObject): Uint8Array {
    this.#types ??= new SchemaRegistry([metaV1Types, aggregatedDiscoveryTypes]);
    const { kind } = document;
    const packageName = kind === "APIGroupDiscoveryList" ? "apidiscovery/v2" : "meta/v1";
    const codec = this.#types.codec(`${packageName}.${String(kind)}`);
    const apiVersion = typeof document.apiVersion === "string" ? document.apiVersion : "v1";
    return encodeEnvelope({ kind: String(kind), apiVersion }, codec.toProto(codec.fromJson(document)));
  }
}

/** An aggregated document, with the hash that tells clients whether it has changed. */
class AggregatedAnswer {
  readonly document: JsonObject;
  readonly json: string;
  /** Upper-case SHA-512. */
  readonly hash: string;

  constructor(document: JsonObject) {
    this.document = document;
    this.json = `${printJson(document)}\n`;
    this.hash = createHash("sha512").update(this.json).digest("hex").toUpperCase();
  }
}

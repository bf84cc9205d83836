import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import { pathNotFound } from "../../apimachinery/status.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type { ApiCatalog } from "../../endpoints/api-catalog.js";
import type { DiscoveryRoot } from "../../endpoints/discovery/aggregated.js";
import { DiscoveryAnswers } from "../../endpoints/discovery/discovery-answers.js";
import {
  coreVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
} from "../../endpoints/discovery/documents.js";
import { isDiscoveryDocumentGroup } from "../../naming/either-profile.js";
import type { HttpExchange, ResponseHeaders } from "../../serving/http/exchange.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { respondCompressed } from "../../serving/responses/gzip.js";
import {
  type EndpointOffer,
  type Negotiated,
  type Negotiator,
  plainOffer,
  prettyAsked,
  type Transform,
} from "../../serving/responses/negotiator.js";
import type { Route } from "../../serving/routing/router.js";
import { matchesEntityTag } from "./entity-tag.js";

export interface DiscoveryRoutesParts {
  readonly catalog: ApiCatalog;
  readonly negotiator: Negotiator;
  readonly yaml: YamlConverter;
  readonly serverAddress: () => string;
  readonly storageVersionHashes: boolean;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
}

/** What is served, by group and version: the classic documents, and all in one for clients that ask for it. */
export function discoveryRoutes(parts: DiscoveryRoutesParts): Route[] {
  const { catalog, serverAddress } = parts;
  const sender = new DiscoverySender(parts);
  return [
    {
      path: "/api",
      listed: true,
      readOnly: true,
      handle: (context) => sender.root(context, "api", () => coreVersionsDocument(catalog, serverAddress())),
    },
    ...["/apis", "/apis/"].map(
      (path): Route => ({
        path,
        listed: true,
        handle: (context) => sender.root(context, "apis", () => groupListDocument(catalog)),
      }),
    ),
    ...["/api/*", "/apis/*"].map(
      (path): Route => ({
        path,
        listed: false,
        readOnly: true,
        handle: (context: RequestContext) => sender.classic(context, () => documentAt(parts, context.path)),
      }),
    ),
  ];
}

/** `/api` and `/apis`, which have an aggregated form. */
const rootOffer: EndpointOffer = { ...plainOffer, allowsTransform: isAggregated };

function isAggregated({ kind, group, version }: Transform): boolean {
  return (
    kind === "APIGroupDiscoveryList" &&
    isDiscoveryDocumentGroup(group) &&
    (version === "v2" || version === "v2beta1")
  );
}

class DiscoverySender {
  readonly #parts: DiscoveryRoutesParts;
  readonly #answers: DiscoveryAnswers;

  constructor(parts: DiscoveryRoutesParts) {
    this.#parts = parts;
    this.#answers = new DiscoveryAnswers(parts.catalog);
  }

  async classic({ exchange }: RequestContext, document: () => JsonObject): Promise<void> {
    const negotiated = this.#parts.negotiator.negotiate(exchange.headers.accept, plainOffer);
    await this.#send(exchange, negotiated, document());
  }

  async root(
    { exchange }: RequestContext,
    root: DiscoveryRoot,
    classicDocument: () => JsonObject,
  ): Promise<void> {
    const negotiated = this.#parts.negotiator.negotiate(exchange.headers.accept, rootOffer);
    // Both forms have the same URL.
    exchange.addResponseHeader("Vary", "Accept");
    const { transform } = negotiated;
    if (transform === undefined) return await this.#send(exchange, negotiated, classicDocument());

    const { kind, group, version } = transform;
    const { document, hash, json } = this.#answers.aggregated(root, `${group}/${version}`);
    const etag = `"${hash}"`;
    exchange.addResponseHeader("ETag", etag);
    if (matchesEntityTag(exchange.headers["if-none-match"], etag)) {
      exchange.respond(304, {});
      return;
    }
    const contentType = `${negotiated.contentType};g=${group};v=${version};as=${kind}`;
    await this.#send(exchange, { ...negotiated, contentType }, document, json);
  }

  /** `json` is the document's text where it is at hand. */
  async #send(
    exchange: HttpExchange,
    negotiated: Negotiated,
    document: JsonObject,
    json?: string,
  ): Promise<void> {
    const body = await this.#body(exchange, negotiated, document, json);
    const headers: ResponseHeaders = { "Content-Type": negotiated.contentType };
    const { compress } = this.#parts;
    respondCompressed(exchange, { status: 200, headers, body, compress });
  }

  async #body(
    exchange: HttpExchange,
    negotiated: Negotiated,
    document: JsonObject,
    json: string | undefined,
  ): Promise<Uint8Array> {
    if (negotiated.representation === "protobuf") return this.#answers.protobuf(document);
    if (negotiated.representation === "yaml") {
      return await this.#parts.yaml.print(Buffer.from(printJson(document)));
    }
    const pretty = negotiated.pretty || prettyAsked(exchange.query, exchange.headers["user-agent"]);
    if (pretty) return Buffer.from(`${printJson(document, { indent: "  " })}\n`);
    return Buffer.from(json ?? `${printJson(document)}\n`);
  }
}

/** `/api/v1`, `/apis/GROUP` or `/apis/GROUP/VERSION`. Throws 404. */
function documentAt(parts: DiscoveryRoutesParts, path: string): JsonObject {
  const [prefix, ...rest] = path.replace(/^\/|\/+$/g, "").split("/");
  const groupName = prefix === "api" ? "" : (rest.shift() ?? "");
  const [versionName, ...more] = rest;
  const group = parts.catalog.groups().find((g) => g.group === groupName);
  if (group === undefined || more.length > 0 || (prefix === "apis" && groupName === "")) throw pathNotFound();
  if (versionName === undefined) return groupDocument(group);
  const version = group.versions.find((v) => v.version === versionName);
  if (version === undefined) throw pathNotFound();
  return resourceListDocument(groupName, version, parts.storageVersionHashes);
}

import { cborOfJson } from "../../apimachinery/cbor/print-cbor.js";
import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type { DiscoveryRoot } from "../../endpoints/discovery/aggregated.js";
import type { DiscoveryDocument } from "../../endpoints/discovery/discovery-document.js";
import {
  type AggregatedVersion,
  type DiscoveryDocuments,
  isAggregatedForm,
} from "../../endpoints/discovery/discovery-documents.js";
import type { HttpExchange, ResponseHeaders } from "../../serving/http/exchange.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { respondCompressed } from "../../serving/responses/gzip.js";
import {
  type EndpointOffer,
  type Negotiated,
  type Negotiator,
  plainOffer,
  prettyAsked,
} from "../../serving/responses/negotiator.js";
import type { Route } from "../../serving/routing/router.js";
import { matchesEntityTag } from "./entity-tag.js";

export interface DiscoveryRoutesParts {
  /** Versions in which the aggregated form is offered. */
  readonly aggregatedVersions: readonly AggregatedVersion[];
  readonly documents: DiscoveryDocuments;
  readonly negotiator: Negotiator;
  readonly yaml: YamlConverter;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
  /** Called when a client asks for the aggregated form without resources that only other servers serve. */
  readonly askedWithoutPeers?: (() => void) | undefined;
}

/** Sends discovery documents: the classic ones, and the aggregated one to clients that ask for it. */
export function discoveryRoutes(parts: DiscoveryRoutesParts): Route[] {
  const { aggregatedVersions } = parts;
  const offer: EndpointOffer = {
    ...offerWithoutCbor,
    allowsTransform: (form) => isAggregatedForm(form, aggregatedVersions),
  };
  const root = (path: string, of: DiscoveryRoot): Route => ({
    path,
    listed: true,
    ...(of === "api" && { readOnly: true }),
    handle: (context) => sendRoot(parts, context, of, offer),
  });
  const below = (path: string): Route => ({
    path,
    listed: false,
    handle: (context) => sendClassic(parts, context),
  });
  return [
    root("/api", "api"),
    root("/apis", "apis"),
    root("/apis/", "apis"),
    below("/api/*"),
    below("/apis/*"),
  ];
}

async function sendClassic(parts: DiscoveryRoutesParts, { exchange, path }: RequestContext): Promise<void> {
  const document = await parts.documents.at(path);
  if (exchange.method !== "GET" && !groupPath.test(path)) throw methodNotAllowed();
  const offer = versionPath.test(path) ? plainOffer : offerWithoutCbor;
  const negotiated = parts.negotiator.negotiate(exchange.headers.accept, offer);
  await send(parts, exchange, negotiated, document);
}

/** Only the documents of versions have a CBOR form, as in Kubernetes. */
const offerWithoutCbor: EndpointOffer = {
  ...plainOffer,
  representations: plainOffer.representations.filter((name) => name !== "cbor"),
};
const versionPath = /^\/(api|apis\/[^/]+)\/[^/]+\/?$/;

/** As in Kubernetes, groups are listed and described whatever the method. */
const groupPath = /^\/apis(\/[^/]+)?\/?$/;

/** `/api` and `/apis`, which have an aggregated form. */
async function sendRoot(
  parts: DiscoveryRoutesParts,
  context: RequestContext,
  root: DiscoveryRoot,
  offer: EndpointOffer,
): Promise<void> {
  const { exchange } = context;
  const { documents, negotiator, aggregatedVersions } = parts;
  // Both forms have the same URL, so caches must tell them apart.
  if (aggregatedVersions.length > 0) exchange.addResponseHeader("Vary", "Accept");
  const negotiated = negotiator.find(exchange.headers.accept, offer);
  const transform = negotiated?.transform;
  if (negotiated === undefined || transform === undefined) return await sendClassic(parts, context);

  const { kind, group, version } = transform;
  if (version === "v2" && negotiated.parameters.get("profile") === "nopeer") parts.askedWithoutPeers?.();
  const document = await documents.aggregated(root, `${group}/${version}`);
  const etag = `"${document.hash}"`;
  exchange.addResponseHeader("ETag", etag);
  // Every user gets the same document, so it may be cached.
  exchange.removeResponseHeader("Cache-Control");
  exchange.addResponseHeader("Cache-Control", "public");
  if (matchesEntityTag(exchange.headers["if-none-match"], etag)) {
    exchange.respond(304, {});
    return;
  }
  const contentType = `${negotiated.contentType};g=${group};v=${version};as=${kind}`;
  await send(parts, exchange, { ...negotiated, contentType }, document);
}

async function send(
  { yaml, compress }: DiscoveryRoutesParts,
  exchange: HttpExchange,
  negotiated: Negotiated,
  document: DiscoveryDocument,
): Promise<void> {
  const body = await bodyOf(document, exchange, negotiated, yaml);
  const headers: ResponseHeaders = { "Content-Type": negotiated.contentType };
  await respondCompressed(exchange, { status: 200, headers, body, compress });
}

async function bodyOf(
  document: DiscoveryDocument,
  exchange: HttpExchange,
  negotiated: Negotiated,
  yaml: YamlConverter,
): Promise<Uint8Array> {
  if (negotiated.representation === "protobuf") return document.protobuf;
  if (negotiated.representation === "yaml") {
    return await yaml.print(Buffer.from(document.json), exchange.signal);
  }
  if (negotiated.representation === "cbor") return cborOfJson(Buffer.from(document.json));
  const pretty = negotiated.pretty || prettyAsked(exchange.query, exchange.headers["user-agent"]);
  return Buffer.from(pretty ? document.prettyJson : document.json);
}

import { notAcceptable } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { acceptedRanges } from "../../apimachinery/requests/media-range.js";
import type { OpenApiDocuments } from "../../endpoints/openapi/openapi-documents.js";
import type { RenderedDocument } from "../../endpoints/openapi/rendered-document.js";
import type { DocumentForm } from "../../endpoints/openapi/section-renderer.js";
import { parseMediaTypeName } from "../../naming/media-types.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { acceptsGzip } from "../../serving/responses/gzip.js";
import { sendBytes } from "../../serving/responses/send-bytes.js";
import type { Route } from "../../serving/routing/router.js";
import { matchesEntityTag } from "./entity-tag.js";

export interface OpenApiRoutesParts {
  readonly documents: OpenApiDocuments;
  /** Whether `/openapi/v3` is served, which the gate OpenAPIV3 may disable. */
  readonly v3: boolean;
  readonly level: ApiLevel;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
  readonly now: () => Date;
}

/** `/openapi/v2` and `/openapi/v3`: the description of all types and operations of the API. */
export function openApiRoutes(parts: OpenApiRoutesParts): Route[] {
  const { documents } = parts;
  const v2: Route = {
    path: "/openapi/v2",
    listed: true,
    handle: async ({ exchange }) => {
      const form = formFor(exchange, "openApiV2Protobuf");
      await send(parts, exchange, await documents.v2(form), contentTypes.v2[form]);
    },
  };
  if (!parts.v3) return [v2];
  return [
    v2,
    {
      path: "/openapi/v3",
      listed: true,
      handle: async ({ exchange }) =>
        send(parts, exchange, await documents.v3Index(), typesOfV3(parts).index),
    },
    { path: "/openapi/v3/*", listed: true, handle: (context) => sectionOfV3(parts, context) },
  ];
}

const prefixV3 = "/openapi/v3/";
const secondsPerYear = 365 * 24 * 60 * 60;

const contentTypes = {
  v2: {
    json: "application/json",
    protobuf: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
  },
  v3: {
    json: "application/json",
    protobuf: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
  },
} as const;

/** A URL with the hash of its content never changes; an outdated hash redirects to the newest. */
async function sectionOfV3(parts: OpenApiRoutesParts, context: RequestContext): Promise<void> {
  const { documents } = parts;
  const { exchange } = context;
  const section = context.path.slice(prefixV3.length).replace(/\/$/, "");
  const form = formFor(exchange, "openApiV3Protobuf");
  const hash = await documents.v3Hash(section);
  if (hash === undefined) return notFound(exchange);
  const asked = context.query.get("hash");
  if (asked !== null && asked !== hash) {
    exchange.respond(301, { Location: `${prefixV3}${section}?hash=${hash}` });
    return;
  }
  const document = await documents.v3(section, form);
  if (document === undefined) return notFound(exchange);
  if (asked === null) {
    exchange.addResponseHeader("Cache-Control", "no-cache, private");
  } else {
    exchange.addResponseHeader("Cache-Control", "public, immutable");
    const expires = new Date(parts.now().getTime() + secondsPerYear * 1000);
    exchange.addResponseHeader("Expires", expires.toUTCString());
  }
  await send(parts, exchange, document, typesOfV3(parts)[form]);
}

/** As in Kubernetes, where a file server answers: plain text without a `Status`. */
function notFound(exchange: HttpExchange): void {
  exchange.addResponseHeader("Cache-Control", "no-cache, private");
  exchange.respond(404, {});
}

/**
 * The content types of version 3. Kubernetes leaves that of the index, and before 1.27 of all documents, to its file server, which
 * guesses.
 */
function typesOfV3({ level }: OpenApiRoutesParts): Readonly<Record<DocumentForm | "index", string>> {
  const text = "text/plain; charset=utf-8";
  return isAtLeast(level, "1.27")
    ? { ...contentTypes.v3, index: text }
    : { json: text, protobuf: "application/octet-stream", index: text };
}

/** Throws 406. */
function formFor(
  exchange: HttpExchange,
  protobufName: "openApiV2Protobuf" | "openApiV3Protobuf",
): DocumentForm {
  for (const { type, subtype } of acceptedRanges(exchange.headers.accept)) {
    if (subtype === "*" && (type === "*" || type === "application")) return "json";
    const name = parseMediaTypeName(`${type}/${subtype}`);
    if (name === "json") return "json";
    if (name === protobufName) return "protobuf";
  }
  const { json, protobuf } = contentTypes[protobufName === "openApiV2Protobuf" ? "v2" : "v3"];
  throw notAcceptable([json, protobuf]);
}

async function send(
  parts: OpenApiRoutesParts,
  exchange: HttpExchange,
  document: RenderedDocument,
  contentType: string,
): Promise<void> {
  const etag = `"${document.hash}"`;
  const headers = { ETag: etag, Vary: "Accept, Accept-Encoding" };
  if (matchesEntityTag(exchange.headers["if-none-match"], etag)) {
    exchange.respond(304, headers);
    return;
  }
  const typed = { ...headers, "Content-Type": contentType };
  if (parts.compress && acceptsGzip(exchange.headers["accept-encoding"])) {
    await sendBytes(exchange, 200, { ...typed, "Content-Encoding": "gzip" }, await document.compressed());
  } else {
    await sendBytes(exchange, 200, typed, document.bytes);
  }
}

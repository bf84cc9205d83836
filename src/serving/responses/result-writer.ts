import { parseJson } from "../../apimachinery/json-parse.js";
import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import type { ApiObject, ListMeta } from "../../apimachinery/meta.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { ApiResult, ListResultOf, ObjectResult, ValueResult } from "../../endpoints/api-result.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { RequestContext } from "../request/request-context.js";
import { respondCompressed } from "./gzip.js";
import { sendList } from "./list-stream.js";
import { type Negotiated, type Negotiator, objectOffer, prettyAsked, type Transform } from "./media-type.js";
import { partialObjectMetadata, partialObjectMetadataList } from "./partial-metadata.js";
import { ProtobufLists } from "./protobuf-list.js";
import type { StatusResponder } from "./status-response.js";
import { tableOf, tableOptionsOf } from "./table.js";
import type { WatchResponder } from "./watch-responder.js";
import { jsonToYaml } from "./yaml.js";

export interface ResultWriterParts {
  readonly negotiator: Negotiator;
  readonly status: StatusResponder;
  readonly watches: WatchResponder;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
}

const offer = objectOffer({ protobuf: true, table: true, stream: false });
const valueOffer = objectOffer({ protobuf: true, table: false, stream: false });

/** Gives the results of the endpoints the representation that the client asked for (contract 1, §4). */
export class ResultWriter {
  readonly #parts: ResultWriterParts;
  readonly #protobufLists = new ProtobufLists();

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
  }

  /** Throws 406 before anything is read or changed: call it first. */
  negotiate(context: RequestContext): void {
    const { negotiator } = this.#parts;
    if (context.info.verb !== "watch") negotiator.negotiate(context.exchange.headers.accept, offer);
  }

  async write(context: RequestContext, result: ApiResult): Promise<void> {
    switch (result.kind) {
      case "object":
        return await this.#object(context, result);
      case "list":
        return await this.#list(context, result);
      case "watch":
        return await this.#parts.watches.watch(context, result);
      case "value":
        return await this.#value(context, result);
      case "status":
        return await this.#parts.status.success(context.exchange, result.code, result.status);
      default:
        return unreachable(result);
    }
  }

  async #object(context: RequestContext, result: ObjectResult): Promise<void> {
    const { exchange } = context;
    const { view, stored, code } = result;
    const negotiated = this.#parts.negotiator.negotiate(exchange.headers.accept, offer);
    if (negotiated.transform !== undefined) {
      return await this.#json(
        context,
        code,
        negotiated,
        transformed(context, [stored], {}, result, negotiated.transform),
      );
    }
    if (negotiated.representation === "protobuf") {
      return this.#send(context, code, negotiated, encodeEnvelope(view.typeMeta, view.proto(stored)));
    }
    const body = view.body(stored);
    const whole = Buffer.allocUnsafe(view.objectHead.length + body.length + 1);
    whole.set(view.objectHead, 0);
    whole.set(body, view.objectHead.length);
    whole[whole.length - 1] = newline;
    if (negotiated.representation === "yaml" || isPretty(context, negotiated)) {
      return await this.#text(context, code, negotiated, whole.toString("utf8"));
    }
    this.#send(context, code, negotiated, whole);
  }

  async #list(context: RequestContext, result: ListResultOf): Promise<void> {
    const { exchange } = context;
    const { view, items, metadata } = result;
    const negotiated = this.#parts.negotiator.negotiate(exchange.headers.accept, offer);
    if (negotiated.transform !== undefined) {
      return await this.#json(
        context,
        200,
        negotiated,
        transformed(context, items, metadata, result, negotiated.transform),
      );
    }
    const headers = { "Content-Type": negotiated.contentType };
    const { compress } = this.#parts;
    if (negotiated.representation === "protobuf") {
      const body = this.#protobufLists.body(view, items, metadata);
      return await sendList(exchange, { status: 200, headers, body, compress });
    }
    const head = listHead(result);
    const body = {
      head,
      items,
      bytesOf: (stored: StoredObject<ApiObject>) => view.body(stored),
      separator: itemSeparator,
      tail: listTail,
    };
    if (negotiated.representation === "yaml" || isPretty(context, negotiated)) {
      const texts = items.map((stored) => view.body(stored).toString("utf8"));
      return await this.#text(context, 200, negotiated, `${head.toString("utf8")}${texts.join(",{")}]}`);
    }
    await sendList(exchange, { status: 200, headers, body, compress });
  }

  async #value(context: RequestContext, result: ValueResult): Promise<void> {
    const negotiated = this.#parts.negotiator.negotiate(context.exchange.headers.accept, valueOffer);
    const { codec, object, typeMeta, code } = result;
    if (negotiated.representation === "protobuf") {
      return this.#send(context, code, negotiated, encodeEnvelope(typeMeta, codec.toProto(object)));
    }
    await this.#text(context, code, negotiated, `${codec.toJsonWithType(object, typeMeta)}\n`);
  }

  async #json(
    context: RequestContext,
    code: number,
    negotiated: Negotiated,
    document: JsonObject,
  ): Promise<void> {
    await this.#text(context, code, negotiated, `${printJson(document)}\n`);
  }

  /** `json` as JSON, indented when asked for, or as YAML. */
  async #text(context: RequestContext, code: number, negotiated: Negotiated, json: string): Promise<void> {
    const text =
      negotiated.representation === "yaml"
        ? await jsonToYaml(json)
        : isPretty(context, negotiated)
          ? printJson(parseJson(json), { indent: "  " })
          : json;
    this.#send(context, code, negotiated, Buffer.from(text));
  }

  #send(context: RequestContext, status: number, negotiated: Negotiated, body: Uint8Array): void {
    const headers = { "Content-Type": negotiated.contentType };
    respondCompressed(context.exchange, { status, headers, body, compress: this.#parts.compress });
  }
}

const newline = 0x0a;
const itemSeparator = Buffer.from(",{");
const listTail = Buffer.from("]}\n");

/** Everything before the first item's body; `continue` is there even when it is empty (contract 1, §2). */
function listHead(result: ListResultOf): Buffer {
  const { kind, apiVersion } = result.view.listTypeMeta;
  const { resourceVersion = "", remainingItemCount } = result.metadata;
  const remaining = remainingItemCount === undefined ? "" : `,"remainingItemCount":${remainingItemCount}`;
  return Buffer.from(
    `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{"resourceVersion":${JSON.stringify(resourceVersion)},` +
      `"continue":${JSON.stringify(result.metadata.continue ?? "")}${remaining}},"items":[${result.items.length === 0 ? "" : "{"}`,
  );
}

function transformed(
  context: RequestContext,
  items: readonly StoredObject<ApiObject>[],
  listMeta: ListMeta,
  result: ObjectResult | ListResultOf,
  transform: Transform,
): JsonObject {
  const { view } = result;
  const apiVersion = `${transform.group}/${transform.version}`;
  const [first] = items;
  if (transform.kind === "Table") {
    const metadata =
      result.kind === "object" && first !== undefined
        ? { resourceVersion: String(first.revision) }
        : listMeta;
    return tableOf({
      view,
      items,
      metadata,
      now: context.receivedAt,
      options: tableOptionsOf(context.query),
      apiVersion,
    });
  }
  if (result.kind === "object" && first !== undefined) return partialObjectMetadata(view, first, apiVersion);
  return partialObjectMetadataList(view, items, listMeta, apiVersion);
}

function isPretty(context: RequestContext, negotiated: Negotiated): boolean {
  return negotiated.pretty || prettyAsked(context.exchange.query, context.exchange.headers["user-agent"]);
}

function unreachable(result: never): never {
  throw new Error(`unknown result ${JSON.stringify(result)}`);
}

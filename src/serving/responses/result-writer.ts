import { cborOfJson } from "../../apimachinery/cbor/print-cbor.js";
import { codeOfReason, StatusError } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { indentedJson } from "../../apimachinery/json/json-indent.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { binaryMembers } from "../../apimachinery/schema/binary-members.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type {
  ApiResult,
  ListResultOf,
  ObjectResult,
  ValueResult,
} from "../../endpoints/resource/api-result.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { RequestContext } from "../request/request-context.js";
import { type AnswerBudget, countedBytesMin } from "./answer-budget.js";
import { cborForm, cborPartial } from "./cbor-forms.js";
import { cborItem, cborPieces } from "./cbor-list.js";
import type { GroupBuffers } from "./group-buffers.js";
import { respondCompressed } from "./gzip.js";
import { inSlices } from "./in-slices.js";
import {
  compactBody,
  compactPieces,
  indentedPieces,
  type JsonList,
  openingBrace,
  yamlPieces,
} from "./json-list.js";
import type { LargeForms } from "./large-forms.js";
import { type ListBody, sendList } from "./list-stream.js";
import {
  type EndpointOffer,
  type Negotiated,
  type Negotiator,
  objectOffer,
  prettyAsked,
  type Transform,
} from "./negotiator.js";
import { metadataJson, partialHead, partialKind, partialListKind, partialProto } from "./partial-metadata.js";
import { protobufListPieces } from "./protobuf-list.js";
import { withSelfLinks } from "./self-links.js";
import { sendPieces } from "./send-pieces.js";
import type { StatusResponder } from "./status-response.js";
import { includeObjectOf, TablePrinter } from "./table.js";
import type { WatchResponder } from "./watch-responder.js";

export interface ResultWriterParts {
  readonly negotiator: Negotiator;
  readonly status: StatusResponder;
  readonly watches: WatchResponder;
  /** Of `meta/v1.PartialObjectMetadata`. */
  readonly partialMetadata: Codec;
  readonly yaml: YamlConverter;
  readonly answers: AnswerBudget;
  /** Undefined where large objects are converted on this thread too. */
  readonly large?: LargeForms | undefined;
  readonly groupBuffers: GroupBuffers;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
  /** Whether objects and lists have self links: the gate RemoveSelfLink is off. */
  readonly selfLinks: boolean;
}

/** What is known of the answer before the request is carried out. */
export interface ExpectedAnswer {
  readonly kind: "object" | "list" | "watch" | "value";
  /** Custom resources have no protobuf form. */
  readonly hasProtobuf: boolean;
}

/** Gives the results of endpoints the representation that the client requested. */
export class ResultWriter {
  readonly #parts: ResultWriterParts;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
  }

  /** Throws 406, and 400 for an impossible table: call it before anything is read or changed. */
  negotiate(context: RequestContext, expected: ExpectedAnswer): Negotiated {
    const { accept } = context.exchange.headers;
    const negotiated = this.#parts.negotiator.negotiate(accept, offerFor(expected));
    const { transform } = negotiated;
    if (transform !== undefined) checkTransform(context, expected, transform);
    return negotiated;
  }

  /** Synchronous unless it must wait, which an object in its plain form never does. */
  write(context: RequestContext, negotiated: Negotiated, given: ApiResult): Promise<void> | undefined {
    const result = this.#parts.selfLinks ? withSelfLinks(given, context.exchange.path) : given;
    const answer: Answer = { context, negotiated };
    switch (result.kind) {
      case "object":
        return this.#object(answer, result);
      case "list":
        return this.#list(answer, result);
      case "watch":
        return this.#parts.watches.watch(context, negotiated, result);
      case "value":
        return this.#value(answer, result);
      case "status":
        context.audit?.recordStatus(result.status);
        context.audit?.recordResponse(() => this.#parts.status.encode(result.status, "json"));
        return this.#parts.status.success(context.exchange, result.code, result.status, negotiated);
      default:
        return unreachable(result);
    }
  }

  #object(answer: Answer, result: ObjectResult): Promise<void> | undefined {
    const { negotiated } = answer;
    const { view, stored, code } = result;
    if (negotiated.transform !== undefined) {
      return this.#transformedObject(answer, result, negotiated.transform);
    }
    if (negotiated.representation === "protobuf") {
      answer.context.audit?.recordResponse(() => wholeOf(view.objectHead, view.body(stored), nothing));
      return this.#send(answer, code, encodeEnvelope(view.typeMeta, view.proto(stored)));
    }
    const parts = [view.objectHead, view.body(stored), newline] as const;
    return this.#json(answer, code, parts, view.version.codec.schema);
  }

  async #transformedObject(answer: Answer, result: ObjectResult, transform: Transform): Promise<void> {
    const { view, stored, code } = result;
    const apiVersion = apiVersionOf(transform);
    if (transform.kind === "Table") {
      const printer = new TablePrinter(view, includeObjectOf(answer.context.query), apiVersion);
      const head = printer.head({ resourceVersion: String(stored.revision) }, true);
      const bytesOf = (): Buffer => printer.row(stored, answer.context.receivedAt);
      return await this.#jsonList(answer, code, {
        head,
        member: "rows",
        items: [stored],
        bytesOf,
        itemHead: openingBrace,
      });
    }
    if (answer.negotiated.representation === "protobuf") {
      const head = Buffer.from(partialHead(apiVersion));
      answer.context.audit?.recordResponse(() => wholeOf(head, metadataJson(view, stored), closingBrace));
      const message = partialProto(this.#parts.partialMetadata, view, stored);
      return this.#send(answer, code, encodeEnvelope({ apiVersion, kind: partialKind }, message));
    }
    const head = Buffer.from(partialHead(apiVersion));
    await this.#json(answer, code, [head, metadataJson(view, stored), objectEnd]);
  }

  async #list(answer: Answer, result: ListResultOf): Promise<void> {
    const { context, negotiated } = answer;
    const { view, items, metadata } = result;
    const { large } = this.#parts;
    if (negotiated.transform !== undefined) {
      return await this.#transformedList(answer, result, negotiated.transform);
    }
    if (negotiated.representation === "protobuf") {
      const bodyOf = (stored: StoredObject<ApiObject>): Buffer => view.body(stored);
      const head = listHead(view.listTypeMeta, metadata);
      await this.#recordList(answer, {
        head,
        member: "items",
        items,
        bytesOf: bodyOf,
        prepare: (stored) => large?.form(context, view, stored, "body"),
        itemHead: openingBrace,
      });
      return await this.#protobufList(answer, view.listTypeMeta, result, {
        encode: (stored) => view.proto(stored),
        prepare: (stored) => large?.form(context, view, stored, "proto"),
      });
    }
    const head = listHead(view.listTypeMeta, metadata);
    const bytesOf = (stored: StoredObject<ApiObject>): Buffer => view.body(stored);
    const itemHead = view.statesType ? view.objectHead : openingBrace;
    const prepare = (stored: StoredObject<ApiObject>) => large?.form(context, view, stored, "body");
    const list = { head, member: "items" as const, items, bytesOf, prepare, itemHead };
    if (negotiated.representation === "cbor") {
      await this.#recordList(answer, list);
      const prepareCbor = (stored: StoredObject<ApiObject>) => large?.form(context, view, stored, "cborItem");
      const cborOf = (stored: StoredObject<ApiObject>): Buffer => cborForm(view, stored, "cborItem");
      return await this.#made(answer, 200, cborPieces({ ...list, prepare: prepareCbor }, cborOf));
    }
    const [first] = items;
    // The bodies of the stored version already exist, shared by all readers.
    const isShared = first === undefined || (view.isMade("body", first) && bytesOf(first) === first.body);
    if (isShared && negotiated.representation === "json" && !isPretty(answer)) {
      await this.#recordList(answer, list);
      return await this.#stream(answer, 200, compactBody(list));
    }
    await this.#jsonList(answer, 200, list);
  }

  async #transformedList(answer: Answer, result: ListResultOf, transform: Transform): Promise<void> {
    const { context, negotiated } = answer;
    const { view, items, metadata } = result;
    const { large } = this.#parts;
    const apiVersion = apiVersionOf(transform);
    const isCbor = negotiated.representation === "cbor";
    if (transform.kind === "Table") {
      const printer = new TablePrinter(view, includeObjectOf(context.query), apiVersion);
      const now = context.receivedAt;
      return await this.#jsonList(answer, 200, {
        head: printer.head(metadata, true),
        member: "rows",
        items: printer.sorted(items),
        bytesOf: (stored) => printer.row(stored, now),
        cborOf: (stored) => printer.cborRow(stored, now),
        prepare: (stored) => large?.row(context, printer, stored, { now, isCbor }),
        itemHead: openingBrace,
      });
    }
    const typeMeta = { apiVersion, kind: partialListKind };
    const itemHead = Buffer.from(partialHead(apiVersion));
    const bodyOf = (stored: StoredObject<ApiObject>): Buffer =>
      Buffer.concat([metadataJson(view, stored), closingBrace]);
    if (negotiated.representation === "protobuf") {
      const { partialMetadata } = this.#parts;
      const head = listHead(typeMeta, metadata);
      await this.#recordList(answer, { head, member: "items", items, bytesOf: bodyOf, itemHead });
      return await this.#protobufList(answer, typeMeta, result, {
        encode: (stored) => partialProto(partialMetadata, view, stored),
        prepare: (stored) => large?.metadata(context, view, stored, "protoMetadata"),
      });
    }
    await this.#jsonList(answer, 200, {
      head: listHead(typeMeta, metadata),
      member: "items",
      items,
      bytesOf: bodyOf,
      cborOf: (stored) => cborPartial(view, stored, apiVersion),
      prepare: (stored) => (isCbor ? large?.metadata(context, view, stored, "cborMetadata") : undefined),
      itemHead,
    });
  }

  /**
   * Lengths precede the messages, so all messages are made first. They are kept as long as there is room, and otherwise made a second time.
   */
  async #protobufList(
    answer: Answer,
    typeMeta: TypeMeta,
    { items, metadata }: ListResultOf,
    { encode, prepare }: ProtobufItems,
  ): Promise<void> {
    const { exchange, signal } = answer.context;
    const flow = flowOf(answer);
    const { answers, compress } = this.#parts;
    const kept: Uint8Array[] = [];
    let hasRoom = true;
    let group = 0;
    const lengths = await inSlices(
      items,
      (stored) => {
        const message = encode(stored);
        if (hasRoom) kept.push(message);
        group += message.length;
        if (hasRoom && group >= countedBytesMin) {
          hasRoom = answers.tryKeep(exchange, group);
          group = 0;
        }
        return message.length;
      },
      { signal, flow, prepare },
    );
    const itemsFirst = typeMeta.kind === partialListKind && typeMeta.apiVersion.endsWith("/v1beta1");
    const message = (index: number): Uint8Array => {
      const known = kept[index];
      const stored = items[index];
      if (known !== undefined) return known;
      if (stored === undefined) throw new Error(`a list has no item ${index}`);
      return encode(stored);
    };
    const { length, pieces } = protobufListPieces({ typeMeta, metadata, lengths, message, itemsFirst });
    const headers = { "Content-Type": answer.negotiated.contentType };
    await sendPieces(exchange, { status: 200, headers, pieces, length, compress, signal, answers, flow });
  }

  #value(answer: Answer, result: ValueResult): Promise<void> | undefined {
    const { codec, object, typeMeta, code } = result;
    const { transform, representation } = answer.negotiated;
    if (representation === "protobuf") {
      answer.context.audit?.recordResponse(() => codec.toJsonWithType(object, typeMeta));
    }
    if (transform !== undefined) {
      const partial = this.#parts.partialMetadata;
      const type = { apiVersion: apiVersionOf(transform), kind: partialKind };
      // Uses only the metadata of `object`.
      return representation === "protobuf"
        ? this.#send(answer, code, encodeEnvelope(type, partial.toProto(object)))
        : this.#json(answer, code, [nothing, Buffer.from(partial.toJsonWithType(object, type)), newline]);
    }
    if (representation === "protobuf") {
      return this.#send(answer, code, encodeEnvelope(typeMeta, codec.toProto(object)));
    }
    const json = Buffer.from(codec.toJsonWithType(object, typeMeta));
    return this.#json(answer, code, [nothing, json, newline], codec.schema);
  }

  /** A document in three parts, as JSON, indented if requested, or as YAML. */
  #json(
    answer: Answer,
    code: number,
    parts: readonly [head: Buffer, body: Buffer, tail: Buffer],
    schema?: MessageSchema | undefined,
  ): Promise<void> | undefined {
    const whole = wholeOf(...parts);
    answer.context.audit?.recordResponse(() => whole);
    if (answer.negotiated.representation === "yaml") return this.#yaml(answer, code, whole);
    if (answer.negotiated.representation === "cbor") {
      return this.#send(answer, code, cborOfJson(whole, binaryMembers(schema)));
    }
    if (!isPretty(answer)) return this.#send(answer, code, whole);
    const pieces = indentedJson(whole);
    if (whole.length <= indentedAtOnceBytes) return this.#send(answer, code, Buffer.concat([...pieces]));
    return this.#made(answer, code, pieces);
  }

  #made(answer: Answer, status: number, pieces: Iterable<Buffer | Promise<Buffer>>): Promise<void> {
    const { exchange, signal } = answer.context;
    const headers = { "Content-Type": answer.negotiated.contentType };
    return sendPieces(exchange, {
      status,
      headers,
      pieces,
      compress: this.#parts.compress,
      signal,
      answers: this.#parts.answers,
      flow: flowOf(answer),
    });
  }

  async #yaml(answer: Answer, code: number, json: Uint8Array): Promise<void> {
    await this.#send(
      answer,
      code,
      await this.#parts.yaml.print(json, answer.context.signal, answer.context.user?.name),
    );
  }

  async #jsonList<T extends { readonly body: Uint8Array }>(
    answer: Answer,
    code: number,
    list: JsonList<T>,
  ): Promise<void> {
    const { exchange, signal, user } = answer.context;
    await this.#recordList(answer, list);
    const { yaml, compress, answers } = this.#parts;
    const print = (json: Uint8Array): Promise<Uint8Array> => yaml.print(json, signal, user?.name);
    const { representation } = answer.negotiated;
    const pieces =
      representation === "yaml"
        ? yamlPieces(list, print)
        : representation === "cbor"
          ? cborPieces(list, list.cborOf ?? ((item) => cborItem(list, item)))
          : isPretty(answer)
            ? indentedPieces(list)
            : compactPieces(list);
    const headers = { "Content-Type": answer.negotiated.contentType };
    await sendPieces(exchange, {
      status: code,
      headers,
      pieces,
      compress,
      signal,
      answers,
      flow: flowOf(answer),
    });
  }

  /** Audit records the whole answer, so it has to be made at once. */
  async #recordList<T extends { readonly body: Uint8Array }>(
    answer: Answer,
    { head, member, items, bytesOf, prepare, itemHead }: JsonList<T>,
  ): Promise<void> {
    const { audit, signal } = answer.context;
    if (audit?.level !== "RequestResponse") return;
    audit.recordResponseList({
      head,
      member,
      items: await inSlices(items, bytesOf, { signal, flow: flowOf(answer), prepare }),
      itemHead,
    });
  }

  async #stream<T>(answer: Answer, status: number, body: ListBody<T>): Promise<void> {
    const headers = { "Content-Type": answer.negotiated.contentType };
    const { compress, groupBuffers: buffers, answers } = this.#parts;
    await sendList(answer.context.exchange, {
      status,
      headers,
      body,
      compress,
      buffers,
      answers,
      flow: flowOf(answer),
    });
  }

  #send({ context, negotiated }: Answer, status: number, body: Uint8Array): Promise<void> | undefined {
    this.#parts.answers.hold(context.exchange, body.length);
    const headers = { "Content-Type": negotiated.contentType };
    return respondCompressed(context.exchange, {
      status,
      headers,
      body,
      compress: this.#parts.compress,
    });
  }
}

/** Longer answers are indented as the client reads them. */
const indentedAtOnceBytes = 64 * 1024;

function wholeOf(head: Buffer, body: Buffer, tail: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(head.length + body.length + tail.length);
  whole.set(head, 0);
  whole.set(body, head.length);
  whole.set(tail, head.length + body.length);
  return whole;
}

/** How the items of a list become messages. */
interface ProtobufItems {
  readonly encode: (stored: StoredObject<ApiObject>) => Uint8Array;
  /** Awaited before `encode`, if it returns a promise. */
  readonly prepare?: (stored: StoredObject<ApiObject>) => Promise<void> | undefined;
}

/** Where an answer goes, and in which form. */
interface Answer {
  readonly context: RequestContext;
  readonly negotiated: Negotiated;
}

/** Answers to one user take turns with those to others. */
function flowOf({ context }: Answer): string | undefined {
  return context.user?.name;
}

const offers = {
  object: objectOffer({ protobuf: true, table: true, stream: false }),
  watch: objectOffer({ protobuf: true, table: true, stream: true }),
  value: objectOffer({ protobuf: true, table: false, stream: false }),
} as const;
const extensionOffers = {
  object: objectOffer({ protobuf: false, table: true, stream: false }),
  watch: objectOffer({ protobuf: false, table: true, stream: true }),
  value: objectOffer({ protobuf: false, table: false, stream: false }),
} as const;

function offerFor({ kind, hasProtobuf }: ExpectedAnswer): EndpointOffer {
  return (hasProtobuf ? offers : extensionOffers)[kind === "list" ? "object" : kind];
}

function checkTransform(context: RequestContext, expected: ExpectedAnswer, transform: Transform): void {
  if (transform.kind === "Table") includeObjectOf(context.query);
  const isList = expected.kind === "list";
  if (transform.kind === partialKind && isList) throw wrongForm(partialKind, "is a list");
  if (transform.kind === partialListKind && !isList) throw wrongForm(partialListKind, "is not a list");
}

function wrongForm(kind: string, why: string): StatusError {
  return new StatusError({
    message: `you requested ${kind}, but the requested object ${why}`,
    reason: "NotAcceptable",
    code: codeOfReason.NotAcceptable,
  });
}

function apiVersionOf(transform: Transform): string {
  return `${transform.group}/${transform.version}`;
}

const nothing = Buffer.alloc(0);
const newline = Buffer.from("\n");
const closingBrace = Buffer.from("}");
const objectEnd = Buffer.from("}\n");

/** `continue` is present even when empty. */
function listHead(type: TypeMeta, metadata: ListResultOf["metadata"]): string {
  const { resourceVersion = "", remainingItemCount, selfLink, shardInfo } = metadata;
  const link = selfLink === undefined ? "" : `"selfLink":${JSON.stringify(selfLink)},`;
  const version = resourceVersion === "" ? "" : `"resourceVersion":${JSON.stringify(resourceVersion)},`;
  const remaining = remainingItemCount === undefined ? "" : `,"remainingItemCount":${remainingItemCount}`;
  const shard = shardInfo === undefined ? "" : `,"shardInfo":${JSON.stringify(shardInfo)}`;
  return (
    `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(type.apiVersion)},` +
    `"metadata":{${link}${version}"continue":${JSON.stringify(metadata.continue ?? "")}${remaining}${shard}}`
  );
}

function isPretty({ context, negotiated }: Answer): boolean {
  return negotiated.pretty || prettyAsked(context.exchange.query, context.exchange.headers["user-agent"]);
}

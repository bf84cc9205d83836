import { cborOfJson } from "../../apimachinery/cbor/print-cbor.js";
import { codeOfReason, StatusError } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { indentedJson } from "../../apimachinery/json/json-indent.js";
import { binaryMembers } from "../../apimachinery/schema/binary-members.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { ApiResult, ObjectResult, ValueResult } from "../../endpoints/resource/api-result.js";
import type { RequestContext } from "../request/request-context.js";
import { type Answer, apiVersionOf, isPretty, sendMade } from "./answer.js";
import { respondCompressed } from "./gzip.js";
import { closingBrace, openingBrace } from "./json-list.js";
import { ListWriter, type ListWriterParts } from "./list-writer.js";
import {
  type EndpointOffer,
  type Negotiated,
  type Negotiator,
  objectOffer,
  type Transform,
} from "./negotiator.js";
import { metadataJson, partialHead, partialKind, partialListKind, partialProto } from "./partial-metadata.js";
import { withSelfLinks } from "./self-links.js";
import type { StatusResponder } from "./status-response.js";
import { includeObjectOf, TablePrinter } from "./table.js";
import type { WatchResponder } from "./watch-responder.js";

export interface ResultWriterParts extends ListWriterParts {
  readonly negotiator: Negotiator;
  readonly status: StatusResponder;
  readonly watches: WatchResponder;
  /** Whether objects and lists have self links: the gate RemoveSelfLink is off. */
  readonly selfLinks: boolean;
}

/** What is known of the answer before the request is carried out. */
export interface ExpectedAnswer {
  readonly kind: "object" | "list" | "watch" | "value";
  /** Custom resources have no protobuf form. */
  readonly hasProtobuf: boolean;
  readonly hasTable: boolean;
}

/** Gives the results of endpoints the representation that the client requested. */
export class ResultWriter {
  readonly #parts: ResultWriterParts;
  readonly #lists: ListWriter;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
    this.#lists = new ListWriter(parts);
  }

  /**
   * Throws 406, and 400 for an impossible table: call it before anything is read or changed. `checkFirst`: see `Negotiator.negotiate`.
   */
  negotiate(context: RequestContext, expected: ExpectedAnswer, checkFirst?: () => void): Negotiated {
    const { accept } = context.exchange.headers;
    const offer = offerFor(expected, context.info.verb);
    const negotiated = this.#parts.negotiator.negotiate(accept, offer, checkFirst);
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
        return this.#lists.write(answer, result);
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
      const row = printer.row(stored, answer.context.receivedAt);
      return await this.#table(
        answer,
        code,
        printer.head({ resourceVersion: String(stored.revision) }, true),
        row,
      );
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

  #value(answer: Answer, result: ValueResult): Promise<void> | undefined {
    const { view, object, code } = result;
    const { typeMeta } = view;
    const { codec } = view.version;
    const { transform, representation } = answer.negotiated;
    if (representation === "protobuf") {
      answer.context.audit?.recordResponse(() => codec.toJsonWithType(object, typeMeta));
    }
    if (transform?.kind === "Table") {
      const printer = new TablePrinter(view, includeObjectOf(answer.context.query), apiVersionOf(transform));
      const { resourceVersion } = object.metadata;
      const row = printer.unstoredRow(object, answer.context.receivedAt);
      return this.#table(answer, code, printer.head({ resourceVersion }, true), row);
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

  /** A table of one row. */
  #table(answer: Answer, code: number, head: string, row: Buffer): Promise<void> {
    return this.#lists.json(answer, code, {
      head,
      member: "rows",
      items: [{ body: row }],
      bytesOf: () => row,
      itemHead: openingBrace,
    });
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
    return sendMade(answer, { status: code, pieces }, this.#parts);
  }

  async #yaml(answer: Answer, code: number, json: Uint8Array): Promise<void> {
    await this.#send(
      answer,
      code,
      await this.#parts.yaml.print(json, answer.context.signal, answer.context.user?.name),
    );
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

const offers = {
  object: offersOf({ stream: false }),
  list: offersOf({ stream: false, alsoStreams: true }),
  watch: offersOf({ stream: true }),
  value: offersOf({ stream: false }),
} as const;

/** By whether the answer has a protobuf form, and whether it has a table. */
function offersOf(streams: { readonly stream: boolean; readonly alsoStreams?: boolean }) {
  const offer = (protobuf: boolean, table: boolean): EndpointOffer =>
    objectOffer({ protobuf, table, ...streams });
  return {
    builtin: { table: offer(true, true), noTable: offer(true, false) },
    extension: { table: offer(false, true), noTable: offer(false, false) },
  };
}

function offerFor({ kind: given, hasProtobuf, hasTable }: ExpectedAnswer, verb: string): EndpointOffer {
  // The list of what a collection's deletion deletes cannot be watched.
  const kind = given === "list" && verb === "deletecollection" ? "object" : given;
  const { builtin, extension } = offers[kind];
  const { table, noTable } = hasProtobuf ? builtin : extension;
  return hasTable ? table : noTable;
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

const nothing = Buffer.alloc(0);
const newline = Buffer.from("\n");
const objectEnd = Buffer.from("}\n");

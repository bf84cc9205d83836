import { printJson } from "../../apimachinery/json/json-print.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type { ListResultOf } from "../../endpoints/resource/api-result.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type Answer, type AnswerTerms, apiVersionOf, flowOf, isPretty, sendMade } from "./answer.js";
import { countedBytesMin } from "./answer-budget.js";
import { cborForm, cborPartial } from "./cbor-forms.js";
import { cborItem, cborPieces } from "./cbor-list.js";
import type { GroupBuffers } from "./group-buffers.js";
import { inSlices } from "./in-slices.js";
import {
  closingBrace,
  compactBody,
  compactPieces,
  indentedPieces,
  type JsonList,
  openingBrace,
  yamlPieces,
} from "./json-list.js";
import type { LargeForms } from "./large-forms.js";
import { listMetaJson } from "./list-meta.js";
import { type ListBody, sendList } from "./list-stream.js";
import type { Transform } from "./negotiator.js";
import { metadataJson, partialHead, partialListKind, partialProto } from "./partial-metadata.js";
import { protobufListPieces } from "./protobuf-list.js";
import { includeObjectOf, TablePrinter } from "./table.js";

export interface ListWriterParts extends AnswerTerms {
  /** Of `meta/v1.PartialObjectMetadata`. */
  readonly partialMetadata: Codec;
  readonly yaml: YamlConverter;
  /** Undefined where large objects are converted on this thread too. */
  readonly large?: LargeForms | undefined;
  readonly groupBuffers: GroupBuffers;
}

/** How the items of a list become messages. */
interface ProtobufItems {
  readonly encode: (stored: StoredObject<ApiObject>) => Uint8Array;
  /** Awaited before `encode`, if it returns a promise. */
  readonly prepare?: (stored: StoredObject<ApiObject>) => Promise<void> | undefined;
}

/** Gives lists the representation that the client requested: of the objects, of their metadata, or as a table. */
export class ListWriter {
  readonly #parts: ListWriterParts;

  constructor(parts: ListWriterParts) {
    this.#parts = parts;
  }

  async write(answer: Answer, result: ListResultOf): Promise<void> {
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
      const pieces = cborPieces({ ...list, prepare: prepareCbor }, cborOf);
      return await sendMade(answer, { status: 200, pieces }, this.#parts);
    }
    const [first] = items;
    // The bodies of the stored version already exist, shared by all readers.
    const isShared = first === undefined || (view.isMade("body", first) && bytesOf(first) === first.body);
    if (isShared && negotiated.representation === "json" && !isPretty(answer)) {
      await this.#recordList(answer, list);
      return await this.#stream(answer, 200, compactBody(list));
    }
    await this.json(answer, 200, list);
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
      return await this.json(answer, 200, {
        head: printer.head(metadata, true),
        member: "rows",
        items: printer.sorted(items),
        bytesOf: (stored) => printer.row(stored, now),
        cborOf: (stored) => printer.cborRow(stored, now),
        prepare: (stored) => large?.row(context, printer, stored, { now, isCbor }),
        itemHead: openingBrace,
        isNullWhenEmpty: printer.isNullWhenEmpty,
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
    await this.json(answer, 200, {
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
    const { answers } = this.#parts;
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
    await sendMade(answer, { status: 200, pieces, length }, this.#parts);
  }

  /** Records it too, where it is audited. */
  async json<T extends { readonly body: Uint8Array }>(
    answer: Answer,
    code: number,
    list: JsonList<T>,
  ): Promise<void> {
    const { signal, user } = answer.context;
    await this.#recordList(answer, list);
    const { yaml } = this.#parts;
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
    await sendMade(answer, { status: code, pieces }, this.#parts);
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
}

/** An empty `continue` says that no page follows. Kubernetes states it for custom resources only. */
function listHead(type: TypeMeta, metadata: ListResultOf["metadata"]): string {
  return (
    `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(type.apiVersion)},` +
    `"metadata":${printJson(listMetaJson({ ...metadata, continue: metadata.continue ?? "" }))}`
  );
}

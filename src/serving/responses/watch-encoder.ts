import { headBytes, majorTypes, selfDescribed } from "../../apimachinery/cbor/cbor-format.js";
import { cborOfJson, cborText, printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { unpooledBytes } from "../../apimachinery/collections/unpooled-bytes.js";
import type { Status } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject, WatchEvent } from "../../storage/object-store.js";
import { cborForm, cborPartial } from "./cbor-forms.js";
import { cborTable } from "./cbor-list.js";
import { encodeOnce } from "./encode-once.js";
import { openingBrace } from "./json-list.js";
import { metadataJson, partialHead, partialKind, partialProto } from "./partial-metadata.js";
import { delimited } from "./proto-fields.js";
import type { StatusResponder } from "./status-response.js";
import type { TablePrinter } from "./table.js";

/** Writes events of one resource and version in one representation; equal events share one buffer for all watchers. */
export interface WatchEncoder {
  event(event: WatchEvent<ApiObject>, isFirst: boolean): Buffer;
  error(status: Status): Buffer;
}

export interface WatchEncoderParts {
  readonly view: VersionedView<ApiObject>;
  readonly status: StatusResponder;
  /** Of `meta/v1.PartialObjectMetadata`. */
  readonly partialMetadata: Codec;
  /** Annotations of the bookmark after the initial state. */
  readonly initialEventsEnd: Readonly<Record<string, string>>;
}

/** One JSON document per line. */
export function jsonWatchEncoder(parts: WatchEncoderParts): WatchEncoder {
  const { view } = parts;
  const head = view.objectHead.toString("utf8");
  return jsonLines(parts, head, (stored) => view.body(stored), "");
}

/** As JSON, only the metadata of each object. */
export function partialJsonWatchEncoder(parts: WatchEncoderParts, apiVersion: string): WatchEncoder {
  return jsonLines(parts, partialHead(apiVersion), (stored) => metadataJson(parts.view, stored), "}");
}

function jsonLines(
  parts: WatchEncoderParts,
  objectHead: string,
  body: (stored: StoredObject<ApiObject>) => Buffer,
  objectTail: string,
): WatchEncoder {
  const heads = {
    ADDED: unpooledBytes(`{"type":"ADDED","object":${objectHead}`),
    MODIFIED: unpooledBytes(`{"type":"MODIFIED","object":${objectHead}`),
    DELETED: unpooledBytes(`{"type":"DELETED","object":${objectHead}`),
  };
  const tail = unpooledBytes(`${objectTail}}\n`);
  // A bookmark is an object of the same kind with only its metadata.
  const bookmarkHead = `{"type":"BOOKMARK","object":${objectHead}${objectTail === "" ? '"metadata":' : ""}`;
  return {
    event: encodeOnce((event) =>
      event.type === "BOOKMARK"
        ? Buffer.from(`${bookmarkHead}${printJson(bookmarkMetadata(parts, event))}}}\n`)
        : Buffer.concat([heads[event.type], body(event.object), tail]),
    ),
    error: (status) => errorLine(parts.status, status),
  };
}

/** Frames of a four-byte length and a `meta/v1.WatchEvent`: 1 type, 2 { 1 the object in its envelope }. */
export function protobufWatchEncoder(parts: WatchEncoderParts): WatchEncoder {
  const { view } = parts;
  return frames(parts, (event) =>
    encodeEnvelope(
      view.typeMeta,
      event.type === "BOOKMARK"
        ? view.version.codec.toProto({ metadata: bookmarkMetadata(parts, event) })
        : view.proto(event.object),
    ),
  );
}

/** As protobuf, only the metadata of each object. */
export function partialProtobufWatchEncoder(parts: WatchEncoderParts, apiVersion: string): WatchEncoder {
  const { partialMetadata: codec } = parts;
  const typeMeta = { apiVersion, kind: partialKind };
  return frames(parts, (event) =>
    encodeEnvelope(
      typeMeta,
      event.type === "BOOKMARK"
        ? codec.toProto({ metadata: bookmarkMetadata(parts, event) })
        : partialProto(codec, parts.view, event.object),
    ),
  );
}

function frames(
  parts: WatchEncoderParts,
  objectOf: (event: WatchEvent<ApiObject>) => Uint8Array,
): WatchEncoder {
  return {
    event: encodeOnce((event) => frame(event.type, objectOf(event))),
    error: (status) => frame("ERROR", parts.status.encode(status, "protobuf")),
  };
}

/** CBOR documents in sequence, each a map of the event's type and its object, which is again a document. */
export function cborWatchEncoder(parts: WatchEncoderParts): WatchEncoder {
  const { view } = parts;
  return cborEvents(parts, (event) =>
    event.type === "BOOKMARK"
      ? cborOfJson(Buffer.from(`${view.objectHead}"metadata":${printJson(bookmarkMetadata(parts, event))}}`))
      : cborForm(view, event.object, "cbor"),
  );
}

/** As CBOR, only the metadata of each object. */
export function partialCborWatchEncoder(parts: WatchEncoderParts, apiVersion: string): WatchEncoder {
  const head = partialHead(apiVersion);
  return cborEvents(parts, (event) =>
    event.type === "BOOKMARK"
      ? cborOfJson(Buffer.from(`${head}${printJson(bookmarkMetadata(parts, event))}}`))
      : Buffer.concat([selfDescribed, cborPartial(parts.view, event.object, apiVersion)]),
  );
}

function cborEvents(
  parts: WatchEncoderParts,
  objectOf: (event: WatchEvent<ApiObject>) => Buffer,
): WatchEncoder {
  return {
    event: encodeOnce((event) => cborEvent(event.type, objectOf(event))),
    error: (status) => cborEvent("ERROR", parts.status.encode(status, "cbor")),
  };
}

function cborEvent(type: string, object: Buffer): Buffer {
  return Buffer.concat([
    selfDescribed,
    twoMembers,
    cborText("type"),
    cborText(type),
    cborText("object"),
    object,
  ]);
}

const twoMembers = headBytes(majorTypes.map, 2);

/** Each event as a table of one row. Only the first describes its columns. */
export function tableWatchEncoder(
  parts: WatchEncoderParts,
  printer: TablePrinter,
  now: () => Date,
): WatchEncoder {
  const encode = (event: WatchEvent<ApiObject>, withColumns: boolean): Buffer => {
    const head = headOfTable(printer, event, withColumns);
    const row =
      event.type === "BOOKMARK"
        ? printer.bookmarkRow(bookmarkMetadata(parts, event), now())
        : printer.row(event.object, now());
    const before = Buffer.from(`{"type":"${event.type}","object":${head},"rows":[{`);
    return Buffer.concat([before, row, tableTail]);
  };
  return { event: eachOnce(encode), error: (status) => errorLine(parts.status, status) };
}

/** The same as CBOR. */
export function tableCborWatchEncoder(
  parts: WatchEncoderParts,
  printer: TablePrinter,
  now: () => Date,
): WatchEncoder {
  const rowOf = (event: WatchEvent<ApiObject>): Buffer =>
    event.type === "BOOKMARK"
      ? printCbor(
          parseJson(
            Buffer.concat([openingBrace, printer.bookmarkRow(bookmarkMetadata(parts, event), now())]),
          ),
        )
      : printer.cborRow(event.object, now());
  const encode = (event: WatchEvent<ApiObject>, withColumns: boolean): Buffer =>
    cborEvent(event.type, cborTable(headOfTable(printer, event, withColumns), rowOf(event)));
  return {
    event: eachOnce(encode),
    error: (status) => cborEvent("ERROR", parts.status.encode(status, "cbor")),
  };
}

function headOfTable(printer: TablePrinter, event: WatchEvent<ApiObject>, withColumns: boolean): string {
  const revision = event.type === "BOOKMARK" ? event.revision : event.object.revision;
  return printer.head({ resourceVersion: String(revision) }, withColumns);
}

/** The first event of a watch differs. */
function eachOnce(encode: (event: WatchEvent<ApiObject>, isFirst: boolean) => Buffer): WatchEncoder["event"] {
  const first = encodeOnce((event: WatchEvent<ApiObject>) => encode(event, true));
  const later = encodeOnce((event: WatchEvent<ApiObject>) => encode(event, false));
  return (event, isFirst) => (isFirst ? first(event) : later(event));
}

const tableTail = Buffer.from("]}}\n");

interface Bookmark {
  readonly revision: number;
  readonly initialEventsEnd: boolean;
}

function bookmarkMetadata(parts: WatchEncoderParts, event: Bookmark): JsonObject {
  return {
    resourceVersion: String(event.revision),
    ...(event.initialEventsEnd && { annotations: parts.initialEventsEnd }),
  };
}

function errorLine(responder: StatusResponder, status: Status): Buffer {
  return Buffer.from(
    `{"type":"ERROR","object":${responder.encode(status, "json").toString("utf8").trimEnd()}}\n`,
  );
}

function frame(type: string, object: Uint8Array): Buffer {
  const message = Buffer.concat([
    delimited(0x0a, Buffer.from(type)),
    delimited(0x12, delimited(0x0a, object)),
  ]);
  const framed = Buffer.allocUnsafe(4 + message.length);
  framed.writeUInt32BE(message.length, 0);
  framed.set(message, 4);
  return framed;
}

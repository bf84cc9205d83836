import { printJson } from "../../apimachinery/json-print.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import { encodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { Status } from "../../apimachinery/status.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { WatchEvent } from "../../storage/object-store.js";
import type { Transform } from "./media-type.js";
import { partialObjectMetadata } from "./partial-metadata.js";
import type { StatusResponder } from "./status-response.js";
import { type TableOptions, tableOf } from "./table.js";

/** Writes events of one resource and version in one representation; equal events give the same buffer to every watcher. */
export interface WatchEncoder {
  event(event: WatchEvent<ApiObject>, isFirst: boolean): Buffer;
  error(status: Status): Buffer;
}

export interface WatchEncoderParts {
  readonly view: VersionedView<ApiObject>;
  readonly status: StatusResponder;
  /** `orch.io/initial-events-end` in the profile's words. */
  readonly initialEventsEndAnnotation: string;
}

/** One JSON document a line (contract 1, §2 "Watch event"). */
export function jsonWatchEncoder(parts: WatchEncoderParts): WatchEncoder {
  const { view } = parts;
  const memo = new WeakMap<WatchEvent<ApiObject>, Buffer>();
  const heads = {
    ADDED: Buffer.from(`{"type":"ADDED","object":${view.objectHead.toString("utf8")}`),
    MODIFIED: Buffer.from(`{"type":"MODIFIED","object":${view.objectHead.toString("utf8")}`),
    DELETED: Buffer.from(`{"type":"DELETED","object":${view.objectHead.toString("utf8")}`),
  };
  const tail = Buffer.from("}\n");
  const encode = (event: WatchEvent<ApiObject>): Buffer =>
    event.type === "BOOKMARK"
      ? line({ type: "BOOKMARK", object: bookmarkObject(parts, event) })
      : Buffer.concat([heads[event.type], view.body(event.object), tail]);
  return {
    event: (event) => remembered(memo, event, encode),
    error: (status) => errorLine(parts.status, status),
  };
}

/** Frames of a four-byte length and a `meta/v1.WatchEvent`: 1 type, 2 { 1 the object in its envelope }. */
export function protobufWatchEncoder(parts: WatchEncoderParts): WatchEncoder {
  const { view } = parts;
  const memo = new WeakMap<WatchEvent<ApiObject>, Buffer>();
  const encode = (event: WatchEvent<ApiObject>): Buffer =>
    frame(
      event.type,
      encodeEnvelope(
        view.typeMeta,
        event.type === "BOOKMARK"
          ? view.version.codec.toProto({ metadata: bookmarkMetadata(parts, event) })
          : view.proto(event.object),
      ),
    );
  return {
    event: (event) => remembered(memo, event, encode),
    error: (status) => frame("ERROR", parts.status.encode(status, "protobuf")),
  };
}

/** Each event as a table of one row, or as its metadata alone. Only the first table describes its columns. */
export function transformedWatchEncoder(
  parts: WatchEncoderParts,
  transform: Transform,
  options: TableOptions,
  now: () => Date,
): WatchEncoder {
  const { view } = parts;
  const apiVersion = `${transform.group}/${transform.version}`;
  const memos = [
    new WeakMap<WatchEvent<ApiObject>, Buffer>(),
    new WeakMap<WatchEvent<ApiObject>, Buffer>(),
  ] as const;
  const asTable = transform.kind === "Table";

  const objectOf = (event: WatchEvent<ApiObject>, isFirst: boolean): JsonObject => {
    if (event.type === "BOOKMARK") {
      const metadata = bookmarkMetadata(parts, event);
      const partial = { kind: "PartialObjectMetadata", apiVersion, metadata };
      if (!asTable) return partial;
      return {
        kind: "Table",
        apiVersion,
        metadata: { resourceVersion: metadata.resourceVersion },
        columnDefinitions: [],
        rows: [{ cells: [], object: options.includeObject === "None" ? null : partial }],
      };
    }
    if (!asTable) return partialObjectMetadata(view, event.object, apiVersion);
    return tableOf({
      view,
      items: [event.object],
      metadata: { resourceVersion: String(event.object.revision) },
      now: now(),
      options: isFirst ? options : { ...options, noHeaders: true },
      apiVersion,
    });
  };
  return {
    event(event, isFirst) {
      const memo = isFirst && asTable ? memos[0] : memos[1];
      return remembered(memo, event, () => line({ type: event.type, object: objectOf(event, isFirst) }));
    },
    error: (status) => errorLine(parts.status, status),
  };
}

interface Bookmark {
  readonly revision: number;
  readonly initialEventsEnd: boolean;
}

function bookmarkMetadata(parts: WatchEncoderParts, event: Bookmark) {
  return {
    resourceVersion: String(event.revision),
    ...(event.initialEventsEnd && { annotations: { [parts.initialEventsEndAnnotation]: "true" } }),
  };
}

function bookmarkObject(parts: WatchEncoderParts, event: Bookmark): JsonObject {
  const { kind, apiVersion } = parts.view.typeMeta;
  return { kind, apiVersion, metadata: bookmarkMetadata(parts, event) };
}

function remembered(
  memo: WeakMap<WatchEvent<ApiObject>, Buffer>,
  event: WatchEvent<ApiObject>,
  encode: (event: WatchEvent<ApiObject>) => Buffer,
): Buffer {
  let bytes = memo.get(event);
  if (bytes === undefined) {
    bytes = encode(event);
    memo.set(event, bytes);
  }
  return bytes;
}

function line(document: JsonObject): Buffer {
  return Buffer.from(`${printJson(document)}\n`);
}

function errorLine(responder: StatusResponder, status: Status): Buffer {
  return Buffer.from(
    `{"type":"ERROR","object":${responder.encode(status, "json").toString("utf8").trimEnd()}}\n`,
  );
}

function frame(type: string, object: Uint8Array): Buffer {
  const typeBytes = Buffer.from(type);
  const raw = delimited(0x0a, object);
  const message = Buffer.concat([delimited(0x0a, typeBytes), delimited(0x12, raw)]);
  const framed = Buffer.allocUnsafe(4 + message.length);
  framed.writeUInt32BE(message.length, 0);
  framed.set(message, 4);
  return framed;
}

function delimited(tag: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  while (rest >= 128) {
    length.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  length.push(rest);
  return Buffer.concat([Buffer.of(tag, ...length), bytes]);
}

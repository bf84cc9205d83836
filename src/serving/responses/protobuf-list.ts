import type { ApiObject, ListMeta } from "../../apimachinery/meta.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { ListBody } from "./list-stream.js";

/**
 * Lists as protobuf, made of the objects' own bytes. Every list message has its metadata as field 1 and its items as field 2;
 * around it lies the envelope, whose layout is in `apimachinery/schema/envelope.ts`.
 */
export class ProtobufLists {
  /** Item bytes behind their tag and length, by object and version. */
  readonly #items = new WeakMap<StoredObject<ApiObject>, Map<string, Buffer>>();

  body<T extends ApiObject>(
    view: VersionedView<T>,
    items: readonly StoredObject<T>[],
    metadata: ListMeta,
  ): ListBody<StoredObject<T>> {
    const bytesOf = (stored: StoredObject<T>): Buffer => this.#item(view, stored);
    const meta = delimited(0x0a, encodeListMeta(metadata));
    let rawBytes = meta.length;
    for (const item of items) rawBytes += bytesOf(item).length;
    const { apiVersion, kind } = view.listTypeMeta;
    const typeMeta = Buffer.concat([
      delimited(0x0a, Buffer.from(apiVersion)),
      delimited(0x12, Buffer.from(kind)),
    ]);
    const head = Buffer.concat([magic, delimited(0x0a, typeMeta), Buffer.of(0x12), varint(rawBytes), meta]);
    return { head, items, bytesOf, separator: nothing, tail: envelopeTail };
  }

  #item<T extends ApiObject>(view: VersionedView<T>, stored: StoredObject<T>): Buffer {
    let versions = this.#items.get(stored as StoredObject<ApiObject>);
    if (versions === undefined) {
      versions = new Map();
      this.#items.set(stored as StoredObject<ApiObject>, versions); // only the identity of the key counts
    }
    const { version } = view.version;
    let bytes = versions.get(version);
    if (bytes === undefined) {
      bytes = delimited(0x12, view.proto(stored));
      versions.set(version, bytes);
    }
    return bytes;
  }
}

const magic = Buffer.of(0x6b, 0x38, 0x73, 0x00);
/** contentEncoding and contentType, empty. */
const envelopeTail = Buffer.of(0x1a, 0x00, 0x22, 0x00);
const nothing = Buffer.alloc(0);

/** `meta/v1.ListMeta`: 1 selfLink, 2 resourceVersion, 3 continue, 4 remainingItemCount. */
function encodeListMeta(metadata: ListMeta): Buffer {
  const parts = [
    delimited(0x0a, nothing),
    delimited(0x12, Buffer.from(metadata.resourceVersion ?? "")),
    delimited(0x1a, Buffer.from(metadata.continue ?? "")),
  ];
  const { remainingItemCount } = metadata;
  if (remainingItemCount !== undefined) parts.push(Buffer.of(0x20), varint(Number(remainingItemCount)));
  return Buffer.concat(parts);
}

function delimited(tag: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

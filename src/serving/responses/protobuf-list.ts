import type { ListMeta } from "../../apimachinery/meta.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import { delimited, delimitedHead, varint } from "./proto-fields.js";

export interface ProtobufList {
  readonly typeMeta: TypeMeta;
  readonly metadata: ListMeta;
  /** The items' messages. */
  readonly items: readonly Uint8Array[];
  /** `meta/v1beta1.PartialObjectMetadataList` alone has its items as field 1 and its metadata as field 2. */
  readonly itemsFirst: boolean;
}

/** The list in its envelope (the layout is in `apimachinery/schema/envelope.ts`), made of the items' own bytes. */
export function protobufListPieces(list: ProtobufList): readonly Uint8Array[] {
  const { items, itemsFirst } = list;
  const itemTag = itemsFirst ? firstField : secondField;
  const metadata = delimited(itemsFirst ? secondField : firstField, encodeListMeta(list.metadata));
  const messages: Uint8Array[] = [];
  let rawBytes = metadata.length;
  for (const item of items) {
    const head = delimitedHead(itemTag, item.length);
    messages.push(head, item);
    rawBytes += head.length + item.length;
  }
  const { apiVersion, kind } = list.typeMeta;
  const typeMeta = Buffer.concat([
    delimited(firstField, Buffer.from(apiVersion)),
    delimited(secondField, Buffer.from(kind)),
  ]);
  const before = Buffer.concat([
    magic,
    delimited(firstField, typeMeta),
    delimitedHead(secondField, rawBytes),
  ]);
  return itemsFirst
    ? [before, ...messages, metadata, envelopeTail]
    : [before, metadata, ...messages, envelopeTail];
}

const magic = Buffer.of(0x6b, 0x38, 0x73, 0x00);
const firstField = 0x0a;
const secondField = 0x12;
const thirdField = 0x1a;
/** contentEncoding and contentType, empty. */
const envelopeTail = Buffer.of(thirdField, 0x00, 0x22, 0x00);
const nothing = Buffer.alloc(0);

/** `meta/v1.ListMeta`: 1 selfLink, 2 resourceVersion, 3 continue, 4 remainingItemCount. */
function encodeListMeta(metadata: ListMeta): Buffer {
  const parts = [
    delimited(firstField, nothing),
    delimited(secondField, Buffer.from(metadata.resourceVersion ?? "")),
    delimited(thirdField, Buffer.from(metadata.continue ?? "")),
  ];
  const { remainingItemCount } = metadata;
  if (remainingItemCount !== undefined)
    parts.push(Buffer.from([0x20, ...varint(Number(remainingItemCount))]));
  return Buffer.concat(parts);
}

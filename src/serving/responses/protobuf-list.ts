import type { ListMeta } from "../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import { delimited, delimitedHead, tagged } from "./proto-fields.js";

export interface ProtobufList {
  readonly typeMeta: TypeMeta;
  readonly metadata: ListMeta;
  /** Lengths of the items' messages. */
  readonly lengths: readonly number[];
  /** Returns the message of an item when it is due. */
  readonly message: (index: number) => Uint8Array;
  /** Only `meta/v1beta1.PartialObjectMetadataList` has its items as field 1 and its metadata as field 2. */
  readonly itemsFirst: boolean;
}

/** The list in its envelope (see `apimachinery/schema/envelope.ts`), composed of the items' own bytes. */
export function protobufListPieces(list: ProtobufList): { length: number; pieces: Iterable<Uint8Array> } {
  const { lengths, itemsFirst } = list;
  const itemTag = itemsFirst ? firstField : secondField;
  const metadata = delimited(itemsFirst ? secondField : firstField, encodeListMeta(list.metadata));
  let rawBytes = metadata.length;
  for (const length of lengths) rawBytes += delimitedHead(itemTag, length).length + length;
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
  function* pieces(): Iterable<Uint8Array> {
    yield before;
    if (!itemsFirst) yield metadata;
    for (const [index, length] of lengths.entries()) {
      yield delimitedHead(itemTag, length);
      yield list.message(index);
    }
    if (itemsFirst) yield metadata;
    yield envelopeTail;
  }
  return { length: before.length + rawBytes + envelopeTail.length, pieces: pieces() };
}

const magic = Buffer.of(0x6b, 0x38, 0x73, 0x00);
const firstField = 0x0a;
const secondField = 0x12;
const thirdField = 0x1a;
/** A number. */
const fourthField = 0x20;
const fifthField = 0x2a;
/** contentEncoding and contentType, empty. */
const envelopeTail = Buffer.of(thirdField, 0x00, 0x22, 0x00);

/** `meta/v1.ListMeta`: 1 selfLink, 2 resourceVersion, 3 continue, 4 remainingItemCount, 5 shardInfo. */
function encodeListMeta(metadata: ListMeta): Buffer {
  const parts = [
    delimited(firstField, Buffer.from(metadata.selfLink ?? "")),
    delimited(secondField, Buffer.from(metadata.resourceVersion ?? "")),
    delimited(thirdField, Buffer.from(metadata.continue ?? "")),
  ];
  const { remainingItemCount, shardInfo } = metadata;
  if (remainingItemCount !== undefined) parts.push(tagged(fourthField, Number(remainingItemCount)));
  if (shardInfo !== undefined)
    parts.push(delimited(fifthField, delimited(firstField, Buffer.from(shardInfo.selector))));
  return Buffer.concat(parts);
}

/** RFC 8949, 3: the top three bits of the first byte of an item. */
export const majorTypes = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  other: 7,
} as const;

/** The simple values that JSON has, too. */
export const simpleValues = { false: 20, true: 21, null: 22 } as const;

/** The length of an item whose parts follow until a break. */
export const indefiniteLength = 31;

/** Precedes every document that is written: the tag that only means "this is CBOR". */
export const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);

/** The first bytes of an item: its type, and its number or how many bytes or items follow. */
export function headBytes(major: number, argument: number | bigint): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.from([type | Number(argument)]);
  if (argument < 0x100) return Buffer.from([type | 24, Number(argument)]);
  if (argument < 0x1_0000) {
    const head = Buffer.from([type | 25, 0, 0]);
    head.writeUInt16BE(Number(argument), 1);
    return head;
  }
  if (argument < 0x1_0000_0000) {
    const head = Buffer.from([type | 26, 0, 0, 0, 0]);
    head.writeUInt32BE(Number(argument), 1);
    return head;
  }
  const head = Buffer.alloc(9, type | 27);
  head.writeBigUInt64BE(BigInt(argument), 1);
  return head;
}

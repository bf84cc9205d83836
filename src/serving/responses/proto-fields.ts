/** A length-delimited protobuf field. `tag` is number << 3 | 2, below 128. */
export function delimited(tag: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([delimitedHead(tag, bytes.length), bytes]);
}

/** The bytes that precede the content of a length-delimited field. */
export function delimitedHead(tag: number, byteLength: number): Buffer {
  return Buffer.from([tag, ...varint(byteLength)]);
}

/** `value` is a non-negative safe integer. */
export function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}

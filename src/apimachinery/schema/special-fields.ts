import type { Buffer } from "node:buffer";
import type { ProtoReader } from "./proto-reader.js";

/** Where the parts of a message, or the values of a field, are: the start of the first, its end, the start of the second, and so on. */
export type MessageParts = readonly number[];

export function partsOf(parts: MessageParts): (readonly [start: number, end: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    pairs.push([parts[index] ?? 0, parts[index + 1] ?? 0]);
  }
  return pairs;
}

/** The fields 1 to 3 of a message that is read by hand. */
export interface SpecialShape {
  /** The bits of their tags. */
  readonly tags: number;
  readonly names: ReadonlyMap<number, string>;
}

export function specialShape(
  ...fields: readonly (readonly [name: string, type: "int" | "span"])[]
): SpecialShape {
  const tags = fields.map(([, type], index) => (index + 1) * 8 + (type === "int" ? 0 : 2));
  return {
    tags: tags.reduce((bits, tag) => bits | (1 << tag), 0),
    names: new Map(fields.map(([name], index) => [index + 1, name])),
  };
}

/** The last integer of each field, and all values of the others. */
export interface SpecialFields {
  readonly ints: [number | bigint, number | bigint, number | bigint];
  readonly parts: [number[] | undefined, number[] | undefined, number[] | undefined];
}

/** Reads the fields in `[start, end)` and in the further parts of the message. */
export function readFields(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  shape: SpecialShape,
  rest?: MessageParts,
): SpecialFields {
  const found: SpecialFields = { ints: [0, 0, 0], parts: [undefined, undefined, undefined] };
  addFields(reader, buffer, start, end, shape, found);
  if (rest !== undefined) {
    for (const [from, to] of partsOf(rest)) addFields(reader, buffer, from, to, shape, found);
  }
  return found;
}

function addFields(
  reader: ProtoReader,
  buffer: Buffer,
  start: number,
  end: number,
  { tags, names }: SpecialShape,
  { ints, parts }: SpecialFields,
): void {
  let at = start;
  while (at < end) {
    const tag = reader.readLength(buffer, at, end);
    at = reader.position;
    const index = Math.floor(tag / 8) - 1;
    if (tag > 31 || ((tags >> tag) & 1) === 0) {
      at = reader.skip(buffer, at, end, tag, names);
    } else if (tag % 8 === 0) {
      ints[index] = reader.readVarint(buffer, at, end);
      at = reader.position;
    } else {
      const length = reader.readLength(buffer, at, end);
      const from = reader.position;
      at = from + length;
      if (at > end) reader.truncated();
      const values = parts[index];
      if (values === undefined) parts[index] = [from, at];
      else values.push(from, at);
    }
  }
}

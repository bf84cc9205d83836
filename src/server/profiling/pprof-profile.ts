import { Location, Function as PprofFunction, Profile, Sample, StringTable, ValueType } from "pprof-format";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";

/** In the form of V8's inspector protocol: lines count from 0. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** A location in the call tree, and its measurements. */
export interface CallNode {
  readonly callFrame: CallFrame;
  /** One for each value type of the profile. */
  readonly values: readonly number[];
  readonly children: Iterable<CallNode>;
}

export interface ValueKind {
  /** `cpu` */
  readonly type: string;
  /** `nanoseconds` */
  readonly unit: string;
}

export interface PprofParts {
  readonly kinds: readonly ValueKind[];
  /** The period of a sample. */
  readonly period: { readonly kind: ValueKind; readonly value: number };
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The root frame is V8's and is left out. */
  readonly root: CallNode;
}

/** Idle time. */
const idleFrame = "(idle)";

/**
 * The bytes of a profile in pprof's format, uncompressed. Yields to the event loop, because five minutes have tens of thousands of
 * samples.
 */
export async function encodePprof({
  kinds,
  period,
  startedAt,
  durationMs,
  root,
}: PprofParts): Promise<Uint8Array> {
  const strings = new StringTable();
  const valueType = ({ type, unit }: ValueKind): ValueType =>
    new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) });
  const frames = new Frames(strings);
  const pieces: Uint8Array[] = [];
  // The innermost call comes first in a sample. Iterative, because calls may be nested deeply.
  const open: { readonly node: CallNode; readonly stack: LinkedStack | undefined }[] = [
    ...[...root.children].map((node) => ({ node, stack: undefined })),
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (node.callFrame.functionName === idleFrame) continue;
    const stack: LinkedStack = { location: frames.locationOf(node.callFrame), outer: next.stack };
    if (node.values.some((value) => value > 0)) {
      pieces.push(sampleField(new Sample({ locationId: locationsOf(stack), value: [...node.values] })));
    }
    await turnIfRoundIsOver();
    for (const child of node.children) open.push({ node: child, stack });
  }
  const rest = new Profile({
    sampleType: kinds.map(valueType),
    location: frames.locations,
    function: frames.functions,
    stringTable: strings,
    timeNanos: BigInt(startedAt.getTime()) * 1_000_000n,
    durationNanos: Math.round(durationMs * 1e6),
    periodType: valueType(period.kind),
    period: period.value,
  });
  // Concatenated protobuf messages are merged.
  pieces.push(await rest.encodeAsync());
  return Buffer.concat(pieces);
}

/** A sample as a field of the profile: tag 2, with a length. */
function sampleField(sample: Sample): Uint8Array {
  const bytes = sample.encode();
  const head = [0x12];
  let length = bytes.length;
  for (; length > 0x7f; length = Math.floor(length / 0x80)) head.push((length % 0x80) | 0x80);
  head.push(length);
  return Buffer.concat([Uint8Array.from(head), bytes]);
}

interface LinkedStack {
  readonly location: number;
  readonly outer: LinkedStack | undefined;
}

function locationsOf(innermost: LinkedStack): number[] {
  const locations: number[] = [];
  for (let at: LinkedStack | undefined = innermost; at !== undefined; at = at.outer)
    locations.push(at.location);
  return locations;
}

/** One location per function: the line where it begins. */
class Frames {
  readonly locations: Location[] = [];
  readonly functions: PprofFunction[] = [];
  readonly #strings: StringTable;
  readonly #ids = new Map<string, number>();

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  locationOf({ functionName, url, lineNumber }: CallFrame): number {
    const key = `${functionName} ${lineNumber} ${url}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(key, id);
    const name = this.#strings.dedup(functionName === "" ? "(anonymous)" : functionName);
    const line = lineNumber + 1;
    this.functions.push(
      new PprofFunction({
        id,
        name,
        systemName: name,
        filename: this.#strings.dedup(url),
        startLine: line,
      }),
    );
    this.locations.push(new Location({ id, line: [{ functionId: id, line }] }));
    return id;
  }
}

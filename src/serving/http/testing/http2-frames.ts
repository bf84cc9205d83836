/** HTTP/2 frames as bytes (RFC 9113 §4), for tests that send what no client library would. */

export interface Http2Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7 } as const;
export const endStream = 1;
const endHeaders = 4;
const frameHeadBytes = 9;

export function http2Frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A client's first bytes: the preface and its settings. */
export const http2Preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  http2Frame(frameTypes.settings, 0, 0),
]);

/** The pseudo headers come first. */
export function headersFrame(
  stream: number,
  fields: Readonly<Record<string, string>>,
  options: { readonly end: boolean },
): Buffer {
  const block = Buffer.concat(Object.entries(fields).map(([name, value]) => literalField(name, value)));
  return http2Frame(frameTypes.headers, endHeaders | (options.end ? endStream : 0), stream, block);
}

/** Without indexing or Huffman's code (RFC 7541 §6.2.2). */
function literalField(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), literal(name), literal(value)]);
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = bytes.length < 127 ? [bytes.length] : [127, ...sevenBitGroups(bytes.length - 127)];
  return Buffer.concat([Buffer.from(length), bytes]);
}

function sevenBitGroups(value: number): number[] {
  return value < 128 ? [value] : [128 + (value % 128), ...sevenBitGroups(Math.floor(value / 128))];
}

/** Splits the bytes of a peer into frames, however they are fragmented. */
export class Http2FrameReader {
  #bytes = Buffer.alloc(0);

  /** The frames that `bytes` completes. */
  take(bytes: Buffer): Http2Frame[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const frames: Http2Frame[] = [];
    while (this.#bytes.length >= frameHeadBytes) {
      const end = frameHeadBytes + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) break;
      frames.push({
        type: this.#bytes.readUInt8(3),
        flags: this.#bytes.readUInt8(4),
        stream: this.#bytes.readUInt32BE(5),
        payload: this.#bytes.subarray(frameHeadBytes, end),
      });
      this.#bytes = this.#bytes.subarray(end);
    }
    return frames;
  }
}

import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";

/**
 * The client side of SPDY/3.1 as far as container streams need it: node agents use no flow control, and headers of replies are ignored.
 */
export interface SpdyClientEvents {
  data(stream: number, bytes: Buffer): void;
  /** The other side sends no more on this stream. */
  ended(stream: number): void;
  /** Called once, when all streams are closed. */
  closed(): void;
}

const control = { synStream: 1, synReply: 2, rstStream: 3, ping: 6 } as const;
const finFlag = 1;
const headBytes = 8;
const version = 0x8003;
/** Limit of control frames, which are short; data frames may be long, and are passed on as they arrive. */
const controlBytesMax = 64 * 1024;
/** Smaller than the longest frame, so that streams take turns. */
const dataBytesMax = 16 * 1024;

/** The start of a zlib stream with the SPDY/3 dictionary, which its checksum names. Nothing here uses the dictionary. */
const zlibHead = Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]);
/** Maximum length of a block that is not compressed. */
const storedBytesMax = 0xffff;

/** Opens streams over a connection whose other side has agreed to the protocol. */
export class SpdyClient {
  readonly #connection: Duplex;
  readonly #events: SpdyClientEvents;
  #nextStream = 1;
  #hasSentHeaders = false;
  /** An incomplete frame, without data that was already passed on. */
  #received: Buffer = Buffer.alloc(0);
  /** How much of a data frame is still to come. */
  #awaited: AwaitedData | undefined;
  #isClosed = false;

  constructor(connection: Duplex, events: SpdyClientEvents) {
    this.#connection = connection;
    this.#events = events;
    connection.on("data", (bytes: Buffer) => this.#take(bytes));
    connection.on("error", () => {});
    connection.once("end", () => this.#closed());
    connection.once("close", () => this.#closed());
  }

  /** Returns the number of the new stream. */
  open(headers: Readonly<Record<string, string>>): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const head = Buffer.alloc(10);
    head.writeUInt32BE(stream, 0);
    this.#sendControl(control.synStream, Buffer.concat([head, this.#headerBlock(headers)]));
    return stream;
  }

  /** False asks the caller to wait for `drained`. */
  send(stream: number, bytes: Buffer): boolean {
    let isReady = true;
    for (let from = 0; from < bytes.length; from += dataBytesMax) {
      const part = bytes.subarray(from, from + dataBytesMax);
      this.#write(dataHead(stream, part.length, 0));
      isReady = this.#write(part);
    }
    return isReady;
  }

  drained(listener: () => void): void {
    this.#connection.once("drain", listener);
  }

  /** Ends this side of the stream. */
  end(stream: number): void {
    this.#write(dataHead(stream, 0, finFlag));
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  close(): void {
    this.#connection.destroy();
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.closed();
  }

  #take(bytes: Buffer): void {
    let rest = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    for (;;) {
      if (this.#awaited !== undefined) {
        rest = this.#takeData(this.#awaited, rest);
        if (this.#awaited !== undefined) break;
        continue;
      }
      if (rest.length < headBytes) break;
      const length = rest.readUIntBE(5, 3);
      const flags = rest[4] ?? 0;
      if (((rest[0] ?? 0) & 0x80) === 0) {
        this.#awaited = { stream: rest.readUInt32BE(0), isLast: (flags & finFlag) !== 0, left: length };
        rest = rest.subarray(headBytes);
        continue;
      }
      if (length > controlBytesMax) {
        this.close();
        return;
      }
      if (rest.length < headBytes + length) break;
      this.#takeControl(rest.readUInt16BE(2), rest.subarray(headBytes, headBytes + length), flags);
      rest = rest.subarray(headBytes + length);
    }
    this.#received = rest;
  }

  /** Takes data, and returns what follows it. */
  #takeData(awaited: AwaitedData, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, awaited.left);
    awaited.left -= part.length;
    if (part.length > 0) this.#events.data(awaited.stream, part);
    if (awaited.left === 0) {
      this.#awaited = undefined;
      if (awaited.isLast) this.#events.ended(awaited.stream);
    }
    return bytes.subarray(part.length);
  }

  #takeControl(type: number, body: Buffer, flags: number): void {
    if (type === control.ping) this.#sendControl(control.ping, body);
    else if (body.length < 4) return;
    else if (type === control.rstStream) this.#events.ended(body.readUInt32BE(0));
    // A reply may end its stream.
    else if (type === control.synReply && (flags & finFlag) !== 0) this.#events.ended(body.readUInt32BE(0));
  }

  #sendControl(type: number, body: Buffer): void {
    const head = Buffer.alloc(headBytes);
    head.writeUInt16BE(version, 0);
    head.writeUInt16BE(type, 2);
    head.writeUIntBE(body.length, 5, 3);
    this.#write(Buffer.concat([head, body]));
  }

  #write(bytes: Buffer): boolean {
    return this.#connection.writable ? this.#connection.write(bytes) : true;
  }

  /** The number of pairs, then names and values, each preceded by its length; part of one zlib stream. */
  #headerBlock(headers: Readonly<Record<string, string>>): Buffer {
    const pairs = Object.entries(headers);
    const text = Buffer.concat([uint32(pairs.length), ...pairs.flat().flatMap(withLength)]);
    if (text.length > storedBytesMax) throw new Error("the headers of a stream are too long");
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(text.length, 1);
    stored.writeUInt16LE(text.length ^ 0xffff, 3);
    const start = this.#hasSentHeaders ? [] : [zlibHead];
    this.#hasSentHeaders = true;
    return Buffer.concat([...start, stored, text]);
  }
}

interface AwaitedData {
  readonly stream: number;
  readonly isLast: boolean;
  left: number;
}

function dataHead(stream: number, length: number, flags: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(stream, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}

function withLength(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [uint32(bytes.length), bytes];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

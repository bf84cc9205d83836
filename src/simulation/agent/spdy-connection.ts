import { Duplex } from "node:stream";
import { constants, createDeflate, createInflate } from "node:zlib";
import { spdyDictionary } from "./spdy-dictionary.js";

/**
 * The server's side of SPDY/3.1, as far as clients of exec, attach and port forwarding use it: without flow control.
 */

export type SpdyHeaders = Readonly<Record<string, string>>;

/** One stream that the client opened, already accepted. */
export interface SpdyStream {
  readonly headers: SpdyHeaders;
  readonly duplex: Duplex;
}

const control = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const finFlag = 1;
const headBytes = 8;
/** A client that sends larger ones is cut off. */
const frameBytesMax = 1024 * 1024;
/** Smaller than the maximum frame, so that both sides take turns. */
const dataBytesMax = 16 * 1024;

/** `onStream` is called for each stream in the order in which they are opened. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #inflate = createInflate({ dictionary: spdyDictionary, finishFlush: constants.Z_SYNC_FLUSH });
  readonly #deflate = createDeflate({ dictionary: spdyDictionary });
  readonly #streams = new Map<number, Duplex>();
  #received = Buffer.alloc(0);
  /** Frames are processed in order: header blocks share their compression. */
  #turn: Promise<void> = Promise.resolve();

  constructor(socket: Duplex, head: Buffer, onStream: (stream: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
    const take = (bytes: Buffer): void => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#turn = this.#turn.then(() => this.#readFrames());
    };
    if (head.length > 0) take(head);
    socket.on("data", take);
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const stream of this.#streams.values()) stream.destroy();
    });
  }

  /** Tells the client that no more streams are accepted. */
  goAway(): void {
    this.#sendControl(control.goAway, 0, Buffer.alloc(8));
  }

  async #readFrames(): Promise<void> {
    while (this.#received.length >= headBytes) {
      const length = this.#received.readUIntBE(5, 3);
      if (length > frameBytesMax) {
        this.#socket.destroy();
        return;
      }
      if (this.#received.length < headBytes + length) return;
      const head = this.#received.subarray(0, headBytes);
      const body = this.#received.subarray(headBytes, headBytes + length);
      this.#received = this.#received.subarray(headBytes + length);
      const flags = head[4] ?? 0;
      if (((head[0] ?? 0) & 0x80) === 0) this.#takeData(head.readUInt32BE(0), body, flags);
      else await this.#takeControl(head.readUInt16BE(2), body, flags);
    }
  }

  async #takeControl(type: number, body: Buffer, flags: number): Promise<void> {
    switch (type) {
      case control.synStream:
        await this.#open(body.readUInt32BE(0), await this.#readHeaders(body.subarray(10)), flags);
        return;
      case control.rstStream:
        this.#streams.get(body.readUInt32BE(0))?.destroy();
        return;
      case control.ping:
        this.#sendControl(control.ping, 0, body);
        return;
      case control.goAway:
        this.#socket.end();
        return;
      default:
    }
  }

  async #open(id: number, headers: SpdyHeaders, flags: number): Promise<void> {
    const duplex = new Duplex({
      read() {},
      write: (bytes: Buffer, _encoding, done) => this.#sendData(id, bytes, done),
      final: (done) => this.#send(dataHead(id, 0, finFlag), done),
    });
    duplex.on("error", () => {});
    duplex.on("close", () => this.#streams.delete(id));
    this.#streams.set(id, duplex);
    const noHeaders = Buffer.alloc(4);
    const idBytes = Buffer.alloc(4);
    idBytes.writeUInt32BE(id);
    this.#sendControl(control.synReply, 0, Buffer.concat([idBytes, await this.#compress(noHeaders)]));
    if ((flags & finFlag) !== 0) duplex.push(null);
    this.#onStream({ headers, duplex });
  }

  #takeData(id: number, body: Buffer, flags: number): void {
    const stream = this.#streams.get(id);
    if (body.length > 0) stream?.push(body);
    if ((flags & finFlag) !== 0) stream?.push(null);
  }

  #sendData(id: number, bytes: Buffer, done: (error?: Error | null) => void): void {
    const frames: Buffer[] = [];
    for (let from = 0; from < bytes.length; from += dataBytesMax) {
      const part = bytes.subarray(from, from + dataBytesMax);
      frames.push(dataHead(id, part.length, 0), part);
    }
    this.#send(Buffer.concat(frames), done);
  }

  #sendControl(type: number, flags: number, body: Buffer): void {
    const head = Buffer.alloc(headBytes);
    head.writeUInt16BE(0x8003, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt8(flags, 4);
    head.writeUIntBE(body.length, 5, 3);
    this.#send(Buffer.concat([head, body]));
  }

  #send(bytes: Buffer, done: (error?: Error | null) => void = () => {}): void {
    if (this.#socket.writable) this.#socket.write(bytes, done);
    else done();
  }

  /** A block holds the number of pairs, then names and values, each preceded by its length. */
  async #readHeaders(block: Buffer): Promise<SpdyHeaders> {
    const text = await this.#decompress(block);
    const headers: Record<string, string> = {};
    let at = 4;
    const next = (): string => {
      const start = at + 4;
      at = start + text.readUInt32BE(at);
      return text.toString("utf8", start, at);
    };
    for (let left = text.readUInt32BE(0); left > 0; left--) {
      const name = next();
      headers[name.toLowerCase()] = next();
    }
    return headers;
  }

  async #decompress(block: Buffer): Promise<Buffer> {
    const parts: Buffer[] = [];
    const collect = (part: Buffer): void => void parts.push(part);
    this.#inflate.on("data", collect);
    await new Promise<void>((resolve, reject) =>
      this.#inflate.write(block, (error) => (error ? reject(error) : resolve())),
    );
    this.#inflate.off("data", collect);
    return Buffer.concat(parts);
  }

  async #compress(text: Buffer): Promise<Buffer> {
    const parts: Buffer[] = [];
    const collect = (part: Buffer): void => void parts.push(part);
    this.#deflate.on("data", collect);
    this.#deflate.write(text);
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    this.#deflate.off("data", collect);
    return Buffer.concat(parts);
  }
}

function dataHead(id: number, length: number, flags: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}

import type { Socket } from "node:net";

const handshakeRecord = 22;
const clientHello = 1;
const recordHeaderBytes = 5;
const recordBytesMax = 16 * 1024;
const messageHeaderBytes = 4;
/** Go's limit for a handshake message; here for all records of the ClientHello, headers included. */
const helloBytesMax = 64 * 1024;

/**
 * Detects when the first bytes of a TLS connection contain a complete ClientHello (RFC 8446 §4 and §5.1), which may span several records.
 * Other bytes count as complete: TLS refuses them.
 */
export class ClientHelloReader {
  /** Of the record header in progress. */
  #header: number[] = [];
  #leftInRecord = 0;
  readonly #message: number[] = [];
  #leftInMessage = Number.POSITIVE_INFINITY;
  #isOther = false;

  get isWhole(): boolean {
    return this.#isOther || this.#leftInMessage <= 0;
  }

  take(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.isWhole) {
      if (this.#leftInRecord > 0) {
        const taken = Math.min(this.#leftInRecord, bytes.length - at);
        this.#takeFragment(bytes.subarray(at, at + taken));
        this.#leftInRecord -= taken;
        at += taken;
      } else {
        this.#takeHeaderByte(bytes[at] ?? 0);
        at++;
      }
    }
  }

  #takeHeaderByte(byte: number): void {
    const header = this.#header;
    header.push(byte);
    if (header[0] !== handshakeRecord) this.#isOther = true;
    if (header.length < recordHeaderBytes) return;
    this.#leftInRecord = (header[3] ?? 0) * 256 + (header[4] ?? 0);
    if (this.#leftInRecord === 0 || this.#leftInRecord > recordBytesMax) this.#isOther = true;
    this.#header = [];
  }

  #takeFragment(fragment: Uint8Array): void {
    const message = this.#message;
    let at = 0;
    while (message.length < messageHeaderBytes && at < fragment.length) message.push(fragment[at++] ?? 0);
    if (message[0] !== clientHello) this.#isOther = true;
    if (message.length < messageHeaderBytes) return;
    const [, high = 0, middle = 0, low = 0] = message;
    if (this.#leftInMessage === Number.POSITIVE_INFINITY) {
      this.#leftInMessage = high * 65536 + middle * 256 + low;
    }
    this.#leftInMessage -= fragment.length - at;
  }
}

/**
 * Calls `onWhole` once the complete ClientHello is in the socket's buffer, from which TLS reads it. Destroys a socket that ends before
 * that, or whose hello exceeds 64 KiB.
 */
export function awaitClientHello(socket: Socket, onWhole: () => void): void {
  const reader = new ClientHelloReader();
  const pieces: Buffer[] = [];
  let size = 0;
  const read = (): void => {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      pieces.push(piece);
      size += piece.length;
      reader.take(piece);
    }
    if (reader.isWhole) {
      socket.off("readable", read);
      socket.unshift(Buffer.concat(pieces));
      onWhole();
    } else if (size > helloBytesMax) socket.destroy();
  };
  socket.on("readable", read);
  socket.once("end", () => socket.destroy());
  // Nothing else listens for errors before the handshake.
  socket.on("error", () => undefined);
}

import { createReadStream, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";

/** Limit of the whole recording. */
const fileBytesMax = 1024 ** 3;
/** Limit of bytes that the disk has not taken yet. */
const waitingBytesMax = 64 * 1024 * 1024;

/** The lines of a recording, which do not stay in memory. */
export class RecordingFile {
  readonly #path: string;
  #lines = 0;
  #bytes = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #isFull = false;

  /** Creates the file, readable only by its owner. */
  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, "", { mode: 0o600 });
  }

  get lines(): number {
    return this.#lines;
  }

  /** It takes no more, because it has reached its limit, or the disk is too slow. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#isFull ||=
      this.#bytes + bytes.length > fileBytesMax || this.#waitingBytes + bytes.length > waitingBytesMax;
    if (this.#isFull) return;
    this.#lines++;
    this.#bytes += bytes.length;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#writing ??= this.#write();
  }

  /** Resolves when everything added before is in the file. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** What was added before the call, in pieces. */
  async *read(): AsyncGenerator<Buffer, void, void> {
    const bytes = this.#bytes;
    await this.written();
    if (bytes > 0) yield* createReadStream(this.#path, { end: bytes - 1 });
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const pieces = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        await appendFile(this.#path, Buffer.concat(pieces));
      }
    } catch {
      // A full disk ends the recording.
      this.#isFull = true;
    } finally {
      this.#writing = undefined;
    }
  }
}
